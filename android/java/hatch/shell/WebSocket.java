package hatch.shell;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Locale;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** A WebSocket (RFC 6455) for text, read by one thread: what the board's service listens with. */
final class WebSocket implements Closeable {
    private static final int LONGEST = 4 << 20;
    private static final String ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    interface Encoder {
        String base64(byte[] bytes);
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final SecureRandom random = new SecureRandom();

    private WebSocket(Socket socket) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
    }

    /** `silence`: milliseconds without a byte after which reading fails. */
    static WebSocket open(URI address, int silence, Encoder encoder) throws IOException {
        boolean isSecure = "wss".equals(address.getScheme());
        int port = address.getPort() != -1 ? address.getPort() : isSecure ? 443 : 80;
        Socket plain = new Socket();
        try {
            plain.connect(new InetSocketAddress(address.getHost(), port), 15_000);
            Socket socket = isSecure ? secure(plain, address.getHost(), port) : plain;
            socket.setSoTimeout(silence);
            WebSocket opened = new WebSocket(socket);
            opened.greet(address, port, encoder);
            return opened;
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket secure(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(plain, host, port, true);
        socket.startHandshake();
        HostnameVerifier verifier = HttpsURLConnection.getDefaultHostnameVerifier();
        if (!verifier.verify(host, socket.getSession())) throw new IOException("The certificate is of another host.");
        return socket;
    }

    private void greet(URI address, int port, Encoder encoder) throws IOException {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        String key = encoder.base64(nonce);
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        out.write(("GET " + address.getRawPath() + query + " HTTP/1.1\r\nHost: " + address.getHost() + ":" + port
            + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        String status = line();
        if (!status.startsWith("HTTP/1.1 101")) throw new IOException("The shop answered " + status);
        boolean isAccepted = false;
        for (String header; !(header = line()).isEmpty(); ) {
            int colon = header.indexOf(':');
            String name = colon < 0 ? "" : header.substring(0, colon).toLowerCase(Locale.ROOT);
            if (name.equals("sec-websocket-accept")) isAccepted = header.substring(colon + 1).trim().equals(accepted(key, encoder));
        }
        if (!isAccepted) throw new IOException("No WebSocket answered.");
    }

    private static String accepted(String key, Encoder encoder) {
        try {
            return encoder.base64(MessageDigest.getInstance("SHA-1").digest((key + ACCEPT).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c; (c = in.readUnsignedByte()) != '\n'; ) {
            if (c != '\r') text.append((char) c);
            if (text.length() > 8192) throw new IOException("A header is too long.");
        }
        return text.toString();
    }

    /** The next text; null once the other side has closed. Pings are answered on the way. */
    String read() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int first, second;
            try {
                first = in.readUnsignedByte();
                second = in.readUnsignedByte();
            } catch (EOFException e) {
                return null;
            }
            if ((second & 0x80) != 0) throw new IOException("A server's frame is never masked.");
            long length = second & 0x7f;
            if (length == 126) length = in.readUnsignedShort();
            else if (length == 127) length = in.readLong();
            if (length < 0 || length + message.size() > LONGEST) throw new IOException("A frame is too long.");
            byte[] bytes = new byte[(int) length];
            in.readFully(bytes);
            switch (first & 0x0f) {
                case 0: case 1: message.write(bytes); break;
                case 8: return null;
                case 9: send(10, bytes); continue;
                case 10: continue;
                default: throw new IOException("Only text is understood.");
            }
            if ((first & 0x80) != 0) return new String(message.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    void send(String text) throws IOException {
        send(1, text.getBytes(StandardCharsets.UTF_8));
    }

    private synchronized void send(int kind, byte[] bytes) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(0x80 | kind);
        if (bytes.length < 126) {
            frame.write(0x80 | bytes.length);
        } else if (bytes.length < 1 << 16) {
            frame.write(0x80 | 126);
            frame.write(bytes.length >> 8);
            frame.write(bytes.length);
        } else {
            throw new IOException("The message is too long.");
        }
        byte[] mask = new byte[4];
        random.nextBytes(mask);
        frame.write(mask);
        for (int i = 0; i < bytes.length; i++) frame.write(bytes[i] ^ mask[i & 3]);
        out.write(frame.toByteArray());
        out.flush();
    }

    @Override public void close() throws IOException {
        socket.close();
    }
}
