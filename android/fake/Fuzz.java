import android.content.Intent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.json.JSONObject;

/** Messages of every type to an app's own bridge, with fields that are of the wrong kind, missing, hostile or right. */
final class Fuzz {
    interface Bridge {
        JSONObject send(String message) throws Exception;
    }

    private static final String[] STRANGE = {"https://evil.example/", "https://appassets.androidplatform.net/admin", "https://appassets.androidplatform.net@evil.example/",
        "javascript:alert(1)", "intent://x#Intent;end", "file:///data", "content://x/y", "http://shop.example.com/", "//evil.example", "/admin/stores", "/orders/../admin",
        "tel:1", "\0", "\\", "", "../../x", "k", "download", "install", "1e9", "10.0.0.1", "a-1", "1111", "99999999999999", "token", "pin", "shop"};
    private static final String[] FIELDS = {"name", "value", "url", "title", "text", "path", "id", "gain", "pause", "host", "port", "reply", "content", "job", "shop", "store",
        "realtime", "on", "pin", "awake", "action"};

    private Fuzz() {}

    /** The faults that were found: none, if all is well. */
    static List<String> run(Bridge bridge, String key, String[] types, String app) throws Exception {
        Random random = new Random(7);
        List<String> faults = new ArrayList<>();
        int refused = 0;
        Device.started.clear();
        for (int i = 0; i < 10_000; i++) {
            JSONObject message = new JSONObject().put("type", types[random.nextInt(types.length)]).put("key", random.nextInt(5) == 0 ? "k" : key);
            for (String field : FIELDS) {
                int kind = random.nextInt(6);
                if (kind > 0) message.put(field, kind == 1 ? (Object) random.nextInt(70_000) : kind == 2 ? random.nextBoolean() : STRANGE[random.nextInt(STRANGE.length)]);
            }
            try {
                JSONObject said = bridge.send(random.nextInt(10) == 0 ? message.toString().substring(1) : message.toString());
                if (said.has("refused")) refused++;
                if (said.optString("refused").equals("failed")) faults.add("not checked before it was tried: " + message);
                if ("pin".equals(message.opt("name")) && !said.isNull("value")) faults.add("the PIN was read");
            } catch (Exception | StackOverflowError e) {
                faults.add("crash: " + message + " " + e);
            }
        }
        if (refused < 2000 || refused >= 10_000) faults.add(refused + " of 10,000 messages were refused");
        for (Intent each : Device.started) {
            String link = Device.linkOf(each);
            boolean isGood = link == null || link.matches("https://(?!appassets\\.androidplatform\\.net/).*|tel:1") || link.equals("package:" + app);
            if (!isGood) faults.add("opened " + link);
        }
        return faults;
    }
}
