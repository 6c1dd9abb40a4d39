import java.security.MessageDigest;

final class Hash {
    private Hash() {}

    /** SHA-256 as hexadecimal digits. */
    static String of(byte[] bytes) {
        try {
            StringBuilder text = new StringBuilder();
            for (byte one : MessageDigest.getInstance("SHA-256").digest(bytes)) text.append(String.format("%02x", one & 255));
            return text.toString();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
