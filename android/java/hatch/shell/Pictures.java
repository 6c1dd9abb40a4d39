package hatch.shell;

import android.net.http.HttpResponseCache;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;

/** The shop's pictures under the app's own origin, kept on the phone so that the menu has them without a connection. */
final class Pictures {
    private static final int LARGEST = 4 << 20;
    private static final long CACHE = 80L << 20;

    private Pictures() {}

    static void keepIn(File folder) {
        try {
            if (HttpResponseCache.getInstalled() == null) HttpResponseCache.install(new File(folder, "pictures"), CACHE);
        } catch (IOException e) {
            // Without a cache they are fetched again.
        }
    }

    static final class Picture {
        final String type;
        final InputStream bytes;

        Picture(String type, InputStream bytes) {
            this.type = type;
            this.bytes = bytes;
        }
    }

    /** Null where the shop has none, or neither the shop nor the cache can be asked. */
    static Picture of(String shop, String path) {
        if (shop == null || !AssetRouter.isPicture(path)) return null;
        Picture fetched = fetch(shop + path, null);
        return fetched != null ? fetched : fetch(shop + path, "only-if-cached, max-stale=31536000");
    }

    private static Picture fetch(String url, String cacheControl) {
        HttpURLConnection call = null;
        try {
            call = (HttpURLConnection) new URL(url).openConnection();
            call.setInstanceFollowRedirects(false);
            call.setConnectTimeout(8000);
            call.setReadTimeout(15_000);
            if (cacheControl != null) call.setRequestProperty("Cache-Control", cacheControl);
            String type = call.getResponseCode() == 200 ? call.getContentType() : null;
            if (type == null || !type.startsWith("image/")) return null;
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] bytes = new byte[16 << 10];
            InputStream in = call.getInputStream();
            for (int n; (n = in.read(bytes)) > 0; ) {
                out.write(bytes, 0, n);
                if (out.size() > LARGEST) return null;
            }
            return new Picture(type.split(";")[0].trim(), new ByteArrayInputStream(out.toByteArray()));
        } catch (IOException e) {
            return null;
        } finally {
            if (call != null) call.disconnect();
        }
    }
}
