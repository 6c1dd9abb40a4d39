package hatch.shell;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of the browser that shows the app's pages. */
final class WebViews {
    /** The pages are built for it (vite.config.ts). */
    static final int OLDEST = 111;

    private static final Pattern CHROME = Pattern.compile("Chrome/(\\d{1,5})\\.");

    private WebViews() {}

    /** Of a user agent; 0 where it names none. */
    static int versionOf(String userAgent) {
        Matcher found = CHROME.matcher(userAgent == null ? "" : userAgent);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }
}
