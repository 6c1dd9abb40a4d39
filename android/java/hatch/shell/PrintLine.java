package hatch.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;

/** Sends a job to a printer of the shop's own network by TCP. */
final class PrintLine {
    private static final int LONGEST_REPLY = 16 << 10;

    /** What became of it: `failed` only while no byte has left. `said` is what the printer answered. */
    static final class Result {
        final String status;
        final String detail;
        final byte[] said;

        Result(String status, String detail, byte[] said) {
            this.status = status;
            this.detail = detail;
            this.said = said;
        }
    }

    private PrintLine() {}

    /** Whether it is of a network like a shop's own: nothing on the internet, nothing on this tablet. */
    static boolean isLocal(InetAddress address, boolean allowsLoopback) {
        if (address.isLoopbackAddress()) return allowsLoopback;
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) return false;
        byte[] bytes = address.getAddress();
        boolean isUnique = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
        return address.isSiteLocalAddress() || address.isLinkLocalAddress() || isUnique;
    }

    /** `least`: the bytes of the printer's answer that are waited for, `timeout` milliseconds for each part of it. */
    static Result send(String host, int port, byte[] content, int least, int timeout, boolean allowsLoopback) {
        boolean hasBegun = false;
        try (Socket socket = new Socket()) {
            InetAddress address = InetAddress.getByName(host);
            if (!isLocal(address, allowsLoopback)) return new Result("failed", "The address is not of this network.", new byte[0]);
            socket.connect(new InetSocketAddress(address, port), 5000);
            socket.setSoTimeout(timeout);
            OutputStream out = socket.getOutputStream();
            hasBegun = true;
            out.write(content);
            out.flush();
            byte[] said = reply(socket.getInputStream(), least);
            return new Result("sent", "", said);
        } catch (IOException e) {
            return new Result(hasBegun ? "unknown" : "failed", String.valueOf(e.getMessage()), new byte[0]);
        }
    }

    private static byte[] reply(InputStream in, int least) throws IOException {
        byte[] bytes = new byte[Math.min(least, LONGEST_REPLY)];
        int length = 0;
        for (int n; length < bytes.length && (n = in.read(bytes, length, bytes.length - length)) > 0; ) length += n;
        return Arrays.copyOf(bytes, length);
    }
}
