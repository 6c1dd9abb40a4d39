package hatch.shell;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.PowerManager;
import android.util.Base64;
import android.view.WindowManager;
import android.webkit.JavascriptInterface;
import android.webkit.WebView;
import java.security.SecureRandom;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * What the page may ask of the app (src/platform/web/native). Every frame of a WebView can reach it, so a message counts
 * only with the key that the app's own page was served with. Called on a thread of the WebView.
 */
final class Bridge {
    private static final String PLACE = "{{shell-key}}";

    private final ShellActivity activity;
    private final WebView web;
    private final About about;
    private final Vault vault;
    private final Updater updater;
    private final StartCount starts;
    private final Notices notices;
    private volatile String key = "";

    Bridge(ShellActivity activity, WebView web, About about, Vault vault, Updater updater, StartCount starts) {
        this.activity = activity;
        this.web = web;
        this.about = about;
        this.vault = vault;
        this.updater = updater;
        this.starts = starts;
        notices = new Notices(activity);
    }

    /** The page's HTML with a new key: that of a page before is not taken any more. */
    String withKey(String html) {
        byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        key = Base64.encodeToString(bytes, Base64.URL_SAFE | Base64.NO_PADDING | Base64.NO_WRAP);
        return html.replace(PLACE, key);
    }

    /** The answer as JSON; `{"refused": why}` for a message that is not understood. */
    @JavascriptInterface public String send(String text) {
        try {
            return answer(Messages.read(text, key)).toString();
        } catch (Messages.Refused e) {
            return refusal(e.getMessage());
        } catch (JSONException | RuntimeException e) {
            return refusal("failed");
        }
    }

    private static String refusal(String why) {
        return "{\"refused\":" + JSONObject.quote(why) + "}";
    }

    private JSONObject answer(JSONObject said) throws JSONException {
        JSONObject answer = new JSONObject();
        if (about.isKitchen) BoardService.pageSpoke();
        switch (said.getString("type")) {
            case "app": return app();
            case "state": return state();
            case "ready": starts.succeed(); return answer;
            case "read": return read(said.getString("name"));
            case "write": return answer.put("ok", mayWrite(said) && vault.write(said.getString("name"), textOf(said)));
            case "notify":
                notices.show(said.getInt("id"), said.getString("title"), said.getString("text"), said.getString("path"));
                return answer;
            case "alarm": return answer.put("ok", ring(said.getDouble("gain"), said.getDouble("pause")));
            case "print": print(said); return answer;
            case "board_on": return answer.put("ok", boardOn(said));
            case "sign_out": return answer.put("ok", signOut(said.getString("pin")));
            default:
                activity.runOnUiThread(() -> act(said));
                return answer;
        }
    }

    /** What needs the screen. */
    private void act(JSONObject said) {
        switch (said.optString("type")) {
            case "open": activity.open(said.optString("url")); break;
            case "share": share(said); break;
            case "ask_notifications": activity.askNotifications(); break;
            case "ask_battery": askBattery(); break;
            case "screen": keepAwake(said.optBoolean("awake")); break;
            case "update": update(said.optString("action")); break;
            case "lock": lock(said.optBoolean("on"), said.optString("pin")); break;
            default:
        }
    }

    /** The lock's own secret is nobody's else. */
    private static boolean mayRead(String name) {
        return !name.equals("pin");
    }

    /** Nobody signs a locked tablet out without its PIN. */
    private boolean mayWrite(JSONObject said) throws JSONException {
        String name = said.getString("name");
        boolean signsOut = name.equals("token") && said.isNull("value");
        boolean isHeld = signsOut && about.isKitchen && Lock.isGuarded(activity, vault);
        if (isHeld) BoardService.checkSignIn();
        return mayRead(name) && !isHeld;
    }

    /** `later` where there is something that cannot be read just now. */
    private JSONObject read(String name) throws JSONException {
        JSONObject answer = new JSONObject();
        try {
            String value = mayRead(name) ? vault.read(name) : null;
            return answer.put("value", value == null ? JSONObject.NULL : value);
        } catch (Vault.Busy e) {
            return answer.put("value", JSONObject.NULL).put("later", true);
        }
    }

