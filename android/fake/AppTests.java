import android.app.Activity;
import android.app.NotificationManager;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageInstaller;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.content.res.AssetManager;
import android.content.res.Resources;
import android.net.ConnectivityManager;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.PowerManager;
import android.util.DisplayMetrics;
import android.view.Window;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebSettings;
import android.webkit.WebViewClient;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.json.JSONObject;
import phone.Phone;

/**
 * The APK's own code, translated from its classes.dex, on a platform made for the test. Arguments: the APK's assets, the
 * real server's origin, the installed APK, the update, an APK of another signer, and the shop's address.
 */
public final class AppTests {
    private static int passed;
    private static int failed;
    private static final Map<Object, String> uris = java.util.Collections.synchronizedMap(new IdentityHashMap<>());
    private static final List<String> loaded = new ArrayList<>();
    private static final List<String> scripts = java.util.Collections.synchronizedList(new ArrayList<>());
    private static final List<Intent> started = new ArrayList<>();
    private static final Map<Object, Uri> dataOf = new IdentityHashMap<>();
    private static final Map<String, Object> kept = new ConcurrentHashMap<>();
    private static final List<String> texts = java.util.Collections.synchronizedList(new ArrayList<>());
    private static String userAgent = "Chrome/140.0.0.0";
    private static Object bridge;
    private static WebViewClient client;
    private static InputStream body;
    private static Object backCallback;
    private static boolean canGoBack;
    private static String pageUrl = "https://appassets.androidplatform.net/";
    private static final File cache = new File(System.getProperty("java.io.tmpdir"), "app-cache-" + System.nanoTime());
    private static ByteArrayOutputStream written;
    private static boolean isCommitted;

    public static void main(String[] args) throws Exception {
        File assets = new File(args[0]);
        String server = args[1], shop = args[5];
        set(Build.VERSION.class, "SDK_INT", 36);
        httpsGoesTo(server);
        platform(assets, new File(args[2]), shop);

        Object app = start();
        page(shop);
        bridgeOnly();
        links(app, shop);
        back(app);
        update(new File(args[3]));
        crashes();
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String name, boolean isGood) {
        if (isGood) passed++;
        else failed++;
        if (!isGood) System.out.println("FAIL " + name);
    }

    // ---- the platform ----

    private static void on(String method, Phone.Part part) {
        Phone.parts.put(method, part);
    }

    private static void set(Class<?> of, String name, Object value) throws Exception {
        // Not by its own initialiser, later.
        Class.forName(of.getName(), true, of.getClassLoader());
        Field field = of.getDeclaredField(name);
        Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        sun.misc.Unsafe memory = (sun.misc.Unsafe) unsafe.get(null);
        memory.putInt(memory.staticFieldBase(field), memory.staticFieldOffset(field), (Integer) value);
    }

    private static Uri uri(String text) {
        Uri made = new Uri();
        uris.put(made, text);
        return made;
    }

    /** The shop's https address is the real server of this test. */
    private static void httpsGoesTo(String server) {
        URL.setURLStreamHandlerFactory(protocol -> !protocol.equals("https") ? null : new URLStreamHandler() {
            @Override protected int getDefaultPort() {
                return 443;
            }

            @Override protected URLConnection openConnection(URL url) throws java.io.IOException {
                return (HttpURLConnection) new URL(server + url.getFile()).openConnection();
            }
        });
    }

