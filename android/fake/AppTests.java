import android.content.Context;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageInstaller;
import android.os.Build;
import android.os.Bundle;
import android.view.View;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.json.JSONObject;
import phone.Phone;

/**
 * The customers' app: the APK's own code, translated from its classes.dex, on a platform made for the test. Arguments: the
 * APK's assets, the real server's origin, the installed APK, the update, an APK of another signer, and the shop's address.
 */
public final class AppTests {
    private static int passed;
    private static int failed;

    public static void main(String[] args) throws Exception {
        File installed = new File(args[2]), update = new File(args[3]), foreign = new File(args[4]);
        String shop = args[5];
        Relay relay = new Relay(args[1]);
        Device.start("customer", new File(args[0]), installed, shop, relay.origin());

        try {
            Object app = start();
            page(shop);
            bridgeOnly();
            vault();
            links(app, shop);
            back(app);
            refusals(relay, shop, installed, update, foreign);
            update(relay, update);
            crashes(update);
            older();
        } catch (Exception e) {
            // Its threads go on without it.
            e.printStackTrace();
            check("every part came to its end", false);
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String name, boolean isGood) {
        if (isGood) passed++;
        else failed++;
        if (!isGood) System.out.println("FAIL " + name);
    }

    private static Object start() throws Exception {
        Device.loaded.clear();
        Object app = Class.forName("hatch.shell.ShellActivity").getDeclaredConstructor().newInstance();
        Device.method(app, "onCreate", Bundle.class).invoke(app, (Object) null);
        return app;
    }

    private static void page(String shop) throws Exception {
        check("it opens on the menu: " + Device.loaded, Device.loaded.equals(List.of("https://appassets.androidplatform.net/menu")));
        for (String wanted : new String[] {"setAllowFileAccess[false]", "setAllowContentAccess[false]", "setJavaScriptEnabled[true]", "setDomStorageEnabled[true]",
            "setMixedContentMode[1]", "setSupportMultipleWindows[false]"}) {
            check(wanted, Phone.calls.contains("android.webkit.WebSettings." + wanted));
        }
        check("from Android 15 on, the page stays clear of the bars", Phone.wasCalled("android.view.View.setOnApplyWindowInsetsListener"));
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
        Device.body = null;
        return Device.client.shouldInterceptRequest(null, (WebResourceRequest) Proxy.newProxyInstance(Device.class.getClassLoader(),
            new Class<?>[] {WebResourceRequest.class}, (self, asked, x) -> {
                switch (asked.getName()) {
                    case "getUrl": return Device.uri(url);
                    case "getMethod": return "GET";
                    case "isForMainFrame": return isPage;
                    default: return null;
                }
            }));
    }

    private static String answer(String url, boolean isPage) throws Exception {
        intercept(url, isPage);
        return Device.body == null ? "" : new String(Device.body.readAllBytes(), "ISO-8859-1");
    }

    private static JSONObject send(String message) throws Exception {
        return new JSONObject((String) Device.method(Device.bridge, "send", String.class).invoke(Device.bridge, message));
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
        int before = Device.started.size();
        send(new JSONObject().put("type", "open").put("url", "javascript:alert(1)").put("key", key).toString());
        send(new JSONObject().put("type", "open").put("url", "intent://x#Intent;end").put("key", key).toString());
        send(new JSONObject().put("type", "open").put("url", "file:///data").put("key", key).toString());
        check("nothing strange is opened", Device.started.size() == before);
        send(new JSONObject().put("type", "open").put("url", "https://checkout.stripe.com/pay").put("key", key).toString());
        check("a payment is", Device.started.size() == before + 1);
        send(new JSONObject().put("type", "ready").put("key", key).toString());
        check("the start counts as good", Integer.valueOf(0).equals(Device.kept.get("app.starts")));
        fuzz(key);
    }

    private static void fuzz(String key) throws Exception {
        String[] types = {"app", "state", "read", "write", "open", "share", "notify", "screen", "alarm", "print", "board_on", "sign_out", "lock", "ask_battery", "x"};
        for (String fault : Fuzz.run(AppTests::send, key, types, "app.hatch.customer")) check(fault, false);
        check("10,000 messages to the APK's own bridge", true);
        check("nothing is loaded in the page's place", Device.loaded.size() == 1);
    }

    private static void links(Object app, String shop) throws Exception {
        check("own pages stay", !Device.client.shouldOverrideUrlLoading(null, "https://appassets.androidplatform.net/orders/1"));
        int before = Device.started.size();
        check("others leave", Device.client.shouldOverrideUrlLoading(null, "https://maps.example/") && Device.started.size() == before + 1);
        check("strange ones do not", Device.client.shouldOverrideUrlLoading(null, "intent://x#Intent;end") && Device.started.size() == before + 1);
        check("nothing at the payment's return", told(app, shop + "/admin/stores") == null && told(app, "app.hatch.customer://kitchen") == null);
        check("the payment's return", String.valueOf(told(app, "app.hatch.customer://orders/17/payment/callback")).contains("orders\\/17\\/payment\\/callback")
            || String.valueOf(told(app, "app.hatch.customer://orders/17/payment/callback")).contains("/orders/17/payment/callback"));
        Random random = new Random(9);
        int opened = 0, wrong = 0;
        String[] parts = {shop, "app.hatch.customer:", "//", "/", "..", "%2e%2e", "%2F", "orders", "admin", "kitchen", "store", "menu", "auth", "callback", "payment", "17", "?", "#", "@evil.example", ":8443",
            "\\", "https:", "intent:", "javascript:"};
        for (int i = 0; i < 10_000; i++) {
            StringBuilder link = new StringBuilder(i % 2 == 0 ? shop : "app.hatch.customer:/");
            for (int n = random.nextInt(7); n > 0; n--) link.append(i % 5 == 0 ? "" : "/").append(parts[random.nextInt(parts.length)]);
            String told = told(app, link.toString());
            if (told == null) continue;
            opened++;
            if (!told.matches("window\\.hatchNative&&window\\.hatchNative\\(\"navigate\",\\{\"path\":\"(\\\\?/(menu|allergens|orders|auth)?)[^\"]*\"}\\)")
                || told.matches(".*\"path\":\"(\\\\?/)+(admin|kitchen|store|evil).*")) {
                wrong++;
                System.out.println("opened: " + link + " as " + told);
            }
        }
        check("of 10,000 links to the APK's own activity none opens the staff's pages or leads away: " + wrong + " of " + opened, wrong == 0 && opened > 100);
        check("the sign-in's return", String.valueOf(told(app, "app.hatch.customer://auth/callback?app_code=abc")).contains("app_code=abc"));
    }

    private static String told(Object app, String link) throws Exception {
        int before = Device.scripts.size();
        Intent intent = new Intent();
        Device.dataOf.put(intent, Device.uri(link));
        Device.method(app, "onNewIntent", Intent.class).invoke(app, intent);
        return Device.scripts.size() == before ? null : Device.scripts.get(Device.scripts.size() - 1);
    }

    private static void back(Object app) throws Exception {
        Phone.calls.clear();
        check("from Android 13 on, Back comes from the dispatcher", Device.backCallback != null);
        Device.canGoBack = true;
        goBack();
        check("Back goes back", Phone.calls.contains("android.webkit.WebView.goBack[]"));
        Phone.calls.clear();
        Device.method(app, "onBackPressed").invoke(app);
        check("and not twice", !Phone.calls.contains("android.webkit.WebView.goBack[]"));
        Device.canGoBack = false;
        Device.pageUrl = "https://appassets.androidplatform.net/orders/17";
        Device.loaded.clear();
        goBack();
        check("behind a linked page is the menu", Device.loaded.equals(List.of("https://appassets.androidplatform.net/menu")));
        Device.pageUrl = "https://appassets.androidplatform.net/";
        goBack();
        check("behind the first is the phone", Phone.calls.stream().anyMatch(call -> call.startsWith("android.app.Activity.moveTaskToBack")));
    }

    private static void goBack() throws Exception {
        Device.backCallback.getClass().getMethod("onBackInvoked").invoke(Device.backCallback);
    }

    private static JSONObject updateState() throws Exception {
        return send(new JSONObject().put("type", "state").put("key", newKey()).toString()).getJSONObject("update");
    }

    /** Waits until nothing works at the update any more. */
    private static JSONObject settled() throws Exception {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("update") || each.getName().equals("install")) each.join(60_000);
        }
        return updateState();
    }

    private static JSONObject ask(String action) throws Exception {
        send(new JSONObject().put("type", "update").put("action", action).put("key", newKey()).toString());
        return settled();
    }

    private static File[] downloads() {
        File[] files = new File(Device.cache, "update").listFiles();
        return files == null ? new File[0] : files;
    }

    private static Relay.Spoiled offer(String shop, String version, byte[] file) {
        return call -> {
            String hash = Hash.of(file);
            String text = "{\"version\":\"" + version + "\",\"download_url\":\"" + shop + "/uploads/" + hash + ".apk\",\"sha256\":\"" + hash
                + "\",\"size\":" + file.length + ",\"notes\":\"\"}";
            call.sendResponseHeaders(200, text.length());
            call.getResponseBody().write(text.getBytes());
        };
    }

    private static Relay.Spoiled bytes(byte[] file, int length, int sent) {
        return call -> {
            call.sendResponseHeaders(200, length);
            call.getResponseBody().write(file, 0, sent);
            call.getResponseBody().flush();
        };
    }

    /** What one attempt came to, and how many files it has left. */
    private static void refused(String name, String wanted) throws Exception {
        JSONObject state = ask("download");
        String found = state.getString("phase") + " " + state.getString("problem") + ", " + downloads().length + " left";
        check(name + ": " + found, found.equals(wanted));
        check(name + " is not installed", !Device.isCommitted);
    }

    /** Every attempt is the app's own, from its question to the shop to the file on the disk. */
    private static void refusals(Relay relay, String shop, File installed, File update, File foreign) throws Exception {
        byte[] good = Files.readAllBytes(update.toPath()), own = Files.readAllBytes(installed.toPath()), stolen = Files.readAllBytes(foreign.toPath());
        byte[] corrupted = good.clone();
        corrupted[good.length / 2]++;
        check("asked for at the start", settled().getString("phase").equals("offered"));
        relay.file = bytes(corrupted, corrupted.length, corrupted.length);
        refused("corrupted", "failed refused: another hash, 0 left");
        relay.file = bytes(good, good.length / 2, good.length / 2);
        refused("truncated", "failed refused: another size, 0 left");
        relay.file = call -> {
            call.getResponseHeaders().set("Location", shop + "/uploads/other.apk");
            call.sendResponseHeaders(302, -1);
        };
        refused("redirected", "failed refused: status 302, 0 left");
        relay.file = bytes(own, own.length, own.length);
        relay.offer = offer(shop, "3.10.19", own);
        refused("downgraded", "failed refused: an older version, 0 left");
        relay.file = bytes(stolen, stolen.length, stolen.length);
        relay.offer = offer(shop, "3.10.19", stolen);
        refused("foreign-signed", "failed refused: another signer, 0 left");
        byte[] noise = new byte[50_000];
        new Random(5).nextBytes(noise);
        relay.file = bytes(noise, noise.length, noise.length);
        relay.offer = offer(shop, "3.10.19", noise);
        refused("no package", "failed refused: no package, 0 left");
        relay.offer = offer(shop, "3.10.17", good);
        refused("an older offer is none", "none , 0 left");
        relay.offer = offer("https://evil.example", "3.10.19", good);
        refused("an offer of another host is none", "none , 0 left");
        relay.offer = call -> call.sendResponseHeaders(503, -1);
        refused("a shop that does not answer", "failed network, 0 left");
        relay.offer = null;
        relay.file = bytes(good, good.length, good.length / 3);
        refused("interrupted", "failed network, 1 left");
        relay.file = null;
    }

    private static void update(Relay relay, File wanted) throws Exception {
        check("on a network that costs, a person is asked first", ask("check").getString("phase").equals("offered"));
        check("of the version", updateState().getString("version").equals("3.10.19"));
        long part = downloads()[0].length();
        check("downloaded", ask("download").getString("phase").equals("ready"));
        check("from where it was interrupted, " + part + ": " + relay.files, part > 0 && relay.files.equals(List.of("bytes=" + part + "- 206")));
        byte[] whole = Files.readAllBytes(wanted.toPath());
        check("one verified file", downloads().length == 1 && Arrays.equals(Files.readAllBytes(downloads()[0].toPath()), whole));
        ask("install");
        check("Android's permission is asked for first", !Device.isCommitted && Phone.wasCalled("android.content.Intent.<init>[android.settings.MANAGE_UNKNOWN_APP_SOURCES"));
        Device.on("android.content.pm.PackageManager.canRequestPackageInstalls", (self, x) -> true);
        ask("install");
        check("without a question, where Android allows that", Phone.wasCalled("android.content.pm.PackageInstaller$SessionParams.setRequireUserAction[2]"));
        check("given to Android's installer, byte for byte", Device.isCommitted && Arrays.equals(Device.written.toByteArray(), whole));
    }

    private static void vault() throws Exception {
        String key = newKey(), token = "17|abcdefghijklmnop";
        JSONObject write = new JSONObject().put("type", "write").put("name", "token").put("value", token).put("key", key);
        check("a token is kept", send(write.toString()).getBoolean("ok"));
        String sealed = (String) Device.kept.get("vault.token");
        check("encrypted", sealed != null && !sealed.contains(token) && !new String(java.util.Base64.getDecoder().decode(sealed), "ISO-8859-1").contains(token));
        check("by a key of the Keystore, for AES-256 in GCM", PhoneKeys.keys.size() == 1 && Phone.wasCalled("android.security.keystore.KeyGenParameterSpec$Builder.setKeySize[256")
            && Phone.wasCalled("android.security.keystore.KeyGenParameterSpec$Builder.setBlockModes[[GCM]]"));
        check("and read", token.equals(secret("token", key)));
        send(write.toString());
        check("never twice the same", !sealed.equals(Device.kept.get("vault.token")));
        Device.kept.put("vault.shop", Device.kept.get("vault.token"));
        check("what is kept under another name is not read", secret("shop", key) == null && !Device.kept.containsKey("vault.shop"));
        byte[] changed = java.util.Base64.getDecoder().decode((String) Device.kept.get("vault.token"));
        changed[changed.length - 1]++;
        Device.kept.put("vault.token", java.util.Base64.getEncoder().encodeToString(changed));
        check("a changed one is not read, and forgotten", secret("token", key) == null && !Device.kept.containsKey("vault.token"));
        send(write.toString());
        PhoneKeys.busy = 2;
        check("a Keystore that is busy is asked again", token.equals(secret("token", key)) && PhoneKeys.busy == 0);
        PhoneKeys.busy = 1000;
        JSONObject later = send(new JSONObject().put("type", "read").put("name", "token").put("key", key).toString());
        check("while it stays busy, nothing is read and nothing forgotten: " + later, later.isNull("value") && later.optBoolean("later") && Device.kept.containsKey("vault.token"));
        check("and nothing is written over it", !send(write.toString()).getBoolean("ok") && Device.kept.containsKey("vault.token"));
        PhoneKeys.busy = 0;
        check("later it can be read", token.equals(secret("token", key)));
        PhoneKeys.isInvalid = true;
        check("what only a lost key could read is forgotten", secret("token", key) == null && !Device.kept.containsKey("vault.token"));
        check("and a new key is made", send(write.toString()).getBoolean("ok") && token.equals(secret("token", key)));
        PhoneKeys.keys.clear();
        check("another phone cannot read it", secret("token", key) == null && !Device.kept.containsKey("vault.token"));
        check("the PIN is not the page's", send(new JSONObject().put("type", "read").put("name", "pin").put("key", key).toString()).isNull("value"));
    }

    private static String secret(String name, String key) throws Exception {
        JSONObject said = send(new JSONObject().put("type", "read").put("name", name).put("key", key).toString());
        return said.isNull("value") ? null : said.getString("value");
    }

    /** Starts after which the page never says that it runs; and a WebView that cannot show it. */
    private static void crashes(File wanted) throws Exception {
        List<View.OnClickListener> buttons = new ArrayList<>();
        Device.on("android.view.View.setOnClickListener", (self, x) -> buttons.add((View.OnClickListener) x[0]));
        start();
        installEnds();
        check("who says no to Android may install later", updateState().getString("phase").equals("ready"));
        Device.kept.put("app.starts", 0);
        for (int i = 0; i < 3; i++) {
            start();
            check("start " + (i + 1) + " shows the page", Device.loaded.size() == 1);
        }
        Device.texts.clear();
        start();
        check("after three failed starts, a page of Android's own", Device.loaded.isEmpty() && Device.texts.contains("failed_starts") && Device.texts.contains("failed_starts_update"));
        Device.isCommitted = false;
        buttons.get(0).onClick(null);
        for (Thread each : Thread.getAllStackTraces().keySet()) if (each.getName().equals("install")) each.join(60_000);
        check("which installs the update", Device.isCommitted && Arrays.equals(Device.written.toByteArray(), Files.readAllBytes(wanted.toPath())));
        buttons.get(1).onClick(null);
        check("or tries the page again", Device.loaded.size() == 1);
        buttons.clear();
        Device.userAgent = "Chrome/110.0.0.0";
        Device.texts.clear();
        Device.started.clear();
        start();
        check("an old WebView gets one too", Device.loaded.isEmpty() && Device.texts.contains("old_browser_update"));
        buttons.get(0).onClick(null);
        check("which leads to its update", "market://details?id=com.google.android.webview".equals(Device.linkOf(Device.started.get(0))));
        browsers(buttons, wanted);
        Device.userAgent = "Chrome/111.0.0.0";
        start();
        check("the oldest that can show the page does", Device.loaded.size() == 1);
    }

    /** Somebody says no to Android's question. */
    private static void installEnds() throws Exception {
        Device.numbers.put("android.content.pm.extra.STATUS", PackageInstaller.STATUS_FAILURE_ABORTED);
        Object receiver = Class.forName("hatch.shell.InstallReceiver").getDeclaredConstructor().newInstance();
        Object context = Class.forName("hatch.shell.ShellActivity").getDeclaredConstructor().newInstance();
        Device.method(receiver, "onReceive", Context.class, Intent.class).invoke(receiver, context, new Intent());
    }

    /** What the page of an old WebView leads to, by what shows the phone's pages; and that it can still update the app. */
    private static void browsers(List<View.OnClickListener> buttons, File wanted) throws Exception {
        PackageInfo chrome = new PackageInfo();
        chrome.packageName = "com.android.chrome";
        Device.on("android.webkit.WebView.getCurrentWebViewPackage", (self, x) -> chrome);
        check("where Chrome shows the pages, to Chrome's: " + leadsTo(buttons), leadsTo(buttons).equals("market://details?id=com.android.chrome"));
        Phone.Part start = Phone.parts.get("android.app.Activity.startActivity");
        Device.on("android.app.Activity.startActivity", (self, x) -> {
            if (String.valueOf(Device.linkOf((Intent) x[0])).startsWith("market:")) throw new android.content.ActivityNotFoundException();
            return start.call(self, x);
        });
        check("without a store, on the web", leadsTo(buttons).equals("https://play.google.com/store/apps/details?id=com.android.chrome"));
        Device.on("android.app.Activity.startActivity", start);
        Device.set(Build.VERSION.class, "SDK_INT", 24);
        ApplicationInfo app = (ApplicationInfo) Phone.parts.get("android.content.pm.PackageManager.getApplicationInfo").call(null, null);
        app.enabled = true;
        Device.on("android.content.pm.PackageManager.getApplicationInfo", (self, x) -> app);
        check("on Android 7, to Chrome's", leadsTo(buttons).equals("market://details?id=com.android.chrome"));
        Device.set(Build.VERSION.class, "SDK_INT", 36);
        chrome.packageName = "com.android.webview";
        Device.texts.clear();
        buttons.clear();
        start();
        check("no button where the system's own is used", !Device.texts.contains("old_browser_update") && Device.texts.contains("old_browser_shop"));
        installEnds();
        Device.isCommitted = false;
        buttons.get(buttons.size() - 1).onClick(null);
        for (Thread each : Thread.getAllStackTraces().keySet()) if (each.getName().equals("install")) each.join(60_000);
        check("the app's own update is installed from there", Device.isCommitted && Arrays.equals(Device.written.toByteArray(), Files.readAllBytes(wanted.toPath())));
    }

    private static String leadsTo(List<View.OnClickListener> buttons) throws Exception {
        buttons.clear();
        Device.started.clear();
        start();
        buttons.get(0).onClick(null);
        return String.valueOf(Device.linkOf(Device.started.get(Device.started.size() - 1)));
    }

    /** Android 7, the oldest that the app runs on. */
    private static void older() throws Exception {
        Device.set(Build.VERSION.class, "SDK_INT", 24);
        Device.backCallback = null;
        Object app = start();
        check("the page is shown", Device.loaded.size() == 1);
        check("nobody asks the dispatcher for Back", Device.backCallback == null);
        Device.canGoBack = true;
        Phone.calls.clear();
        Device.method(app, "onBackPressed").invoke(app);
        check("Back is the activity's own", Phone.calls.contains("android.webkit.WebView.goBack[]"));
        String key = newKey();
        check("the state is known", send(new JSONObject().put("type", "state").put("key", key).toString()).getInt("battery") == 55);
        check("notifications need no permission", !send(new JSONObject().put("type", "ask_notifications").put("key", key).toString()).has("refused")
            && !Phone.wasCalled("android.app.Activity.requestPermissions"));
    }
}
