package hatch.shell;

import android.Manifest;
import android.app.Activity;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.graphics.Color;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.webkit.PermissionRequest;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.widget.FrameLayout;
import java.lang.ref.WeakReference;
import org.json.JSONException;
import org.json.JSONObject;

/** The one screen: the app's page in a WebView, or a page of Android's own where that cannot be shown. */
public final class ShellActivity extends Activity {
    private static final int ASK_NOTIFICATIONS = 1;
    private static final int ASK_CAMERA = 2;

    private static WeakReference<ShellActivity> current = new WeakReference<>(null);
    private static volatile boolean isShown;

    private About about;
    private Vault vault;
    private Updater updater;
    private StartCount starts;
    private WebView web;
    private Bridge bridge;
    private PermissionRequest wantsCamera;

    /** Tells the page, if there is one. */
    static void tell(String type) {
        ShellActivity activity = current.get();
        if (activity != null && activity.bridge != null) activity.bridge.tell(type, null);
    }

    static boolean isShown() {
        return isShown;
    }

    @Override protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        current = new WeakReference<>(this);
        about = new About(this);
        vault = new Vault(this);
        updater = Updater.of(this);
        starts = new StartCount(new StartCount.Kept() {
            @Override public int read() {
                return getSharedPreferences("app", MODE_PRIVATE).getInt("starts", 0);
            }

            @Override public void write(int count) {
                getSharedPreferences("app", MODE_PRIVATE).edit().putInt("starts", count).commit();
            }
        });
        if (!Later.onBack(this, this::goBack)) usesOldBack = true;
        if (about.isKitchen) {
            getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON | WindowManager.LayoutParams.FLAG_SHOW_WHEN_LOCKED
                | WindowManager.LayoutParams.FLAG_TURN_SCREEN_ON);
            Later.showWhenLocked(this);
        }
        // Before anything that may fail, and beside it.
        updater.check(false);
        if (WebViews.versionOf(WebSettings.getDefaultUserAgent(this)) < WebViews.OLDEST) showPage(NativePages.oldBrowser(this, updater));
        else if (starts.begin()) showPage(NativePages.failedStarts(this, updater, this::tryAgain));
        else showWeb(saved == null ? null : saved.getString("path"));
    }

    private boolean usesOldBack;

    private void showPage(ViewGroup page) {
        setContentView(page);
    }

    private void tryAgain() {
        starts.succeed();
        showWeb(null);
    }

    private void showWeb(String savedPath) {
        WebView.setWebContentsDebuggingEnabled(about.isDebug);
        web = new WebView(this);
        web.setBackgroundColor(Color.TRANSPARENT);
        FrameLayout root = new FrameLayout(this);
        int all = ViewGroup.LayoutParams.MATCH_PARENT;
        root.addView(web, new FrameLayout.LayoutParams(all, all));
        // From 15 on the app is drawn behind the bars and the keyboard: the page stays clear of both.
        if (Build.VERSION.SDK_INT >= 35) {
            root.setOnApplyWindowInsetsListener((view, insets) -> {
                view.setPadding(insets.getSystemWindowInsetLeft(), insets.getSystemWindowInsetTop(),
                    insets.getSystemWindowInsetRight(), insets.getSystemWindowInsetBottom());
                return insets.consumeSystemWindowInsets();
            });
        }
        setContentView(root);
        WebSettings settings = web.getSettings();
        settings.setJavaScriptEnabled(true);
        settings.setDomStorageEnabled(true);
        settings.setAllowFileAccess(false);
        settings.setAllowContentAccess(false);
        settings.setMixedContentMode(WebSettings.MIXED_CONTENT_NEVER_ALLOW);
        settings.setSupportMultipleWindows(false);
        settings.setMediaPlaybackRequiresUserGesture(false);
        Later.keepRenderer(web);
        Pictures.keepIn(getCacheDir());
        bridge = new Bridge(this, web, about, vault, updater, starts);
        updater.listen(state -> bridge.tell("update", state));
        web.addJavascriptInterface(bridge, "HatchBridge");
        web.setWebViewClient(new ShellClient(this, bridge, about, vault));
        web.setWebChromeClient(new ShellChrome(this));
        String asked = pathOf(getIntent());
        web.loadUrl(AssetRouter.ORIGIN + (asked != null ? asked : savedPath != null ? savedPath : first()));
    }

    /** The page that the app opens on. */
    private String first() {
        return about.isKitchen ? "/kitchen" : "/menu";
    }

    /** The page that a link from outside opens, or null. The kitchen's app has its board only. */
    private String pathOf(Intent intent) {
        if (about.isKitchen || intent == null || intent.getData() == null) return null;
        return Links.pathOf(intent.getData().toString(), about.builtFor, about.packageName);
    }

    @Override protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        setIntent(intent);
        String path = pathOf(intent);
        if (path == null || bridge == null) return;
        try {
            bridge.tell("navigate", new JSONObject().put("path", path));
        } catch (JSONException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Below 33 Android calls this one; from 33 on the dispatcher calls `goBack`. */
    @Override public void onBackPressed() {
        if (usesOldBack) goBack();
    }

    private void goBack() {
        if (web == null) {
            finish();
        } else if (web.canGoBack()) {
            web.goBack();
        } else if (!about.isKitchen && !isFirst(web.getUrl())) {
            // A link from outside opened this page: the menu is behind it.
            web.loadUrl(AssetRouter.ORIGIN + first());
        } else if (!Lock.isOn(this)) {
            moveTaskToBack(true);
        }
    }

    private static boolean isFirst(String url) {
        return url == null || url.matches(AssetRouter.ORIGIN + "/(menu)?([?#].*)?");
    }

    @Override protected void onSaveInstanceState(Bundle out) {
        super.onSaveInstanceState(out);
        String url = web == null ? null : web.getUrl();
        if (url != null && url.startsWith(AssetRouter.ORIGIN + "/")) out.putString("path", url.substring(AssetRouter.ORIGIN.length()));
    }

    @Override protected void onResume() {
        super.onResume();
        isShown = true;
        if (web != null) web.onResume();
        if (about.isKitchen) Lock.restore(this);
        if (bridge != null) bridge.tell("state", null);
    }

    @Override public void onWindowFocusChanged(boolean hasFocus) {
        super.onWindowFocusChanged(hasFocus);
        if (hasFocus && about.isKitchen) Lock.restore(this);
    }

    @Override protected void onPause() {
        isShown = false;
        // The board's page goes on behind a dark screen.
        if (web != null && !about.isKitchen) web.onPause();
        super.onPause();
    }

    @Override protected void onDestroy() {
        updater.listen(null);
        dropWeb();
        super.onDestroy();
    }

    private void dropWeb() {
        if (web == null) return;
        if (web.getParent() != null) ((ViewGroup) web.getParent()).removeView(web);
        web.destroy();
        web = null;
        bridge = null;
    }

    /** The page's process ended: a new one is shown, or the native page after too many. */
    void pageDied() {
        dropWeb();
        if (starts.begin()) showPage(NativePages.failedStarts(this, updater, this::tryAgain));
        else showWeb(null);
    }

    boolean isPageLoaded() {
        return web != null;
    }

    void askNotifications() {
        if (Build.VERSION.SDK_INT >= 33) requestPermissions(new String[] {"android.permission.POST_NOTIFICATIONS"}, ASK_NOTIFICATIONS);
        else if (bridge != null) bridge.tell("state", null);
    }

    /** The camera scans the code that signs the tablet in. */
    void askCamera(PermissionRequest wanted) {
        if (checkSelfPermission(Manifest.permission.CAMERA) == PackageManager.PERMISSION_GRANTED) {
            wanted.grant(new String[] {PermissionRequest.RESOURCE_VIDEO_CAPTURE});
            return;
        }
        wantsCamera = wanted;
        requestPermissions(new String[] {Manifest.permission.CAMERA}, ASK_CAMERA);
    }

    @Override public void onRequestPermissionsResult(int asked, String[] permissions, int[] results) {
        boolean isGranted = results.length > 0 && results[0] == PackageManager.PERMISSION_GRANTED;
        if (asked == ASK_CAMERA && wantsCamera != null) {
            if (isGranted) wantsCamera.grant(new String[] {PermissionRequest.RESOURCE_VIDEO_CAPTURE});
            else wantsCamera.deny();
            wantsCamera = null;
        }
        if (asked == ASK_NOTIFICATIONS) {
            getSharedPreferences("app", MODE_PRIVATE).edit().putBoolean("asked_notifications", true).commit();
            if (bridge != null) bridge.tell("state", null);
        }
    }

    /** A page of the web in a Custom Tab, or in the browser where there is none. */
    void open(String url) {
        boolean isLocal = about.isDebug && Links.isLoopback(url);
        Links.Target target = Links.targetOf(url);
        if (target != Links.Target.TAB && target != Links.Target.OTHER && !isLocal) return;
        Intent view = new Intent(Intent.ACTION_VIEW, Uri.parse(url));
        if (target != Links.Target.OTHER) {
            Bundle tab = new Bundle();
            tab.putBinder("android.support.customtabs.extra.SESSION", null);
            view.putExtras(tab).addCategory(Intent.CATEGORY_BROWSABLE);
        }
        try {
            startActivity(view);
        } catch (RuntimeException e) {
            if (bridge != null) bridge.tell("no_app", null);
        }
    }
}
