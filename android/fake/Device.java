import android.app.Activity;
import android.app.ActivityManager;
import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.admin.DevicePolicyManager;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageInstaller;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.content.res.AssetManager;
import android.content.res.Resources;
import android.media.AudioManager;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import android.net.Uri;
import android.net.wifi.WifiInfo;
import android.net.wifi.WifiManager;
import android.os.Build;
import android.os.Bundle;
import android.os.PowerManager;
import android.util.DisplayMetrics;
import android.view.Window;
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
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import phone.Phone;

/** A phone or a tablet for the APK's own code: the parts of Android that it needs, and what the tests look at afterwards. */
final class Device {
    static final Map<Object, Uri> dataOf = Collections.synchronizedMap(new IdentityHashMap<>());
    static final Map<String, Object> kept = new ConcurrentHashMap<>();
    static final List<String> loaded = new CopyOnWriteArrayList<>();
    static final List<String> scripts = new CopyOnWriteArrayList<>();
    static final List<Intent> started = new CopyOnWriteArrayList<>();
    static final List<String> texts = new CopyOnWriteArrayList<>();
    static final File cache = new File(System.getProperty("java.io.tmpdir"), "app-cache-" + System.nanoTime());
    static volatile String userAgent = "Chrome/140.0.0.0";
    static volatile Object bridge;
    static volatile WebViewClient client;
    static volatile InputStream body;
    static volatile Object backCallback;
    static volatile boolean canGoBack;
    static volatile boolean isMetered = true;
    static volatile String pageUrl = "https://appassets.androidplatform.net/";
    static volatile ByteArrayOutputStream written;
    static volatile boolean isCommitted;
    /** What the intents of Android carry. */
    static final Map<Object, Integer> numbers = new ConcurrentHashMap<>(Map.of("level", 55, "scale", 100));
    static volatile int alarmVolume = 3;
    /** Where the shop's https address leads. */
    static volatile String server;

    private static final Map<Object, String> uris = Collections.synchronizedMap(new IdentityHashMap<>());
    private static final Map<Object, byte[]> signers = new IdentityHashMap<>();
    private static final Map<String, PackageInfo> known = new ConcurrentHashMap<>();
    private static final Map<Object, Future<?>> waiting = Collections.synchronizedMap(new IdentityHashMap<>());
    private static final ScheduledExecutorService main = Executors.newSingleThreadScheduledExecutor(run -> {
        Thread thread = new Thread(run, "main thread of the device");
        thread.setDaemon(true);
        return thread;
    });
    /** Milliseconds by which sleeping threads are ahead of the machine's clock. */
    private static final AtomicLong skipped = new AtomicLong(1_000_000);

    private Device() {}

    /** `app` is customer or kitchen, `installed` its APK, `shop` what its manifest names. */
    static void start(String app, File assets, File installed, String shop, String server) throws Exception {
        Device.server = server;
        set(Build.VERSION.class, "SDK_INT", 36);
        httpsGoesToServer();
        java.security.Security.addProvider(new PhoneKeys());
        content();
        context(app);
        packages(app, installed, shop);
        web(assets);
        tablet();
    }

    static void on(String method, Phone.Part part) {
        Phone.parts.put(method, part);
    }

    static Uri uri(String text) {
        Uri made = new Uri();
        uris.put(made, text);
        return made;
    }

    /** What an intent leads to; null where it names no address. */
    static String linkOf(Intent intent) {
        Uri data = dataOf.get(intent);
        return data == null ? null : uris.get(data);
    }

    static Method method(Object of, String name, Class<?>... types) throws Exception {
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

    private static sun.misc.Unsafe unsafe() throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (sun.misc.Unsafe) field.get(null);
    }

    static void set(Class<?> of, String name, int value) throws Exception {
        // Not by its own initialiser, later.
        Class.forName(of.getName(), true, of.getClassLoader());
        Field field = of.getDeclaredField(name);
        unsafe().putInt(unsafe().staticFieldBase(field), unsafe().staticFieldOffset(field), value);
    }

    /** An object of Android's whose constructor needs what there is not. */
    private static Object make(String name) throws Exception {
        return unsafe().allocateInstance(Class.forName(name));
    }

