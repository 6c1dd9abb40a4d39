package hatch.shell;

import android.net.Uri;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Answers the page's own origin from the APK, and lets no other page into the WebView. */
final class ShellClient extends WebViewClient {
    private final ShellActivity activity;
    private final Bridge bridge;
    private final About about;
    private final Vault vault;

    ShellClient(ShellActivity activity, Bridge bridge, About about, Vault vault) {
        this.activity = activity;
        this.bridge = bridge;
        this.about = about;
        this.vault = vault;
    }

    @Override public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
        Uri url = request.getUrl();
        if (!"https".equals(url.getScheme()) || !AssetRouter.HOST.equals(url.getHost())) return null;
        if (!"GET".equals(request.getMethod())) return missing();
        String path = url.getPath();
        if (AssetRouter.isPicture(path)) {
            Pictures.Picture picture = Pictures.of(shop(), path);
            return picture == null ? missing() : answer(picture.type, null, picture.bytes);
        }
        String asset = AssetRouter.assetOf(path);
        if (asset == null) return missing();
        // Only the page itself gets the key: no frame, and no script that fetches it.
        boolean isPage = asset.equals(AssetRouter.INDEX);
        if (isPage && !request.isForMainFrame()) return missing();
        try (InputStream in = activity.getAssets().open(asset)) {
            byte[] bytes = all(in);
            if (isPage) bytes = bridge.withKey(new String(bytes, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
            String type = AssetRouter.typeOf(asset);
            return answer(type, AssetRouter.isText(type) ? "utf-8" : null, new ByteArrayInputStream(bytes));
        } catch (IOException e) {
            return missing();
        }
    }

    private String shop() {
        try {
            return Links.shopOf(about.isKitchen ? vault.read("shop") : about.builtFor, about.isDebug);
        } catch (Vault.Busy e) {
            return null;
        }
    }

    private static WebResourceResponse answer(String type, String encoding, InputStream bytes) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Cache-Control", "no-cache");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        return new WebResourceResponse(type, encoding, 200, "OK", headers, bytes);
    }

    private static WebResourceResponse missing() {
        return new WebResourceResponse("text/plain", "utf-8", 404, "Not Found", new HashMap<>(), new ByteArrayInputStream(new byte[0]));
    }

    private static byte[] all(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = new byte[32 << 10];
        for (int n; (n = in.read(bytes)) > 0; ) out.write(bytes, 0, n);
        return out.toByteArray();
    }

    @SuppressWarnings("deprecation") // Android 7's own form calls this one.
    @Override public boolean shouldOverrideUrlLoading(WebView view, String url) {
        if (Links.targetOf(url) == Links.Target.APP) return false;
        activity.open(url);
        return true;
    }

    /** Of API 26: without it, the end of the page's process ends the app. */
    @SuppressWarnings("MissingOverride")
    public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
        activity.pageDied();
        return true;
    }
}
