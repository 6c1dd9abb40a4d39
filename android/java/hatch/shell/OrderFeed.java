package hatch.shell;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.json.JSONException;
import org.json.JSONObject;

/** The shop as the board's service hears it, without any page: its socket, the orders that nobody has answered, the heartbeat. */
final class OrderFeed implements Closeable {
    /** Milliseconds without a byte: the server's own pings come sooner. */
    static final int SILENCE = 45_000;

    private static final int LARGEST_ANSWER = 1 << 20;

    interface Listener {
        /** Something happened to an order, or may have happened unheard. */
        void ordersChanged();
    }

    /** The shop knows this tablet no longer. */
    static final class Revoked extends IOException {
        private static final long serialVersionUID = 1;
    }

    private final String shop;
    private final String storeId;
    private final String token;
    private final WebSocket.Encoder encoder;
    private volatile WebSocket socket;

    OrderFeed(String shop, String storeId, String token, WebSocket.Encoder encoder) {
        this.shop = shop;
        this.storeId = storeId;
        this.token = token;
        this.encoder = encoder;
    }

    /** Listens until the connection ends. `realtime` is the shop's own word on its socket: {key, host, port, tls}. */
    void listen(JSONObject realtime, Listener listener) throws IOException, JSONException {
        String scheme = realtime.getBoolean("tls") ? "wss" : "ws";
        String key = URLEncoder.encode(realtime.getString("key"), "UTF-8");
        URI address = URI.create(scheme + "://" + realtime.getString("host") + ":" + realtime.getInt("port") + "/app/" + key
            + "?protocol=7&client=hatch-board&version=1");
        try (WebSocket opened = WebSocket.open(address, SILENCE, encoder)) {
            socket = opened;
            for (String text; (text = opened.read()) != null; ) hear(opened, new JSONObject(text), listener);
        } finally {
            socket = null;
        }
    }

    private void hear(WebSocket opened, JSONObject said, Listener listener) throws IOException, JSONException {
        switch (said.optString("event")) {
            case "pusher:connection_established":
                String socketId = new JSONObject(said.getString("data")).getString("socket_id");
                String channel = "private-stores." + storeId + ".orders";
                JSONObject wanted = new JSONObject().put("socket_id", socketId).put("channel_name", channel);
                JSONObject data = new JSONObject(call("POST", "/v1/broadcasting/auth", wanted)).put("channel", channel);
                opened.send(new JSONObject().put("event", "pusher:subscribe").put("data", data).toString());
                break;
            case "pusher:ping":
                opened.send("{\"event\":\"pusher:pong\",\"data\":{}}");
                break;
            case "pusher:error": case "pusher:subscription_error":
                throw new IOException("The shop refused the subscription.");
            case "pusher_internal:subscription_succeeded": case "order.placed": case "order.updated":
                listener.ordersChanged();
                break;
            default:
        }
    }

    /** How many orders wait for an answer. */
    int unanswered() throws IOException, JSONException {
        String path = "/v1/orders?store_id=" + storeId + "&status=placed&per_page=1";
        return new JSONObject(call("GET", path, null)).getJSONObject("meta").getInt("total");
    }

    /** {may_install_updates, closed_until, station} */
    JSONObject beat(JSONObject phone, String version) throws IOException, JSONException {
        JSONObject body = new JSONObject().put("battery", phone.opt("battery")).put("is_charging", phone.opt("is_charging"))
            .put("wifi", phone.opt("wifi")).put("version", version);
        return new JSONObject(call("POST", "/v1/devices/heartbeat", body)).getJSONObject("data");
    }

    private String call(String method, String path, JSONObject body) throws IOException {
        HttpURLConnection call = (HttpURLConnection) new URL(shop + path).openConnection();
        call.setInstanceFollowRedirects(false);
        call.setConnectTimeout(10_000);
        call.setReadTimeout(15_000);
        call.setRequestMethod(method);
        call.setRequestProperty("Authorization", "Bearer " + token);
        call.setRequestProperty("Accept", "application/json");
        try {
            if (body != null) {
                call.setDoOutput(true);
                call.setRequestProperty("Content-Type", "application/json");
                call.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
            }
            int status = call.getResponseCode();
            if (status == 401) throw new Revoked();
            if (status != 200) throw new IOException("The shop answered " + status + ".");
            return text(call.getInputStream());
        } finally {
            call.disconnect();
        }
    }

    private static String text(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = new byte[8192];
        for (int n; (n = in.read(bytes)) > 0; ) {
            out.write(bytes, 0, n);
            if (out.size() > LARGEST_ANSWER) throw new IOException("The answer is too long.");
        }
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    @Override public void close() throws IOException {
        WebSocket opened = socket;
        if (opened != null) opened.close();
    }
}
