import android.app.Service;
import android.content.Context;
import android.content.Intent;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import org.json.JSONArray;
import org.json.JSONObject;
import phone.Phone;

/**
 * The kitchen's app: the APK's own code as a board without a page, signed in at the real server. The argument is a file:
 * {assets, server, installed, update, shop, store, device, device_token, owner_token, realtime, order}.
 */
public final class BoardTests {
    private static final String KEY = "key of the page";
    /** Without an upgrade to HTTP/2, which the server answers as one to a socket. */
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static int passed;
    private static int failed;
    private static JSONObject given;
    private static volatile Service service;
    private static volatile String action = "";
    /** The app's screen, which Android would hold. */
    private static volatile Object shown;
    private static volatile boolean isOwner;
    private static volatile boolean isLocked;
    private static volatile boolean mayInstall;

    public static void main(String[] args) throws Exception {
        given = new JSONObject(new String(Files.readAllBytes(new File(args[0]).toPath())));
        try {
            Device.start("kitchen", new File(given.getString("assets")), new File(given.getString("installed")), "", given.getString("server"));
            Device.isMetered = false;
            Device.on("android.content.pm.PackageManager.canRequestPackageInstalls", (self, x) -> mayInstall);
            services();
            signIn();
            beats();
            rings();
            prints();
            locks();
            updates();
            boots();
            locksAgain();
            signsOut();
            revoked();
            fuzz();
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

    private static void soon(String name, Callable<Boolean> isSo) throws Exception {
        boolean found = false;
        for (int i = 0; i < 300 && !(found = isSo.call()); i++) Thread.sleep(100);
        check(name, found);
    }

    /** Android starts the one service, and ends it. */
    private static void services() {
        Phone.Part start = (self, x) -> {
            if (service == null) {
                service = (Service) Class.forName("hatch.shell.BoardService").getDeclaredConstructor().newInstance();
                Device.method(service, "onCreate").invoke(service);
            }
            return service.onStartCommand((Intent) x[0], 0, 1);
        };
        Device.on("android.content.Context.startForegroundService", (self, x) -> {
            start.call(self, x);
            return null;
        });
        Phone.Part stop = (self, x) -> {
            Service ended = service;
            service = null;
            if (ended != null) ended.onDestroy();
            return null;
        };
        Device.on("android.app.Service.stopSelf", stop);
        Device.on("android.content.ContextWrapper.stopService", (self, x) -> {
            stop.call(self, x);
            return true;
        });
        Device.on("android.os.PowerManager$WakeLock.isHeld", (self, x) -> true);
        Device.on("android.net.wifi.WifiManager$WifiLock.isHeld", (self, x) -> true);
        Device.on("android.content.Intent.getAction", (self, x) -> action);
        Device.on("android.app.admin.DevicePolicyManager.isDeviceOwnerApp", (self, x) -> isOwner);
        Device.on("android.app.ActivityManager.getLockTaskModeState", (self, x) -> isLocked ? 1 : 0);
        Device.on("android.app.Activity.startLockTask", (self, x) -> isLocked = true);
        Device.on("android.app.Activity.stopLockTask", (self, x) -> isLocked = false);
    }

    private static JSONObject send(JSONObject message) throws Exception {
        Method send = Device.method(Device.bridge, "send", String.class);
        keyOf(Device.bridge).set(Device.bridge, KEY);
        return new JSONObject((String) send.invoke(Device.bridge, message.put("key", KEY).toString()));
    }

    private static java.lang.reflect.Field keyOf(Object bridge) throws Exception {
        java.lang.reflect.Field key = bridge.getClass().getDeclaredField("key");
        key.setAccessible(true);
        return key;
    }

    private static void signIn() throws Exception {
        open();
        check("it opens on the board", Device.loaded.equals(java.util.List.of("https://appassets.androidplatform.net/kitchen")));
        for (String[] each : new String[][] {{"shop", "shop"}, {"store", "store"}, {"token", "device_token"}}) {
            send(new JSONObject().put("type", "write").put("name", each[0]).put("value", given.getString(each[1])));
        }
        JSONObject board = new JSONObject().put("type", "board_on").put("shop", "http://shop.example.com").put("store", given.getString("store"))
            .put("realtime", given.getJSONObject("realtime").toString());
        check("no board for a shop without https", !send(board).getBoolean("ok") && service == null);
        check("the board is on", send(board.put("shop", given.getString("shop"))).getBoolean("ok") && service != null);
        check("a service in the foreground, of a connected device", Phone.wasCalled("android.app.Service.startForeground[1, ") && isTyped());
        check("the processor stays awake", Phone.wasCalled("android.os.PowerManager$WakeLock.acquire"));
        check("and the Wi-Fi", Phone.wasCalled("android.net.wifi.WifiManager$WifiLock.acquire"));
    }

    /** The app's screen, as Android brings it to the front. */
    private static void open() throws Exception {
        Object app = shown = context();
        Device.method(app, "onCreate", android.os.Bundle.class).invoke(app, (Object) null);
        Device.method(app, "onResume").invoke(app);
        // Else, as after several starts that failed, there is no page.
        send(new JSONObject().put("type", "ready"));
    }

    private static boolean isTyped() {
        synchronized (Phone.calls) {
            return Phone.calls.stream().anyMatch(call -> call.startsWith("android.app.Service.startForeground[1, ") && call.endsWith(", 16]"));
        }
    }

    private static void beats() throws Exception {
        soon("the shop hears of battery, charger, Wi-Fi and version", () -> {
            JSONObject device = device();
            return device.optInt("battery") == 55 && !device.getBoolean("is_charging") && device.optInt("wifi") == 3 && device.optString("version").equals("3.10.18");
        });
        Device.numbers.put("level", 12);
        soon("and again", () -> device().optInt("battery") == 12);
    }

    private static JSONObject device() throws Exception {
        JSONArray devices = call("GET", "/v1/devices", null, given.getString("owner_token")).getJSONArray("data");
        for (int i = 0; i < devices.length(); i++) {
            if (devices.getJSONObject(i).getString("id").equals(given.getString("device"))) return devices.getJSONObject(i);
        }
        throw new IllegalStateException("The shop does not know the tablet.");
    }

    private static void rings() throws Exception {
        check("it is silent while nothing waits", !Phone.wasCalled("android.media.ToneGenerator.startTone"));
        JSONObject order = call("POST", "/v1/orders", given.getJSONObject("order"), null).getJSONObject("data");
        soon("a real order rings, without a page", () -> Phone.wasCalled("android.media.ToneGenerator.startTone"));
        check("as an alarm", Phone.wasCalled("android.media.ToneGenerator.<init>[4, "));
        soon("and is shown", () -> Phone.wasCalled("android.app.NotificationManager.notify[2, "));
        soon("louder, until somebody hears it", () -> Device.alarmVolume == 7);
        call("POST", "/v1/orders/" + order.getString("id") + "/accept", new JSONObject(), given.getString("owner_token"));
        soon("an answered order ends it", () -> Phone.wasCalled("android.media.ToneGenerator.release"));
        soon("at the volume of before", () -> Device.alarmVolume == 3);
    }

    private static void prints() throws Exception {
        send(new JSONObject().put("type", "print").put("job", "a-1").put("host", "127.0.0.1").put("port", 9100).put("reply", 0).put("content", "AAAA"));
        soon("a printer that is not of this network is refused", () -> Device.scripts.stream().anyMatch(
            script -> script.contains("\"printed\"") && script.contains("\"a-1\"") && script.contains("\"failed\"") && script.contains("not of this network")));
    }

    private static void locks() throws Exception {
        isOwner = true;
        JSONObject lock = new JSONObject().put("type", "lock").put("on", true).put("pin", "2468");
        send(lock);
        check("the device owner locks the tablet to the app", Phone.wasCalled("android.app.admin.DevicePolicyManager.setLockTaskPackages")
            && Phone.wasCalled("android.app.Activity.startLockTask"));
        check("the PIN is kept encrypted", !String.valueOf(Device.kept.get("vault.pin")).contains("2468") && Device.kept.containsKey("vault.pin"));
        check("only once: another PIN does not take its place", !send(lock.put("pin", "9999")).has("refused") && isLocked);
        PhoneKeys.busy = 1000;
        send(lock.put("on", false).put("pin", "2468"));
        check("while the Keystore is busy, nothing unlocks it", isLocked && Device.kept.containsKey("vault.pin"));
        PhoneKeys.busy = 0;
        send(lock.put("pin", "1357"));
        check("another PIN does not leave", isLocked);
        check("and is said to be one", Device.scripts.stream().anyMatch(script -> script.contains("\"wrong_pin\"")));
        send(lock.put("pin", "2468"));
        check("the PIN does", !isLocked);
        isOwner = false;
    }

    /** Android forgets a lock when the tablet starts, and when the app is replaced. */
    private static void locksAgain() throws Exception {
        isOwner = true;
        JSONObject lock = new JSONObject().put("type", "lock").put("on", true).put("pin", "2468");
        send(lock);
        isLocked = false;
        open();
        check("after a restart or an update, the tablet is locked again", isLocked);
        isLocked = false;
        Object app = shown = context();
        Device.method(app, "onCreate", android.os.Bundle.class).invoke(app, (Object) null);
        Device.method(app, "onWindowFocusChanged", boolean.class).invoke(app, true);
        send(new JSONObject().put("type", "ready"));
        check("also where Android shows the screen late", isLocked);
        send(lock.put("on", false));
        check("until somebody unlocks it", !isLocked);
        open();
        check("for good", !isLocked);
        isOwner = false;
        send(lock.put("on", true).put("pin", ""));
        isLocked = false;
        open();
        check("a screen that is only pinned is not: Android would ask each time", !isLocked);
    }

    private static void signsOut() throws Exception {
        isOwner = true;
        send(new JSONObject().put("type", "lock").put("on", true).put("pin", "2468"));
        board();
        JSONObject out = new JSONObject().put("type", "sign_out").put("pin", "");
        check("a locked tablet is not signed out", !send(out).getBoolean("ok") && service != null);
        check("nor by a wrong PIN", !send(out.put("pin", "1357")).getBoolean("ok") && service != null && Device.kept.containsKey("vault.token"));
        JSONObject forget = new JSONObject().put("type", "write").put("name", "token").put("value", JSONObject.NULL);
        check("nor by the page", !send(forget).getBoolean("ok") && Device.kept.containsKey("vault.token"));
        for (int i = 0; i < 5; i++) send(out);
        check("nor, after many wrong ones, by the right one at once", !send(out.put("pin", "2468")).getBoolean("ok"));
        android.os.SystemClock.sleep(31_000);
        check("the PIN signs it out and unlocks it", send(out).getBoolean("ok") && service == null && !isLocked && !Device.kept.containsKey("vault.token"));
        isOwner = false;
        signBackIn();
    }

    private static void signBackIn() throws Exception {
        send(new JSONObject().put("type", "write").put("name", "token").put("value", given.getString("device_token")));
        board();
    }

    private static void board() throws Exception {
        send(new JSONObject().put("type", "board_on").put("shop", given.getString("shop")).put("store", given.getString("store"))
            .put("realtime", given.getJSONObject("realtime").toString()));
        check("the board is on again", service != null);
    }

    /** Downloaded at once on Wi-Fi, and installed when the shop has closed. */
    private static void updates() throws Exception {
        soon("the update is downloaded and verified", () -> updateState().getString("phase").equals("ready"));
        send(new JSONObject().put("type", "update").put("action", "install"));
        Thread.sleep(1500);
        check("it waits while the shop is open, whatever the page asks", !Device.isCommitted && updateState().getString("phase").equals("ready"));
        String store = "/v1/stores/" + given.getString("store"), owner = given.getString("owner_token");
        long before = opened("android.settings.MANAGE_UNKNOWN_APP_SOURCES");
        call("PATCH", store, new JSONObject().put("operational_hours", new JSONArray()), owner);
        soon("without the permission, somebody is told once the shop is closed", () -> count("android.app.NotificationManager.notify[4, ") > 0);
        beat(5);
        check("once for the version, not each minute", count("android.app.NotificationManager.notify[4, ") == 1);
        check("and no page of Android's opens by itself", opened("android.settings.MANAGE_UNKNOWN_APP_SOURCES") == before);
        check("the page knows", updateState().getBoolean("needs_permission") && !Device.isCommitted);
        send(new JSONObject().put("type", "update").put("action", "install"));
        check("who taps there is led to Android's page", opened("android.settings.MANAGE_UNKNOWN_APP_SOURCES") == before + 1);
        mayInstall = true;
        soon("with the permission it is installed", () -> Device.isCommitted);
        check("byte for byte", java.util.Arrays.equals(Device.written.toByteArray(), Files.readAllBytes(new File(given.getString("update")).toPath())));
        check("without a question", Phone.wasCalled("android.content.pm.PackageInstaller$SessionParams.setRequireUserAction[2]"));
        declined();
        Device.isCommitted = false;
        mayInstall = false;
        isOwner = true;
        check("a device owner needs no permission", !updateState().getBoolean("needs_permission"));
        installEnds();
        send(new JSONObject().put("type", "update").put("action", "install"));
        soon("and its update is installed without anybody", () -> Device.isCommitted);
        check("nobody was asked", opened("android.settings.MANAGE_UNKNOWN_APP_SOURCES") == before + 1);
        isOwner = false;
    }

    /** Somebody said no to Android's question. */
    private static void declined() throws Exception {
        Device.isCommitted = false;
        installEnds();
        beat(5);
        check("who said no is not asked again each minute", !Device.isCommitted && updateState().getString("problem").equals("declined"));
        send(new JSONObject().put("type", "update").put("action", "install"));
        soon("but when they want it", () -> Device.isCommitted);
    }

    private static void installEnds() throws Exception {
        Device.numbers.put("android.content.pm.extra.STATUS", android.content.pm.PackageInstaller.STATUS_FAILURE_ABORTED);
        Object receiver = Class.forName("hatch.shell.InstallReceiver").getDeclaredConstructor().newInstance();
        Device.method(receiver, "onReceive", Context.class, Intent.class).invoke(receiver, context(), new Intent());
    }

    /** Waits for some more of the service's calls to the shop. */
    private static void beat(int wanted) throws Exception {
        long until = count("android.os.SystemClock.sleep[60000]") + wanted;
        soon("the service goes on", () -> count("android.os.SystemClock.sleep[60000]") >= until);
    }

    private static long count(String start) {
        synchronized (Phone.calls) {
            return Phone.calls.stream().filter(call -> call.startsWith(start)).count();
        }
    }

    private static long opened(String action) {
        return count("android.content.Intent.<init>[" + action);
    }

    private static void fuzz() throws Exception {
        isOwner = true;
        send(new JSONObject().put("type", "lock").put("on", true).put("pin", "2468"));
        String[] types = {"app", "state", "read", "write", "open", "share", "notify", "screen", "alarm", "print", "board_on", "sign_out", "lock", "ask_battery", "x"};
        Fuzz.Bridge bridge = text -> {
            keyOf(Device.bridge).set(Device.bridge, KEY);
            return new JSONObject((String) Device.method(Device.bridge, "send", String.class).invoke(Device.bridge, text));
        };
        for (String fault : Fuzz.run(bridge, KEY, types, "app.hatch.kitchen")) check(fault, false);
        check("10,000 messages to the APK's own bridge", true);
        check("nothing is loaded in the board's place", Device.loaded.stream().allMatch("https://appassets.androidplatform.net/kitchen"::equals));
        android.os.SystemClock.sleep(31_000);
        send(new JSONObject().put("type", "lock").put("on", false).put("pin", "2468"));
        check("and the lock is as it was", !isLocked);
    }

    private static JSONObject updateState() throws Exception {
        return send(new JSONObject().put("type", "state")).getJSONObject("update");
    }

    /** After the tablet has started, or the app was replaced by a newer one. */
    private static void boots() throws Exception {
        Service ended = service;
        service = null;
        ended.onDestroy();
        check("Android ends it", Phone.wasCalled("android.os.PowerManager$WakeLock.release"));
        action = "android.intent.action.SOMETHING";
        boot();
        check("others start nothing", service == null);
        action = Intent.ACTION_BOOT_COMPLETED;
        int before = Device.started.size();
        boot();
        check("the service runs after a restart", service != null);
        check("Android opens no screen, but shows a notification", Device.started.size() == before && Phone.wasCalled("android.app.NotificationManager.notify[3, "));
        isOwner = true;
        boot();
        check("the device owner opens the board", Device.started.size() == before + 1);
        isOwner = false;
    }

    private static void boot() throws Exception {
        Object receiver = Class.forName("hatch.shell.BootReceiver").getDeclaredConstructor().newInstance();
        Device.method(receiver, "onReceive", Context.class, Intent.class).invoke(receiver, context(), new Intent());
    }

    private static Object context() throws Exception {
        return Class.forName("hatch.shell.ShellActivity").getDeclaredConstructor().newInstance();
    }

    private static void revoked() throws Exception {
        check("it knows the shop", Device.kept.containsKey("vault.token"));
        call("DELETE", "/v1/devices/" + given.getString("device"), null, given.getString("owner_token"));
        soon("a tablet that the office signs out ends", () -> service == null);
        check("forgets its token", !Device.kept.containsKey("vault.token"));
        soon("and tells its page", () -> Device.scripts.stream().anyMatch(script -> script.contains("\"revoked\"")));
        action = Intent.ACTION_BOOT_COMPLETED;
        boot();
        check("and does not start again", service == null);
        isOwner = true;
        Device.kept.put("app.locked", true);
        int before = Device.started.size();
        boot();
        check("a tablet that was locked shows its set-up after a restart", service == null && Device.started.size() == before + 1);
        Device.kept.put("app.locked", false);
        isOwner = false;
    }

    private static JSONObject call(String method, String path, JSONObject body, String token) throws Exception {
        HttpRequest.Builder call = HttpRequest.newBuilder(URI.create(given.getString("server") + path));
        if (token != null) call.header("Authorization", "Bearer " + token);
        if (body != null) call.header("Content-Type", "application/json");
        call.method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body.toString()));
        HttpResponse<String> said = HTTP.send(call.build(), HttpResponse.BodyHandlers.ofString());
        if (said.statusCode() >= 400) throw new IllegalStateException(method + " " + path + " answered " + said.statusCode() + ": " + said.body());
        return said.body().isEmpty() ? new JSONObject() : new JSONObject(said.body());
    }
}
