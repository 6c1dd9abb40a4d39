package hatch.shell;

import android.app.Activity;
import android.app.ActivityManager;
import android.app.admin.DevicePolicyManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.SharedPreferences;
import android.os.SystemClock;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Keeps the tablet on the board: in lock task where the app is device owner, else by pinning its screen. */
final class Lock {
    private static final int ROUNDS = 120_000;
    private static final String WANTED = "locked";
    private static final int MOST_WRONG = 5;
    /** Milliseconds. */
    private static final long WAIT = 30_000;

    private static int wrong;
    private static long freeAt;

    private Lock() {}

    static boolean isOwner(Context context) {
        DevicePolicyManager policies = (DevicePolicyManager) context.getSystemService(Context.DEVICE_POLICY_SERVICE);
        return policies != null && policies.isDeviceOwnerApp(context.getPackageName());
    }

    static boolean isOn(Context context) {
        ActivityManager activities = (ActivityManager) context.getSystemService(Context.ACTIVITY_SERVICE);
        return activities.getLockTaskModeState() != ActivityManager.LOCK_TASK_MODE_NONE;
    }

    /** Whether somebody has locked the tablet, and nobody has ended it since. */
    static boolean isWanted(Context context) {
        return kept(context).getBoolean(WANTED, false);
    }

    /** With a PIN only that PIN ends it. Nothing happens while another PIN holds it. */
    static void begin(Activity activity, Vault vault, String pin) {
        if (isGuarded(activity, vault) || !vault.write("pin", pin.isEmpty() ? null : sealed(pin))) return;
        want(activity, true);
        allowLockTask(activity);
        activity.startLockTask();
    }

    /** Android forgets a lock when the tablet starts and when the app is updated: the device owner's is begun again. */
    static void restore(Activity activity) {
        if (!isWanted(activity) || !isOwner(activity) || isOn(activity)) return;
        allowLockTask(activity);
        try {
            activity.startLockTask();
        } catch (RuntimeException e) {
            // Not in front yet: the window's focus asks again.
        }
    }

    /** Whether only the PIN may end what the tablet does. */
    static boolean isGuarded(Context context, Vault vault) {
        return (isWanted(context) || isOn(context)) && vault.has("pin");
    }

    /** Whether no PIN holds the tablet, or this one is it. After too many wrong ones each is refused for a while. */
    static synchronized boolean allows(Context context, Vault vault, String pin) {
        if (!isGuarded(context, vault)) return true;
        if (SystemClock.elapsedRealtime() < freeAt) return false;
        try {
            String sealed = vault.read("pin");
            if (sealed == null || fits(pin, sealed)) {
                wrong = 0;
                return true;
            }
        } catch (Vault.Busy e) {
            return false;
        }
        if (++wrong % MOST_WRONG == 0) freeAt = SystemClock.elapsedRealtime() + WAIT;
        return false;
    }

    /** False for a wrong PIN. */
    static boolean end(Activity activity, Vault vault, String pin) {
        if (!allows(activity, vault, pin)) return false;
        leave(activity, vault);
        return true;
    }

    /** Ends it for somebody who has shown the PIN. */
    static void leave(Activity activity, Vault vault) {
        want(activity, false);
        vault.write("pin", null);
        if (isOn(activity)) activity.stopLockTask();
    }

    private static void allowLockTask(Activity activity) {
        if (!isOwner(activity)) return;
        DevicePolicyManager policies = (DevicePolicyManager) activity.getSystemService(Context.DEVICE_POLICY_SERVICE);
        policies.setLockTaskPackages(new ComponentName(activity, BoardAdmin.class), new String[] {activity.getPackageName()});
    }

    private static void want(Context context, boolean isWanted) {
        kept(context).edit().putBoolean(WANTED, isWanted).commit();
    }

    private static SharedPreferences kept(Context context) {
        return context.getSharedPreferences("app", Context.MODE_PRIVATE);
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
