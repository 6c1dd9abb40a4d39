package hatch.shell;

import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageInstaller;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.net.Uri;
import android.os.Build;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;

/** What the phone knows of packages, and its installer. */
final class PackageGateway implements UpdateFile.Phone {
    private static final int FLAG_MUTABLE = 0x02000000;
    private static final int USER_ACTION_NOT_REQUIRED = 2;

    interface Hears {
        void percent(int percent);
    }

    private final Context context;
    private Hears hears = percent -> {};

    PackageGateway(Context context) {
        this.context = context;
    }

    void hear(Hears hears) {
        this.hears = hears;
    }

    @Override public UpdateFile.Meta installed() {
        try {
            return meta(context.getPackageManager().getPackageInfo(context.getPackageName(), PackageManager.GET_SIGNATURES));
        } catch (PackageManager.NameNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override public UpdateFile.Meta inspect(File apk) {
        PackageInfo info = context.getPackageManager().getPackageArchiveInfo(apk.getPath(), PackageManager.GET_SIGNATURES);
        return info == null ? null : meta(info);
    }

    @Override public HttpURLConnection open(URL url) throws IOException {
        return (HttpURLConnection) url.openConnection();
    }

    @Override public void progress(int percent) {
        hears.percent(percent);
    }

    @Override public boolean isStopped() {
        return false;
    }

    private static UpdateFile.Meta meta(PackageInfo info) {
        Set<String> signers = new HashSet<>();
        if (info.signatures != null) {
            for (Signature one : info.signatures) signers.add(UpdateFile.hex(UpdateFile.sha256().digest(one.toByteArray())));
        }
        return new UpdateFile.Meta(info.packageName, info.versionCode, signers);
    }

    /** Android's own page, where the person allows this app to install its updates. */
    void askToInstall() {
        Uri self = Uri.parse("package:" + context.getPackageName());
        Intent ask = new Intent("android.settings.MANAGE_UNKNOWN_APP_SOURCES", self).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
        context.startActivity(ask);
    }

    void install(File apk) throws IOException {
        PackageInstaller installer = context.getPackageManager().getPackageInstaller();
        PackageInstaller.SessionParams wanted = new PackageInstaller.SessionParams(PackageInstaller.SessionParams.MODE_FULL_INSTALL);
        wanted.setAppPackageName(context.getPackageName());
        wanted.setSize(apk.length());
        if (Updater.mayBeSilent()) {
            try {
                wanted.getClass().getMethod("setRequireUserAction", int.class).invoke(wanted, USER_ACTION_NOT_REQUIRED);
            } catch (ReflectiveOperationException e) {
                // The person is asked.
            }
        }
        int id = installer.createSession(wanted);
        try (PackageInstaller.Session session = installer.openSession(id)) {
            try (InputStream in = new FileInputStream(apk); OutputStream out = session.openWrite("base.apk", 0, apk.length())) {
                byte[] bytes = new byte[64 << 10];
                for (int n; (n = in.read(bytes)) > 0; ) out.write(bytes, 0, n);
                session.fsync(out);
            }
            Intent back = new Intent(context, InstallReceiver.class);
            int flags = PendingIntent.FLAG_UPDATE_CURRENT | (Build.VERSION.SDK_INT >= 31 ? FLAG_MUTABLE : 0);
            session.commit(PendingIntent.getBroadcast(context, id, back, flags).getIntentSender());
        } catch (IOException | RuntimeException e) {
            installer.abandonSession(id);
            throw e;
        }
    }
}