    private static void platform(File assets, File installed, String shop) throws Exception {
        WebSettings settings = new WebSettings();
        Resources resources = new Resources(null, null, null);
        on("android.net.Uri.parse", (self, x) -> uri((String) x[0]));
        on("android.net.Uri.toString", (self, x) -> uris.get(self));
        on("android.net.Uri.getScheme", (self, x) -> URI.create(uris.get(self)).getScheme());
        on("android.net.Uri.getHost", (self, x) -> URI.create(uris.get(self)).getHost());
        on("android.net.Uri.getPath", (self, x) -> URI.create(uris.get(self)).getPath());
        on("android.content.Intent.getData", (self, x) -> dataOf.get(self));
        on("android.content.Intent.setData", (self, x) -> self);
        for (String same : new String[] {"addCategory", "addFlags", "setAction", "putExtras", "putExtra", "setType"}) {
            on("android.content.Intent." + same, (self, x) -> self);
        }
        on("android.content.Intent.<init>", (self, x) -> x.length == 2 && x[1] instanceof Uri ? dataOf.put(self, (Uri) x[1]) : null);
        on("android.content.ContextWrapper.getApplicationContext", (self, x) -> self);
        on("android.content.ContextWrapper.getPackageName", (self, x) -> "app.hatch.customer");
        on("android.content.ContextWrapper.getPackageManager", (self, x) -> new PackageManager());
        on("android.content.ContextWrapper.getCacheDir", (self, x) -> cache);
        on("android.content.ContextWrapper.getAssets", (self, x) -> new AssetManager());
        on("android.content.ContextWrapper.getResources", (self, x) -> resources);
        on("android.view.ContextThemeWrapper.getResources", (self, x) -> resources);
        on("android.content.res.Resources.getIdentifier", (self, x) -> {
            texts.add((String) x[0]);
            return 7;
        });
        on("android.content.res.Resources.getDisplayMetrics", (self, x) -> new DisplayMetrics());
        on("android.content.Context.getString", (self, x) -> "words");
        on("android.content.ContextWrapper.getSharedPreferences", (self, x) -> preferences((String) x[0]));
        on("android.content.ContextWrapper.getSystemService", (self, x) -> service((String) x[0]));
        on("android.app.Activity.getSystemService", (self, x) -> service((String) x[0]));
        on("android.view.ContextThemeWrapper.getSystemService", (self, x) -> service((String) x[0]));
        on("android.app.Activity.getWindow", (self, x) -> new Window(null));
        on("android.app.Activity.getIntent", (self, x) -> new Intent());
        on("android.app.Activity.startActivity", (self, x) -> started.add((Intent) x[0]));
        on("android.app.Activity.runOnUiThread", (self, x) -> {
            ((Runnable) x[0]).run();
            return null;
        });
        on("android.content.res.AssetManager.open", (self, x) -> new FileInputStream(new File(assets, (String) x[0])));
        on("android.webkit.WebSettings.getDefaultUserAgent", (self, x) -> userAgent);
        on("android.webkit.WebView.getSettings", (self, x) -> settings);
        on("android.webkit.WebView.addJavascriptInterface", (self, x) -> bridge = x[0]);
        on("android.webkit.WebView.setWebViewClient", (self, x) -> client = (WebViewClient) x[0]);
        on("android.webkit.WebView.loadUrl", (self, x) -> loaded.add((String) x[0]));
        on("android.webkit.WebView.canGoBack", (self, x) -> canGoBack);
        on("android.webkit.WebView.getUrl", (self, x) -> pageUrl);
        on("android.webkit.WebView.evaluateJavascript", (self, x) -> scripts.add((String) x[0]));
        on("android.webkit.WebResourceResponse.<init>", (self, x) -> body = (InputStream) x[x.length - 1]);
        on("android.os.BaseBundle.getString", (self, x) -> x[0].equals("hatch.app") ? "customer" : shop);
        on("android.os.Bundle.getString", (self, x) -> x[0].equals("hatch.app") ? "customer" : shop);
        on("android.os.BaseBundle.getBoolean", (self, x) -> true);
        on("android.os.Bundle.getBoolean", (self, x) -> true);
        on("android.content.pm.PackageManager.getApplicationInfo", (self, x) -> {
            ApplicationInfo info = new ApplicationInfo();
            info.metaData = new Bundle();
            return info;
        });
        on("android.content.pm.PackageManager.getPackageInfo", (self, x) -> infoOf(installed));
        on("android.content.pm.PackageManager.getPackageArchiveInfo", (self, x) -> infoOf(new File((String) x[0])));
        on("android.content.pm.PackageManager.getPackageInstaller", (self, x) -> new PackageInstaller());
        on("android.content.pm.PackageInstaller.createSession", (self, x) -> 5);
        on("android.content.pm.PackageInstaller.openSession", (self, x) -> new PackageInstaller.Session());
        on("android.content.pm.PackageInstaller$Session.openWrite", (self, x) -> written = new ByteArrayOutputStream());
        on("android.content.pm.PackageInstaller$Session.commit", (self, x) -> isCommitted = true);
        on("android.app.PendingIntent.getBroadcast", (self, x) -> new android.app.PendingIntent());
        on("android.content.pm.Signature.toByteArray", (self, x) -> signers.get(self));
        on("android.util.Base64.encodeToString", (self, x) -> java.util.Base64.getUrlEncoder().withoutPadding().encodeToString((byte[]) x[0]));
        on("android.app.Activity.getOnBackInvokedDispatcher", (self, x) -> Proxy.newProxyInstance(AppTests.class.getClassLoader(),
            new Class<?>[] {Class.forName("android.window.OnBackInvokedDispatcher")}, (dispatcher, called, given) -> {
                backCallback = given[1];
                return null;
            }));
        on("android.net.ConnectivityManager.isActiveNetworkMetered", (self, x) -> isMetered);
    }

