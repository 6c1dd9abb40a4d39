package hatch.shell;

import android.content.Context;
import android.content.SharedPreferences;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.util.Base64;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
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

    private final SharedPreferences kept;

    Vault(Context context) {
        kept = context.getSharedPreferences("vault", Context.MODE_PRIVATE);
    }

    /** Null where there is none, and where it cannot be read on this phone: it is forgotten then. */
    synchronized String read(String name) {
        String text = kept.getString(name, null);
        if (text == null) return null;
        try {
            byte[] bytes = Base64.decode(text, Base64.NO_WRAP);
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, key(), new GCMParameterSpec(128, bytes, 0, 12));
            cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
            return new String(cipher.doFinal(bytes, 12, bytes.length - 12), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            kept.edit().remove(name).commit();
            return null;
        }
    }

    /** False where it could not be kept; a null value removes it. */
    synchronized boolean write(String name, String value) {
        if (value == null) return kept.edit().remove(name).commit();
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key());
            cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
            byte[] sealed = cipher.doFinal(value.getBytes(StandardCharsets.UTF_8)), nonce = cipher.getIV();
            byte[] bytes = new byte[12 + sealed.length];
            System.arraycopy(nonce, 0, bytes, 0, 12);
            System.arraycopy(sealed, 0, bytes, 12, sealed.length);
            return kept.edit().putString(name, Base64.encodeToString(bytes, Base64.NO_WRAP)).commit();
        } catch (GeneralSecurityException | IOException e) {
            return false;
        }
    }

    private static Key key() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(STORE);
        store.load(null);
        Key key = store.getKey(KEY, null);
        if (key != null) return key;
        KeyGenerator maker = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, STORE);
        maker.init(new KeyGenParameterSpec.Builder(KEY, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM).setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256).build());
        return maker.generateKey();
    }
}
