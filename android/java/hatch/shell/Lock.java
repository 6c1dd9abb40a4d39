package hatch.shell;

import android.app.Activity;
import android.app.ActivityManager;
import android.app.admin.DevicePolicyManager;
import android.content.ComponentName;
import android.content.Context;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Keeps the tablet on the board: in lock task where the app is device owner, else by pinning its screen. */
final class Lock {
    private static final int ROUNDS = 120_000;

    private Lock() {}

    static boolean isOwner(Context context) {
        DevicePolicyManager policies = (DevicePolicyManager) context.getSystemService(Context.DEVICE_POLICY_SERVICE);
        return policies != null && policies.isDeviceOwnerApp(context.getPackageName());
    }

    static boolean isOn(Context context) {
        ActivityManager activities = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        return activities.getLockTaskModeState() != ActivityManager.LOCK_TASK_MODE_NONE;
    }

    /** With a PIN only that PIN ends it. */
    static void begin(Activity activity, Vault vault, String pin) {
        if (isOwner(activity)) {
            DevicePolicyManager policies = (DevicePolicyManager) activity.getSystemService(Context.DEVICE_POLICY_SERVICE);
            policies.setLockTaskPackages(new ComponentName(activity, BoardAdmin.class), new String[] {activity.getPackageName()});
        }
        vault.write("pin", pin.isEmpty() ? null : sealed(pin));
        activity.startLockTask();
    }

    /** False for a wrong PIN. */
    static boolean end(Activity activity, Vault vault, String pin) {
        String kept = vault.read("pin");
        if (kept != null && !fits(pin, kept)) return false;
        activity.stopLockTask();
        return true;
    }

    static String sealed(String pin) {
        byte[] salt = new byte[16];
        new SecureRandom().nextBytes(salt);
        return UpdateFile.hex(salt) + ":" + UpdateFile.hex(hash(pin, salt));
    }

    static boolean fits(String pin, String sealed) {
        String[] parts = sealed.split(":");
        if (parts.length != 2 || parts[0].length() != 32) return false;
        byte[] salt = new byte[16];
        for (int i = 0; i < 16; i++) salt[i] = (byte) Integer.parseInt(parts[0].substring(2 * i, 2 * i + 2), 16);
        byte[] given = UpdateFile.hex(hash(pin, salt)).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(given, parts[1].getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hash(String pin, byte[] salt) {
        try {
            SecretKeyFactory maker = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1");
            return maker.generateSecret(new PBEKeySpec(pin.toCharArray(), salt, ROUNDS, 160)).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
