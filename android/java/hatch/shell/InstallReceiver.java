package hatch.shell;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInstaller;

/** What became of an installation that this app began. Only Android reaches it: it is not exported. */
public final class InstallReceiver extends BroadcastReceiver {
    @Override public void onReceive(Context context, Intent said) {
        int status = said.getIntExtra(PackageInstaller.EXTRA_STATUS, PackageInstaller.STATUS_FAILURE);
        if (status == PackageInstaller.STATUS_PENDING_USER_ACTION) {
            Intent question = said.getParcelableExtra(Intent.EXTRA_INTENT);
            if (question != null) context.startActivity(question.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        } else if (status != PackageInstaller.STATUS_SUCCESS) {
            Updater.of(context).installEnded(status == PackageInstaller.STATUS_FAILURE_ABORTED);
        }
    }
}