    private static final Map<Object, byte[]> signers = new IdentityHashMap<>();
    private static boolean isMetered = true;

    private static Object service(String name) {
        switch (name) {
            case "notification": return new NotificationManager();
            case "connectivity": return new ConnectivityManager();
            case "power": return new PowerManager();
            case "activity": return new android.app.ActivityManager();
            default: return null;
        }
    }

    private static Object preferences(String file) {
        return Proxy.newProxyInstance(AppTests.class.getClassLoader(), new Class<?>[] {SharedPreferences.class}, (self, method, x) -> {
            switch (method.getName()) {
                case "getString": case "getInt": case "getBoolean": return kept.getOrDefault(file + "." + x[0], x[1] == null ? "" : x[1]).equals("") ? x[1] : kept.get(file + "." + x[0]) == null ? x[1] : kept.get(file + "." + x[0]);
                case "edit": return editor(file);
                default: return null;
            }
        });
    }

    private static Object editor(String file) {
        return Proxy.newProxyInstance(AppTests.class.getClassLoader(), new Class<?>[] {SharedPreferences.Editor.class}, (self, method, x) -> {
            if (method.getName().startsWith("put")) kept.put(file + "." + x[0], x[1]);
            if (method.getName().equals("remove")) kept.remove(file + "." + x[0]);
            return method.getReturnType() == boolean.class ? (Object) true : method.getReturnType() == void.class ? null : self;
        });
    }

    /** What Debian's tools say of a file, as the phone's package manager would. */
    private static PackageInfo infoOf(File apk) throws Exception {
        String badging = run("aapt", "dump", "badging", apk.getPath());
        if (!badging.startsWith("package:")) return null;
        PackageInfo info = new PackageInfo();
        info.packageName = badging.replaceAll("(?s).*?name='([^']*)'.*", "$1");
        info.versionCode = Integer.parseInt(badging.replaceAll("(?s).*?versionCode='(\\d+)'.*", "$1"));
        info.versionName = badging.replaceAll("(?s).*?versionName='([^']*)'.*", "$1");
        String signed = run("apksigner", "verify", "--print-certs", "--min-sdk-version", "24", apk.getPath());
        if (!signed.contains("certificate SHA-256")) return info;
        Signature signature = new Signature(new byte[0]);
        signers.put(signature, signed.replaceAll("(?s).*?certificate SHA-256 digest: (\\w+).*", "$1").getBytes());
        info.signatures = new Signature[] {signature};
        return info;
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return said;
    }

    private static Method method(Object of, String name, Class<?>... types) throws Exception {
        for (Class<?> each = of.getClass(); each != null; each = each.getSuperclass()) {
            try {
                Method found = each.getDeclaredMethod(name, types);
                found.setAccessible(true);
                return found;
            } catch (NoSuchMethodException e) {
                // Perhaps the class above it.
            }
        }
        throw new NoSuchMethodException(name);
    }

    // ---- what is tested ----

    private static Object start() throws Exception {
        loaded.clear();
        Object app = Class.forName("hatch.shell.ShellActivity").getDeclaredConstructor().newInstance();
        method(app, "onCreate", Bundle.class).invoke(app, (Object) null);
        return app;
    }

