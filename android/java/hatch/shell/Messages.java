package hatch.shell;

import org.json.JSONException;
import org.json.JSONObject;

/** What the page may say to the app: a type, and the fields of that type with their limits. Everything else is refused. */
final class Messages {
    static final int LONGEST = 400_000;

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private Messages() {}

    /** The message, with every field that its type has; throws Refused. `key` is the one the page was given. */
    static JSONObject read(String text, String key) throws Refused {
        if (text == null || text.length() > LONGEST) throw new Refused("too long");
        try {
            JSONObject message = new JSONObject(text);
            Object given = message.opt("key");
            if (!(given instanceof String) || !same((String) given, key)) throw new Refused("no key");
            check(message);
            return message;
        } catch (JSONException | StackOverflowError e) {
            throw new Refused("no message");
        }
    }

    private static void check(JSONObject m) throws Refused {
        switch (text(m, "type", 30)) {
            case "app": case "ready": case "state": case "ask_notifications": case "ask_battery":
                return;
            case "read":
                name(m);
                return;
            case "write":
                name(m);
                if (!m.isNull("value")) text(m, "value", 20_000);
                return;
            case "open":
                text(m, "url", 4000);
                return;
            case "share":
                text(m, "title", 200);
                text(m, "text", 1000);
                text(m, "url", 2000);
                return;
            case "notify":
                number(m, "id", 1, 1_000_000);
                text(m, "title", 200);
                text(m, "text", 500);
                path(m);
                return;
            case "screen":
                flag(m, "awake");
                return;
            case "alarm":
                number(m, "gain", 0, 1);
                number(m, "pause", 0, 60);
                return;
            case "print":
                if (!text(m, "job", 64).matches("[A-Za-z0-9-]{1,64}")) throw new Refused("job");
                if (!text(m, "host", 255).matches("[A-Za-z0-9.:-]{1,255}")) throw new Refused("host");
                number(m, "port", 1, 65_535);
                number(m, "reply", 0, 16_384);
                text(m, "content", 390_000);
                return;
            case "update":
                if (!text(m, "action", 20).matches("check|download|install")) throw new Refused("action");
                return;
            case "board_on":
                if (!text(m, "shop", 300).startsWith("http")) throw new Refused("shop");
                if (!text(m, "store", 64).matches("[A-Za-z0-9-]{1,64}")) throw new Refused("store");
                text(m, "realtime", 1000);
                return;
            case "lock":
                flag(m, "on");
                pin(m);
                return;
            case "sign_out":
                pin(m);
                return;
            default:
                throw new Refused("type");
        }
    }

    static String text(JSONObject m, String field, int most) throws Refused {
        Object value = m.opt(field);
        if (!(value instanceof String) || ((String) value).length() > most) throw new Refused(field);
        return (String) value;
    }

    static double number(JSONObject m, String field, double least, double most) throws Refused {
        Object value = m.opt(field);
        if (!(value instanceof Number)) throw new Refused(field);
        double number = ((Number) value).doubleValue();
        if (!(number >= least && number <= most)) throw new Refused(field);
        return number;
    }

    private static void flag(JSONObject m, String field) throws Refused {
        if (!(m.opt(field) instanceof Boolean)) throw new Refused(field);
    }

    private static void name(JSONObject m) throws Refused {
        if (!text(m, "name", 40).matches("[a-z_]{1,40}")) throw new Refused("name");
    }

    private static void pin(JSONObject m) throws Refused {
        if (!text(m, "pin", 12).matches("\\d{0,12}")) throw new Refused("pin");
    }

    /** A page of the app: nothing that leads to another origin. */
    private static void path(JSONObject m) throws Refused {
        if (!text(m, "path", 200).matches("/|(/[A-Za-z0-9_-]{1,64}){1,4}")) throw new Refused("path");
    }

    private static boolean same(String given, String key) {
        if (key == null || key.isEmpty() || given.length() != key.length()) return false;
        int difference = 0;
        for (int i = 0; i < key.length(); i++) difference |= given.charAt(i) ^ key.charAt(i);
        return difference == 0;
    }
}
