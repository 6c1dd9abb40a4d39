package hatch.shell;

import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Build;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of the browser that shows the app's pages. */
final class WebViews {
    /** The pages are built for it (vite.config.ts). */
    static final int OLDEST = 111;

    private static final Pattern CHROME = Pattern.compile("Chrome/(\\d{1,5})\\.");

    private static final String CHROME_APP = "com.android.chrome";
    private static final String WEBVIEW_APP = "com.google.android.webview";
    /** Of the system's own image: no store updates it. */
    private static final String BUILT_IN = "com.android.webview";

    private WebViews() {}

    /** The app that shows this phone's web pages and that a store can update; null where there is none. */
    static String browserOf(Context context) {
        String current = Later.currentWebView();
        if (current != null) return current.equals(BUILT_IN) ? null : current;
        // Before Android 10, Chrome showed the pages where it was installed.
        if (Build.VERSION.SDK_INT < 29 && isInstalled(context, CHROME_APP)) return CHROME_APP;
        return WEBVIEW_APP;
    }

    private static boolean isInstalled(Context context, String app) {
        try {
            return context.getPackageManager().getApplicationInfo(app, 0).enabled;
        } catch (PackageManager.NameNotFoundException e) {
            return false;
        }
    }

    /** Of a user agent; 0 where it names none. */
    static int versionOf(String userAgent) {
        Matcher found = CHROME.matcher(userAgent == null ? "" : userAgent);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }
}