    /** False for a wrong PIN. The lock ends with it: the page of the set-up could not. A tablet that the shop signed out stays locked. */
    private boolean signOut(String pin) {
        boolean wasRevoked = !vault.has("token");
        if (!about.isKitchen || !wasRevoked && !Lock.allows(activity, vault, pin)) return false;
        activity.stopService(new Intent(activity, BoardService.class));
        vault.write("token", null);
        if (!wasRevoked && Lock.isWanted(activity)) activity.runOnUiThread(() -> {
            Lock.leave(activity, vault);
            tell("state", null);
        });
        return true;
    }

    private static String textOf(JSONObject said) {
        return said.isNull("value") ? null : said.optString("value");
    }

    private JSONObject app() throws JSONException {
        return new JSONObject().put("platform", about.platform()).put("version", about.version).put("package", about.packageName)
            .put("shop", about.builtFor).put("is_debug", about.isDebug).put("updates_itself", about.updatesItself);
    }

    private JSONObject state() throws JSONException {
        PowerManager power = (PowerManager) activity.getSystemService(Context.POWER_SERVICE);
        boolean wasAsked = activity.getSharedPreferences("app", Context.MODE_PRIVATE).getBoolean("asked_notifications", false);
        return Phone.state(activity).put("notifications", notices.areShown() ? "granted" : wasAsked ? "denied" : "unasked")
            .put("ignores_battery", power.isIgnoringBatteryOptimizations(activity.getPackageName()))
            .put("is_owner", Lock.isOwner(activity)).put("is_locked", Lock.isOn(activity)).put("update", updater.state());
    }

    private boolean ring(double gain, double pause) {
        BoardService service = BoardService.running();
        if (service == null) return false;
        service.ring(gain, pause);
        return true;
    }

    private boolean boardOn(JSONObject said) throws JSONException {
        String shop = Links.shopOf(said.getString("shop"), about.isDebug);
        if (!about.isKitchen || shop == null) return false;
        vault.write("shop", shop);
        vault.write("store", said.getString("store"));
        vault.write("realtime", said.getString("realtime"));
        BoardService.start(activity);
        return true;
    }

    private void print(JSONObject said) {
        String job = said.optString("job");
        new Thread(() -> {
            PrintLine.Result result;
            try {
                byte[] content = Base64.decode(said.optString("content"), Base64.DEFAULT);
                result = PrintLine.send(said.optString("host"), said.optInt("port"), content, said.optInt("reply"), 10_000,
                    about.isDebug);
            } catch (IllegalArgumentException e) {
                result = new PrintLine.Result("failed", "The job cannot be read.", new byte[0]);
            }
            try {
                tell("printed", new JSONObject().put("job", job).put("status", result.status).put("detail", result.detail)
                    .put("said", Base64.encodeToString(result.said, Base64.NO_WRAP)));
            } catch (JSONException e) {
                throw new IllegalStateException(e);
            }
        }, "print").start();
    }

    private void share(JSONObject said) {
        String text = said.optString("text") + "\n" + said.optString("url");
        Intent send = new Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_SUBJECT, said.optString("title"))
            .putExtra(Intent.EXTRA_TEXT, text.trim());
        activity.startActivity(Intent.createChooser(send, said.optString("title")));
    }

    private void askBattery() {
        Uri self = Uri.parse("package:" + about.packageName);
        activity.startActivity(new Intent("android.settings.REQUEST_IGNORE_BATTERY_OPTIMIZATIONS", self));
    }

    private void keepAwake(boolean isAwake) {
        if (isAwake) activity.getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
        else activity.getWindow().clearFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    }

    /** The kitchen's app installs when the shop says that it is closed (BoardService), unless nothing runs yet. */
    private void update(String action) {
        if (action.equals("install")) {
            if (!about.isKitchen || !vault.has("token")) updater.install();
            else updater.askAgain();
        } else {
            updater.check(action.equals("download"));
        }
    }

    private void lock(boolean on, String pin) {
        if (!about.isKitchen) return;
        if (on) Lock.begin(activity, vault, pin);
        else if (!Lock.end(activity, vault, pin)) tell("wrong_pin", null);
        tell("state", null);
    }

    /** Tells the page; `data` may be null. */
    void tell(String type, JSONObject data) {
        String told = "window.hatchNative&&window.hatchNative(" + JSONObject.quote(type) + "," + (data == null ? "{}" : data) + ")";
        activity.runOnUiThread(() -> {
            if (activity.isPageLoaded()) web.evaluateJavascript(told, null);
        });
    }
}