    private static void page(String shop) throws Exception {
        check("the first page " + loaded, loaded.equals(List.of("https://appassets.androidplatform.net/")));
        for (String wanted : new String[] {"setAllowFileAccess[false]", "setAllowContentAccess[false]", "setJavaScriptEnabled[true]", "setDomStorageEnabled[true]",
            "setMixedContentMode[1]", "setSupportMultipleWindows[false]"}) {
            check(wanted, Phone.calls.contains("android.webkit.WebSettings." + wanted));
        }
        check("nobody debugs a release", Phone.calls.contains("android.webkit.WebView.setWebContentsDebuggingEnabled[false]"));
        check("pages are the index", answer("https://appassets.androidplatform.net/menu", true).contains("<div id=\"root\">"));
        check("the index is for no frame", answer("https://appassets.androidplatform.net/menu", false).isEmpty());
        check("no such file", answer("https://appassets.androidplatform.net/assets/none.js", false).isEmpty());
        check("out of the folder", answer("https://appassets.androidplatform.net/assets/../../classes.dex", false).isEmpty());
        check("a picture of the shop", answer("https://appassets.androidplatform.net/app-icon/192.png", false).length() > 100);
        check("other hosts are the network's", intercept(shop + "/v1/menus", false) == null);
        check("a lookalike is the network's", intercept("https://appassets.androidplatform.net.evil.example/", true) == null);
    }

    private static WebResourceResponse intercept(String url, boolean isPage) {
        body = null;
        return client.shouldInterceptRequest(null, (WebResourceRequest) Proxy.newProxyInstance(AppTests.class.getClassLoader(),
            new Class<?>[] {WebResourceRequest.class}, (self, asked, x) -> {
                switch (asked.getName()) {
                    case "getUrl": return uri(url);
                    case "getMethod": return "GET";
                    case "isForMainFrame": return isPage;
                    default: return null;
                }
            }));
    }

    private static String answer(String url, boolean isPage) throws Exception {
        intercept(url, isPage);
        return body == null ? "" : new String(body.readAllBytes(), "ISO-8859-1");
    }

    private static JSONObject send(String message) throws Exception {
        return new JSONObject((String) method(bridge, "send", String.class).invoke(bridge, message));
    }

    private static String newKey() throws Exception {
        return answer("https://appassets.androidplatform.net/", true).replaceAll("(?s).*name=\"shell-key\" content=\"([^\"]*)\".*", "$1");
    }

    private static void bridgeOnly() throws Exception {
        String old = newKey(), key = newKey();
        check("a key of its own for each page", key.length() == 32 && !old.equals(key));
        check("the app", send(new JSONObject().put("type", "app").put("key", key).toString()).getString("package").equals("app.hatch.customer"));
        for (String wrong : new String[] {"", old, "{{shell-key}}", "null"}) {
            check("refused with the key " + wrong, send(new JSONObject().put("type", "app").put("key", wrong).toString()).has("refused"));
        }
        check("refused without", send("{\"type\":\"read\",\"name\":\"token\"}").has("refused"));
        int before = started.size();
        send(new JSONObject().put("type", "open").put("url", "javascript:alert(1)").put("key", key).toString());
        send(new JSONObject().put("type", "open").put("url", "intent://x#Intent;end").put("key", key).toString());
        send(new JSONObject().put("type", "open").put("url", "file:///data").put("key", key).toString());
        check("nothing strange is opened", started.size() == before);
        send(new JSONObject().put("type", "open").put("url", "https://checkout.stripe.com/pay").put("key", key).toString());
        check("a payment is", started.size() == before + 1);
        send(new JSONObject().put("type", "ready").put("key", key).toString());
        check("the start counts as good", Integer.valueOf(0).equals(kept.get("app.starts")));
        java.util.Random random = new java.util.Random(7);
        int thrown = 0;
        String[] types = {"app", "state", "read", "write", "open", "share", "notify", "screen", "alarm", "print", "update", "board_on", "lock", "x"};
        for (int i = 0; i < 10_000; i++) {
            JSONObject message = new JSONObject().put("type", types[random.nextInt(types.length)]).put("key", random.nextInt(3) == 0 ? "k" : key);
            for (String field : new String[] {"name", "value", "url", "title", "path", "id", "gain", "pause", "host", "port", "reply", "content", "job", "action", "shop", "store"}) {
                if (random.nextInt(4) == 0) message.put(field, random.nextBoolean() ? (Object) random.nextInt() : "x".repeat(random.nextInt(50)));
            }
            try {
                send(random.nextInt(5) == 0 ? message.toString().substring(1) : message.toString());
            } catch (Exception e) {
                thrown++;
            }
        }
        check("10,000 messages to the APK's own bridge, " + thrown + " crashes", thrown == 0);
    }

