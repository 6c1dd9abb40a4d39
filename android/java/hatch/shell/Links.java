package hatch.shell;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Where a link leads: what stays in the app, what leaves it, and which of its own pages a link from outside may open. */
final class Links {
    enum Target {
        /** A page of the app. */
        APP,
        /** A page of the web, which a Custom Tab shows. */
        TAB,
        /** A telephone number, an address or a place, for the app that knows it. */
        OTHER,
        /** Anything else is not opened. */
        REFUSED,
    }

    /** What a link from outside may open: never a page of the staff. */
    private static final String OPEN_PATHS = "/|/menu|/allergens|/auth/callback|/orders/[A-Za-z0-9_-]{1,64}(/payment/callback)?";

    private static final String QUERY = "[A-Za-z0-9._~%!$&'()*+,;=:@/?-]{0,2000}";

    private Links() {}

    static Target targetOf(String url) {
        URI uri = parse(url);
        if (uri == null || uri.getScheme() == null) return Target.REFUSED;
        switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
            case "https":
                if (uri.getHost() == null || uri.getRawUserInfo() != null) return Target.REFUSED;
                return isOwn(uri) ? Target.APP : Target.TAB;
            case "tel": case "mailto": case "geo": case "sms":
                return Target.OTHER;
            default:
                return Target.REFUSED;
        }
    }

    /** Http to this machine, which debug builds may open: a shop that is being worked on. */
    static boolean isLoopback(String url) {
        URI uri = parse(url);
        return uri != null && "http".equals(uri.getScheme()) && uri.getRawUserInfo() == null
            && ("127.0.0.1".equals(uri.getHost()) || "localhost".equals(uri.getHost()));
    }

    /**
     * The path in the app for a link from outside; null where it may not be opened. `shop` is the shop's https address,
     * `scheme` the app's package.
     */
    static String pathOf(String link, String shop, String scheme) {
        URI uri = parse(link), own = parse(shop);
        if (uri == null || uri.getScheme() == null || uri.getRawUserInfo() != null) return null;
        String path;
        if (own != null && own.getHost() != null && sameOrigin(uri, own)) {
            path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        } else if (uri.getScheme().equalsIgnoreCase(scheme) && uri.getHost() != null && uri.getPort() == -1) {
            path = "/" + uri.getHost() + (uri.getRawPath() == null ? "" : uri.getRawPath());
        } else {
            return null;
        }
        if (!path.matches(OPEN_PATHS)) return null;
        String query = uri.getRawQuery(), fragment = uri.getRawFragment();
        if (query != null && !query.matches(QUERY)) return null;
        if (fragment != null && !fragment.matches(QUERY)) return null;
        // The token of a mail's link stands behind its `#`.
        boolean keepsFragment = fragment != null && path.startsWith("/orders/");
        return path + (query == null ? "" : "?" + query) + (keepsFragment ? "#" + fragment : "");
    }

    /** The origin of a shop's address as somebody scanned or typed it; null where it is none that may be used. */
    static String shopOf(String address, boolean allowsLoopback) {
        URI uri = parse(address == null ? null : address.trim());
        if (uri == null || uri.getHost() == null || uri.getRawUserInfo() != null) return null;
        boolean isSecure = "https".equalsIgnoreCase(uri.getScheme());
        if (!isSecure && !(allowsLoopback && isLoopback(address.trim()))) return null;
        if (isOwn(uri)) return null;
        String port = uri.getPort() == -1 || isSecure && uri.getPort() == 443 ? "" : ":" + uri.getPort();
        return uri.getScheme().toLowerCase(Locale.ROOT) + "://" + uri.getHost().toLowerCase(Locale.ROOT) + port;
    }

    static boolean sameOrigin(String url, String other) {
        URI left = parse(url), right = parse(other);
        return left != null && right != null && left.getHost() != null && left.getRawUserInfo() == null && sameOrigin(left, right);
    }

    private static boolean sameOrigin(URI left, URI right) {
        return left.getScheme() != null && left.getScheme().equalsIgnoreCase(right.getScheme())
            && left.getHost() != null && left.getHost().equalsIgnoreCase(right.getHost()) && portOf(left) == portOf(right);
    }

    private static int portOf(URI uri) {
        return uri.getPort() != -1 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }

    private static boolean isOwn(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme()) && AssetRouter.HOST.equalsIgnoreCase(uri.getHost()) && portOf(uri) == 443;
    }

    private static URI parse(String text) {
        if (text == null || text.length() > 4000) return null;
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