    private static void httpsGoesToServer() {
        URL.setURLStreamHandlerFactory(protocol -> !protocol.equals("https") ? null : new URLStreamHandler() {
            @Override protected int getDefaultPort() {
                return 443;
            }

            @Override protected URLConnection openConnection(URL url) throws java.io.IOException {
                return (HttpURLConnection) new URL(server + url.getFile()).openConnection();
            }
        });
    }

    private static void content() {
        on("android.net.Uri.parse", (self, x) -> uri((String) x[0]));
        on("android.net.Uri.toString", (self, x) -> uris.get(self));
        on("android.net.Uri.getScheme", (self, x) -> URI.create(uris.get(self)).getScheme());
        on("android.net.Uri.getHost", (self, x) -> URI.create(uris.get(self)).getHost());
        on("android.net.Uri.getPath", (self, x) -> URI.create(uris.get(self)).getPath());
        on("android.content.Intent.getData", (self, x) -> dataOf.get(self));
        on("android.content.Intent.<init>", (self, x) -> x.length == 2 && x[1] instanceof Uri ? dataOf.put(self, (Uri) x[1]) : null);
        on("android.content.Intent.getIntExtra", (self, x) -> numbers.getOrDefault(x[0], (Integer) x[1]));
        on("android.util.Base64.encodeToString", (self, x) -> {
            int flags = (Integer) x[1];
            java.util.Base64.Encoder encoder = (flags & 8) == 0 ? java.util.Base64.getEncoder() : java.util.Base64.getUrlEncoder();
            return ((flags & 1) == 0 ? encoder : encoder.withoutPadding()).encodeToString((byte[]) x[0]);
        });
        on("android.util.Base64.decode", (self, x) -> java.util.Base64.getUrlDecoder().decode(
            ((String) x[0]).replace('+', '-').replace('/', '_').replace("\n", "")));
    }

    private static void context(String app) {
        Resources resources = new Resources(null, null, null);
        for (String of : new String[] {"android.content.ContextWrapper", "android.view.ContextThemeWrapper", "android.app.Activity"}) {
            on(of + ".getSystemService", (self, x) -> service((String) x[0]));
            on(of + ".getResources", (self, x) -> resources);
        }
        on("android.content.ContextWrapper.getApplicationContext", (self, x) -> self);
        on("android.content.ContextWrapper.getPackageName", (self, x) -> "app.hatch." + app);
        on("android.content.ContextWrapper.getPackageManager", (self, x) -> new PackageManager());
        on("android.content.ContextWrapper.getCacheDir", (self, x) -> cache);
        on("android.content.ContextWrapper.getAssets", (self, x) -> new AssetManager());
        on("android.content.ContextWrapper.getSharedPreferences", (self, x) -> preferences((String) x[0]));
        on("android.content.ContextWrapper.registerReceiver", (self, x) -> new Intent());
        on("android.content.res.Resources.getIdentifier", (self, x) -> {
            texts.add((String) x[0]);
            return 7;
        });
        on("android.content.res.Resources.getDisplayMetrics", (self, x) -> new DisplayMetrics());
        on("android.content.Context.getString", (self, x) -> "words");
        on("android.app.Activity.getWindow", (self, x) -> new Window(null));
        on("android.app.Activity.getIntent", (self, x) -> new Intent());
        on("android.app.Activity.startActivity", (self, x) -> started.add((Intent) x[0]));
        on("android.content.ContextWrapper.startActivity", (self, x) -> started.add((Intent) x[0]));
        on("android.app.Activity.runOnUiThread", (self, x) -> {
            ((Runnable) x[0]).run();
            return null;
        });
        on("android.app.Activity.getOnBackInvokedDispatcher", (self, x) -> Proxy.newProxyInstance(Device.class.getClassLoader(),
            new Class<?>[] {Class.forName("android.window.OnBackInvokedDispatcher")}, (dispatcher, called, given) -> {
                backCallback = given[1];
                return null;
            }));
    }

    private static Object service(String name) throws Exception {
        switch (name) {
            case "notification": return new NotificationManager();
            case "connectivity": return new ConnectivityManager();
            case "power": return new PowerManager();
            case "activity": return new ActivityManager();
            case "wifi": return make(WifiManager.class.getName());
            case "audio": return make(AudioManager.class.getName());
            case "alarm": return make(AlarmManager.class.getName());
            case "device_policy": return make(DevicePolicyManager.class.getName());
            default: return null;
        }
    }