    private static void links(Object app, String shop) throws Exception {
        check("own pages stay", !client.shouldOverrideUrlLoading(null, "https://appassets.androidplatform.net/orders/1"));
        int before = started.size();
        check("others leave", client.shouldOverrideUrlLoading(null, "https://maps.example/") && started.size() == before + 1);
        check("strange ones do not", client.shouldOverrideUrlLoading(null, "intent://x#Intent;end") && started.size() == before + 1);
        check("nothing at the payment's return", told(app, shop + "/admin/stores") == null && told(app, "app.hatch.customer://kitchen") == null);
        check("the payment's return", String.valueOf(told(app, "app.hatch.customer://orders/17/payment/callback")).contains("orders\\/17\\/payment\\/callback")
            || String.valueOf(told(app, "app.hatch.customer://orders/17/payment/callback")).contains("/orders/17/payment/callback"));
        check("the sign-in's return", String.valueOf(told(app, "app.hatch.customer://auth/callback?app_code=abc")).contains("app_code=abc"));
    }

    private static String told(Object app, String link) throws Exception {
        int before = scripts.size();
        Intent intent = new Intent();
        dataOf.put(intent, uri(link));
        method(app, "onNewIntent", Intent.class).invoke(app, intent);
        return scripts.size() == before ? null : scripts.get(scripts.size() - 1);
    }

    private static void back(Object app) throws Exception {
        Phone.calls.clear();
        check("from Android 13 on, Back comes from the dispatcher", backCallback != null);
        canGoBack = true;
        goBack();
        check("Back goes back", Phone.calls.contains("android.webkit.WebView.goBack[]"));
        Phone.calls.clear();
        method(app, "onBackPressed").invoke(app);
        check("and not twice", !Phone.calls.contains("android.webkit.WebView.goBack[]"));
        canGoBack = false;
        pageUrl = "https://appassets.androidplatform.net/orders/17";
        loaded.clear();
        goBack();
        check("behind a linked page is the menu", loaded.equals(List.of("https://appassets.androidplatform.net/")));
        pageUrl = "https://appassets.androidplatform.net/";
        goBack();
        check("behind the first is the phone", Phone.calls.stream().anyMatch(call -> call.startsWith("android.app.Activity.moveTaskToBack")));
    }

    private static void goBack() throws Exception {
        backCallback.getClass().getMethod("onBackInvoked").invoke(backCallback);
    }

    private static JSONObject updateState() throws Exception {
        return send(new JSONObject().put("type", "state").put("key", newKey()).toString()).getJSONObject("update");
    }

    private static void waitFor(String phase) throws Exception {
        for (int i = 0; i < 600 && !updateState().getString("phase").equals(phase); i++) Thread.sleep(100);
        check("the update is " + phase + ": " + updateState(), updateState().getString("phase").equals(phase));
    }

    private static void update(File wanted) throws Exception {
        // Asked for at the start already, and not downloaded on a network that costs.
        waitFor("offered");
        check("of the version", updateState().getString("version").equals("3.10.19"));
        send(new JSONObject().put("type", "update").put("action", "download").put("key", newKey()).toString());
        waitFor("ready");
        on("android.content.pm.PackageManager.canRequestPackageInstalls", (self, x) -> true);
        File[] files = new File(cache, "update").listFiles();
        check("one verified file", files != null && files.length == 1 && java.util.Arrays.equals(Files.readAllBytes(files[0].toPath()), Files.readAllBytes(wanted.toPath())));
        send(new JSONObject().put("type", "update").put("action", "install").put("key", newKey()).toString());
        for (int i = 0; i < 100 && !isCommitted; i++) Thread.sleep(50);
        check("given to Android's installer, byte for byte", isCommitted && java.util.Arrays.equals(written.toByteArray(), Files.readAllBytes(wanted.toPath())));
    }

    private static void crashes() throws Exception {
        kept.put("app.starts", 3);
        texts.clear();
        start();
        check("after three failed starts, a page of Android's own", loaded.isEmpty() && texts.contains("failed_starts") && texts.contains("failed_starts_update"));
        kept.put("app.starts", 0);
        userAgent = "Chrome/110.0.0.0";
        texts.clear();
        start();
        check("an old WebView gets one too", loaded.isEmpty() && texts.contains("old_browser_update"));
        userAgent = "Chrome/111.0.0.0";
        start();
        check("the oldest that can show the page does", loaded.size() == 1);
    }
}
