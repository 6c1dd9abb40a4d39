import android.security.keystore.KeyPermanentlyInvalidatedException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyStoreSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Stands for Android's Keystore: keys that are made in it and stay in it. Another phone begins with none. */
public final class PhoneKeys extends Provider {
    static final Map<String, SecretKey> keys = new ConcurrentHashMap<>();
    /** How many of the next questions for a key fail, as while Android's key service starts. */
    static volatile int busy;
    /** The key can never be used again. */
    static volatile boolean isInvalid;

    PhoneKeys() {
        super("AndroidKeyStore", "1", "The keys of a phone");
        put("KeyStore.AndroidKeyStore", Store.class.getName());
        put("KeyGenerator.AES", Maker.class.getName());
    }

    public static final class Maker extends KeyGeneratorSpi {
        @Override protected void engineInit(SecureRandom random) {}

        @Override protected void engineInit(AlgorithmParameterSpec wanted, SecureRandom random) {}

        @Override protected void engineInit(int size, SecureRandom random) {}

        @Override protected SecretKey engineGenerateKey() {
            byte[] bytes = new byte[32];
            new SecureRandom().nextBytes(bytes);
            SecretKey made = new SecretKeySpec(bytes, "AES");
            keys.put("hatch", made);
            return made;
        }
    }

    public static final class Store extends KeyStoreSpi {
        @Override public Key engineGetKey(String alias, char[] password) throws UnrecoverableKeyException {
            UnrecoverableKeyException failure = new UnrecoverableKeyException("The key service does not answer.");
            if (busy > 0) {
                busy--;
                throw failure;
            }
            if (isInvalid) throw (UnrecoverableKeyException) failure.initCause(new KeyPermanentlyInvalidatedException());
            return keys.get(alias);
        }

        @Override public void engineLoad(InputStream in, char[] password) {}

        @Override public boolean engineContainsAlias(String alias) {
            return keys.containsKey(alias);
        }

        @Override public boolean engineIsKeyEntry(String alias) {
            return keys.containsKey(alias);
        }

        @Override public Enumeration<String> engineAliases() {
            return Collections.enumeration(keys.keySet());
        }

        @Override public int engineSize() {
            return keys.size();
        }

        @Override public void engineDeleteEntry(String alias) {
            keys.remove(alias);
            isInvalid = false;
        }

        @Override public Certificate[] engineGetCertificateChain(String alias) {
            return null;
        }

        @Override public Certificate engineGetCertificate(String alias) {
            return null;
        }

        @Override public Date engineGetCreationDate(String alias) {
            return null;
        }

        @Override public boolean engineIsCertificateEntry(String alias) {
            return false;
        }

        @Override public String engineGetCertificateAlias(Certificate certificate) {
            return null;
        }

        @Override public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain) {
            throw new UnsupportedOperationException();
        }

        @Override public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain) {
            throw new UnsupportedOperationException();
        }

        @Override public void engineSetCertificateEntry(String alias, Certificate certificate) {
            throw new UnsupportedOperationException();
        }

        @Override public void engineStore(OutputStream out, char[] password) {
            throw new UnsupportedOperationException();
        }
    }
}
