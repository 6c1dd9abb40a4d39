package phone;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the platform of a test does: a part for each method that matters; everything else answers nothing. All calls are kept. */
public final class Phone {
    public interface Part {
        Object call(Object self, Object[] args) throws Exception;
    }

    public static final Map<String, Part> parts = new ConcurrentHashMap<>();
    public static final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    public static Object ask(Object self, String method, String result, Object[] args) {
        calls.add(method + Arrays.deepToString(args));
        Part part = parts.get(method);
        try {
            if (part != null) return part.call(self, args);
        } catch (Exception e) {
            raise(e);
        }
        switch (result) {
            case "Z": return false;
            case "B": return (byte) 0;
            case "C": return '\0';
            case "S": return (short) 0;
            case "I": return 0;
            case "J": return 0L;
            case "F": return 0f;
            case "D": return 0d;
            default: return null;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
