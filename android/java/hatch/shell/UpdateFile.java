package hatch.shell;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Set;

/**
 * Downloads an update and verifies it. What was downloaded stays for the next attempt when the connection breaks, and
 * is deleted when it is refused.
 */
final class UpdateFile {
    /** What a package says about itself. */
    static final class Meta {
        final String packageName;
        final long versionCode;
        final Set<String> signers;

        Meta(String packageName, long versionCode, Set<String> signers) {
            this.packageName = packageName;
            this.versionCode = versionCode;
            this.signers = signers;
        }
    }

    /** What the phone knows, and what hears of the progress. */
    interface Phone {
        Meta installed();

        /** Null where the file is no package. */
        Meta inspect(File apk);

        HttpURLConnection open(URL url) throws IOException;

        void progress(int percent);

        boolean isStopped();
    }

    /** The file cannot become the update: another attempt would end the same way. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private final Phone phone;
    private final File folder;

    UpdateFile(Phone phone, File folder) {
        this.phone = phone;
        this.folder = folder;
    }

    /** The verified file. Throws Refused when it may not be installed, or another IOException to be tried again. */
    File fetch(UpdateOffer offer, String shop) throws IOException {
        // A fixed folder and the hash as its name: nothing that a server says reaches the path.
        File part = new File(folder, offer.sha256 + ".part"), whole = new File(folder, offer.sha256 + ".apk");
        dropAllBut(part, whole);
        try {
            if (!whole.exists()) {
                if (!Links.sameOrigin(offer.url, shop)) throw new Refused("another host");
                if (part.length() < offer.size) download(offer, part);
                if (part.length() != offer.size) throw new Refused("another size");
                if (!part.renameTo(whole)) throw new IOException("The file could not be renamed.");
            }
            verify(whole, offer);
            return whole;
        } catch (Refused e) {
            dropAllBut();
            throw e;
        }
    }

    void dropAllBut(File... kept) {
        File[] files = folder.listFiles();
        if (files == null) return;
        for (File file : files) {
            boolean isKept = false;
            for (File one : kept) isKept |= one.equals(file);
            if (!isKept) file.delete();
        }
    }

    private void download(UpdateOffer offer, File part) throws IOException {
        long have = part.length();
        HttpURLConnection call = phone.open(new URL(offer.url));
        call.setInstanceFollowRedirects(false);
        call.setConnectTimeout(15_000);
        call.setReadTimeout(30_000);
        // Compressed on the way, its length would not be the file's.
        call.setRequestProperty("Accept-Encoding", "identity");
        if (have > 0) call.setRequestProperty("Range", "bytes=" + have + "-");
        try {
            int status = call.getResponseCode();
            boolean continues = status == 206 && startsAt(call.getHeaderField("Content-Range"), have);
            if (status == 416 || status == 206 && !continues) {
                part.delete();
                throw new IOException("The download starts again.");
            }
            if (status >= 500 || status == 429 || status == 408) throw new IOException("The shop answered " + status + ".");
            if (status != 200 && status != 206) throw new Refused("status " + status);
            if (!continues) have = 0;
            // A whole answer of another length is another file; one that ends too early is continued.
            String length = call.getHeaderField("Content-Length");
            if (length != null && !length.equals(String.valueOf(offer.size - have))) throw new Refused("another size");
            try (InputStream in = call.getInputStream(); OutputStream out = new FileOutputStream(part, continues)) {
                copy(in, out, have, offer.size);
            }
            if (part.length() < offer.size) throw new IOException("The connection broke.");
        } finally {
            call.disconnect();
        }
    }

    private void copy(InputStream in, OutputStream out, long have, long size) throws IOException {
        byte[] bytes = new byte[64 << 10];
        long total = have;
        int told = -1;
        for (int n; (n = in.read(bytes)) > 0; ) {
            total += n;
            if (total > size) throw new Refused("another size");
            out.write(bytes, 0, n);
            int percent = (int) (total * 100 / size);
            if (percent != told) phone.progress(told = percent);
            if (phone.isStopped()) throw new IOException("The download was stopped.");
        }
    }

    private void verify(File apk, UpdateOffer offer) throws IOException {
        if (apk.length() != offer.size) throw new Refused("another size");
        if (!hashOf(apk).equals(offer.sha256)) throw new Refused("another hash");
        Meta own = phone.installed(), next = phone.inspect(apk);
        if (next == null) throw new Refused("no package");
        if (!next.packageName.equals(own.packageName)) throw new Refused("another package");
        if (next.versionCode <= own.versionCode) throw new Refused("an older version");
        if (next.versionCode != Versions.code(Versions.parse(offer.version))) throw new Refused("another version");
        if (next.signers.isEmpty() || !next.signers.equals(own.signers)) throw new Refused("another signer");
    }

    private static boolean startsAt(String range, long start) {
        return range != null && range.startsWith("bytes " + start + "-");
    }

    private static String hashOf(File file) throws IOException {
        MessageDigest hash = sha256();
        byte[] bytes = new byte[64 << 10];
        try (InputStream in = new FileInputStream(file)) {
            for (int n; (n = in.read(bytes)) > 0; ) hash.update(bytes, 0, n);
        }
        return hex(hash.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) text.append(String.format(Locale.ROOT, "%02x", one & 255));
        return text.toString();
    }
}