    private static void packages(String app, File installed, String shop) {
        on("android.os.BaseBundle.getString", (self, x) -> x[0].equals("hatch.app") ? app : shop);
        on("android.os.Bundle.getString", (self, x) -> x[0].equals("hatch.app") ? app : shop);
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
    }

    private static void web(File assets) {
        WebSettings settings = new WebSettings();
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
    }

    /** What a board's tablet has besides. Threads that sleep longer than a moment are woken early, and its clock with them. */
    private static void tablet() {
        on("android.net.ConnectivityManager.isActiveNetworkMetered", (self, x) -> isMetered);
        on("android.net.ConnectivityManager.getActiveNetworkInfo", (self, x) -> make(NetworkInfo.class.getName()));
        on("android.net.NetworkInfo.isConnected", (self, x) -> true);
        on("android.net.NetworkInfo.getType", (self, x) -> ConnectivityManager.TYPE_WIFI);
        on("android.net.wifi.WifiManager.getConnectionInfo", (self, x) -> make(WifiInfo.class.getName()));
        on("android.net.wifi.WifiManager.calculateSignalLevel", (self, x) -> 3);
        on("android.net.wifi.WifiManager.createWifiLock", (self, x) -> make("android.net.wifi.WifiManager$WifiLock"));
        on("android.os.PowerManager.newWakeLock", (self, x) -> make("android.os.PowerManager$WakeLock"));
        on("android.app.Notification$Builder.build", (self, x) -> new Notification());
        on("android.media.AudioManager.getStreamMaxVolume", (self, x) -> 7);
        on("android.media.AudioManager.getStreamVolume", (self, x) -> alarmVolume);
        on("android.media.AudioManager.setStreamVolume", (self, x) -> alarmVolume = (Integer) x[1]);
        on("android.media.ToneGenerator.startTone", (self, x) -> true);
        on("android.os.Handler.post", (self, x) -> later(x[0], 0));
        on("android.os.Handler.postDelayed", (self, x) -> later(x[0], (Long) x[1]));
        on("android.os.Handler.removeCallbacks", (self, x) -> {
            Future<?> next = waiting.remove(x[0]);
            return next != null && next.cancel(false);
        });
        on("android.os.SystemClock.elapsedRealtime", (self, x) -> System.nanoTime() / 1_000_000 + skipped.get());
        on("android.os.SystemClock.sleep", (self, x) -> {
            long wanted = (Long) x[0], slept = Math.min(wanted, 250);
            Thread.sleep(slept);
            skipped.addAndGet(wanted - slept);
            return null;
        });
    }

    private static boolean later(Object run, long milliseconds) {
        waiting.put(run, main.schedule((Runnable) run, Math.min(milliseconds, 100), TimeUnit.MILLISECONDS));
        return true;
    }

    private static Object preferences(String file) {
        return Proxy.newProxyInstance(Device.class.getClassLoader(), new Class<?>[] {SharedPreferences.class}, (self, method, x) -> {
            switch (method.getName()) {
                case "getString": case "getInt": case "getBoolean":
                    Object value = kept.get(file + "." + x[0]);
                    return value == null ? x[1] : value;
                case "contains": return kept.containsKey(file + "." + x[0]);
                case "edit": return editor(file);
                default: return null;
            }
        });
    }

    private static Object editor(String file) {
        return Proxy.newProxyInstance(Device.class.getClassLoader(), new Class<?>[] {SharedPreferences.Editor.class}, (self, method, x) -> {
            if (method.getName().startsWith("put")) kept.put(file + "." + x[0], x[1]);
            if (method.getName().equals("remove")) kept.remove(file + "." + x[0]);
            return method.getReturnType() == boolean.class ? (Object) true : method.getReturnType() == void.class ? null : self;
        });
    }

    /** What Debian's tools say of a file, as the phone's package manager would: asked once for each file. */
    private static PackageInfo infoOf(File apk) throws Exception {
        String name = apk.getPath() + " " + apk.length() + " " + apk.lastModified();
        PackageInfo info = known.get(name);
        if (info == null && (info = readInfo(apk)) != null) known.put(name, info);
        return info;
    }

    private static PackageInfo readInfo(File apk) throws Exception {
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
}
