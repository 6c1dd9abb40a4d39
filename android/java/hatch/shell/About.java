package hatch.shell;

import android.content.Context;
import android.content.SharedPreferences;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.util.Base64;
import java.security.SecureRandom;

/** What this build is: written into its manifest, and a random name of this installation. */
final class About {
    final String packageName;
    final String version;
    final boolean isKitchen;
    final boolean isDebug;
    /** Whether it installs its own updates; the build for a store does not. */
    final boolean updatesItself;
    /** The shop's https address, without a slash at its end; empty in the kitchen's app, which is told it. */
    final String builtFor;
    /** A random name of this installation, for the office's list of versions in use. */
    final String install;

    About(Context context) {
        packageName = context.getPackageName();
        try {
            PackageManager packages = context.getPackageManager();
            PackageInfo own = packages.getPackageInfo(packageName, 0);
            ApplicationInfo app = packages.getApplicationInfo(packageName, PackageManager.GET_META_DATA);
            Bundle said = app.metaData;
            version = own.versionName;
            isDebug = (app.flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
            isKitchen = "kitchen".equals(said.getString("hatch.app"));
            updatesItself = said.getBoolean("hatch.updates");
            builtFor = said.getString("hatch.shop", "");
        } catch (PackageManager.NameNotFoundException e) {
            throw new IllegalStateException(e);
        }
        install = installOf(context.getSharedPreferences("app", Context.MODE_PRIVATE));
    }

    String platform() {
        return isKitchen ? "android-kitchen" : "android";
    }

    private static synchronized String installOf(SharedPreferences kept) {
        String known = kept.getString("install", null);
        if (known != null) return known;
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        String made = Base64.encodeToString(bytes, Base64.URL_SAFE | Base64.NO_PADDING | Base64.NO_WRAP);
        kept.edit().putString("install", made).commit();
        return made;
    }
}
