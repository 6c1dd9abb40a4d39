package hatch.shell;

import android.content.Context;
import android.content.SharedPreferences;
import android.os.SystemClock;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyPermanentlyInvalidatedException;
import android.security.keystore.KeyProperties;
import android.util.Base64;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.ProviderException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The page's secrets, encrypted by a key that never leaves this phone: what a transfer to a new phone copies cannot be
 * read there. The ciphers are AES-256 in GCM; the name is authenticated with the value.
 */
final class Vault {
    private static final String KEY = "hatch";
    private static final String STORE = "AndroidKeyStore";
    private static final int ATTEMPTS = 3;
    /** Milliseconds. */
    private static final long PAUSE = 150;

    private final SharedPreferences kept;

    Vault(Context context) {
        kept = context.getSharedPreferences("vault", Context.MODE_PRIVATE);
    }

    /** The key cannot be used just now: what is kept stays, and can be read later. */
    static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1;

        Busy(Throwable cause) {
            super(cause);
        }
    }

    private interface Work<T> {
        T run() throws GeneralSecurityException, IOException;
    }

    boolean has(String name) {
        return kept.contains(name);
    }

    /** Null where there is none, and where it can never be read on this phone: it is forgotten then. Throws Busy. */
    synchronized String read(String name) {
        String text = kept.getString(name, null);
        if (text == null) return null;
        try {
            return patiently(() -> open(name, text));
        } catch (AEADBadTagException | IllegalArgumentException e) {
            return forget(name);
        } catch (GeneralSecurityException | IOException | ProviderException e) {
            if (isKeyLost(e)) return forget(name);
            throw new Busy(e);
        }
    }

    /** False where it could not be kept; a null value removes it. */
    synchronized boolean write(String name, String value) {
        if (value == null) return kept.edit().remove(name).commit();
        try {
            return kept.edit().putString(name, patiently(() -> seal(name, value))).commit();
        } catch (GeneralSecurityException | IOException | ProviderException e) {
            return false;
        }
    }

    private String forget(String name) {
        kept.edit().remove(name).commit();
        return null;
    }

    /** Android's key service may be busy or restarting, as after a start of the phone. */
    private static <T> T patiently(Work<T> work) throws GeneralSecurityException, IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (AEADBadTagException e) {
                throw e;
            } catch (GeneralSecurityException | IOException | ProviderException e) {
                if (attempt == ATTEMPTS || isKeyLost(e)) throw e;
                SystemClock.sleep(PAUSE);
            }
        }
    }

    private static boolean isKeyLost(Throwable e) {
        for (Throwable each = e; each != null; each = each.getCause()) {
            if (each instanceof KeyPermanentlyInvalidatedException || each instanceof KeyGone) return true;
        }
        return false;
    }

    private static final class KeyGone extends GeneralSecurityException {
        private static final long serialVersionUID = 1;
    }

    private static String open(String name, String text) throws GeneralSecurityException, IOException {
        byte[] bytes = Base64.decode(text, Base64.NO_WRAP);
        if (bytes.length < 12 + 16) throw new IllegalArgumentException("too short");
        Key key = store().getKey(KEY, null);
        if (key == null) throw new KeyGone();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, bytes, 0, 12));
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        return new String(cipher.doFinal(bytes, 12, bytes.length - 12), StandardCharsets.UTF_8);
    }

    private static String seal(String name, String value) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        try {
            cipher.init(Cipher.ENCRYPT_MODE, knownOrNewKey());
        } catch (GeneralSecurityException e) {
            if (!isKeyLost(e)) throw e;
            store().deleteEntry(KEY);
            cipher.init(Cipher.ENCRYPT_MODE, knownOrNewKey());
        }
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        byte[] sealed = cipher.doFinal(value.getBytes(StandardCharsets.UTF_8)), nonce = cipher.getIV();
        byte[] bytes = new byte[12 + sealed.length];
        System.arraycopy(nonce, 0, bytes, 0, 12);
        System.arraycopy(sealed, 0, bytes, 12, sealed.length);
        return Base64.encodeToString(bytes, Base64.NO_WRAP);
    }

    private static KeyStore store() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(STORE);
        store.load(null);
        return store;
    }

    private static Key knownOrNewKey() throws GeneralSecurityException, IOException {
        Key key = store().getKey(KEY, null);
        if (key != null) return key;
        KeyGenerator maker = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, STORE);
        maker.init(new KeyGenParameterSpec.Builder(KEY, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM).setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256).build());
        return maker.generateKey();
    }
}
