import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;

/** Stands between the app and the real server, and spoils what a test wants spoiled. */
final class Relay {
    interface Spoiled {
        /** Answers in the server's place. */
        void answer(HttpExchange call) throws IOException;
    }

    private final HttpServer relay;
    private final String server;
    /** Of each file that was asked for: its range, and the status of the answer. */
    final List<String> files = Collections.synchronizedList(new ArrayList<>());
    /** What answers in place of the server; null is the server itself. */
    volatile Spoiled offer;
    volatile Spoiled file;

    Relay(String server) throws IOException {
        this.server = server;
        relay = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        relay.setExecutor(Executors.newCachedThreadPool(run -> {
            Thread thread = new Thread(run);
            thread.setDaemon(true);
            return thread;
        }));
        relay.createContext("/", this::answer);
        relay.start();
    }

    String origin() {
        return "http://127.0.0.1:" + relay.getAddress().getPort();
    }

    void end() {
        relay.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        boolean isFile = call.getRequestURI().getPath().startsWith("/uploads/");
        Spoiled instead = isFile ? file : offer;
        try {
            if (instead != null) instead.answer(call);
            else pass(call, isFile);
        } finally {
            call.close();
        }
    }

    private void pass(HttpExchange call, boolean isFile) throws IOException {
        HttpURLConnection to = (HttpURLConnection) new URL(server + call.getRequestURI()).openConnection();
        to.setInstanceFollowRedirects(false);
        to.setRequestMethod(call.getRequestMethod());
        for (String name : new String[] {"Content-Type", "Range", "Accept-Encoding", "X-App-Install"}) {
            String value = call.getRequestHeaders().getFirst(name);
            if (value != null) to.setRequestProperty(name, value);
        }
        byte[] body = call.getRequestBody().readAllBytes();
        if (body.length > 0) {
            to.setDoOutput(true);
            to.getOutputStream().write(body);
        }
        int status = to.getResponseCode();
        if (isFile) files.add(call.getRequestHeaders().getFirst("Range") + " " + status);
        for (String name : new String[] {"Content-Type", "Content-Range", "ETag"}) {
            if (to.getHeaderField(name) != null) call.getResponseHeaders().set(name, to.getHeaderField(name));
        }
        InputStream in = status < 400 ? to.getInputStream() : to.getErrorStream();
        byte[] answer = in == null ? new byte[0] : in.readAllBytes();
        call.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
        call.getResponseBody().write(answer);
    }
}
