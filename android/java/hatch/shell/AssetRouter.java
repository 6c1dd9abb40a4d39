package hatch.shell;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What answers an address of the app's own origin: a file of the APK, or a picture of the shop. */
final class AssetRouter {
    static final String HOST = "appassets.androidplatform.net";
    static final String ORIGIN = "https://" + HOST;
    static final String INDEX = "www/index.html";

    private static final Map<String, String> TYPES = new HashMap<>();

    static {
        String[] types = {
            "html", "text/html", "js", "text/javascript", "css", "text/css", "json", "application/json",
            "svg", "image/svg+xml", "png", "image/png", "jpg", "image/jpeg", "webp", "image/webp", "avif", "image/avif",
            "woff2", "font/woff2", "txt", "text/plain",
        };
        for (int i = 0; i < types.length; i += 2) TYPES.put(types[i], types[i + 1]);
    }

    private AssetRouter() {}

    static String typeOf(String asset) {
        String type = TYPES.get(asset.substring(asset.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        return type == null ? "application/octet-stream" : type;
    }

    static boolean isText(String type) {
        return type.startsWith("text/") || type.equals("application/json") || type.equals("image/svg+xml");
    }

    /** The asset of an already decoded path; null: there is none. A path without a file's ending is the page's own. */
    static String assetOf(String path) {
        if (!isPlain(path)) return null;
        String last = path.substring(path.lastIndexOf('/') + 1);
        return last.indexOf('.') < 0 ? INDEX : "www" + path;
    }

    /** Whether it is one of the shop's pictures, which the shop itself has. */
    static boolean isPicture(String path) {
        return isPlain(path) && path.matches("/(pictures|uploads|app-icon)/[A-Za-z0-9/_.-]{1,200}\\.(svg|png|jpe?g|webp|avif)");
    }

    private static boolean isPlain(String path) {
        if (path == null || path.length() > 500 || !path.startsWith("/")) return false;
        for (int i = 0; i < path.length(); i++) if (path.charAt(i) < ' ' || path.charAt(i) == '\\') return false;
        for (String part : path.split("/", -1)) if (part.equals("..") || part.equals(".")) return false;
        return true;
    }
}
