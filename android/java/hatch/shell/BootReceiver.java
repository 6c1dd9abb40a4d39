package hatch.shell;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** After the tablet has started, or the app was updated: the service runs again, and the board is opened or asked for. */
public final class BootReceiver extends BroadcastReceiver {
    @Override public void onReceive(Context context, Intent said) {
        String action = said.getAction();
        boolean isKnown = Intent.ACTION_BOOT_COMPLETED.equals(action) || Intent.ACTION_MY_PACKAGE_REPLACED.equals(action);
        boolean isSignedIn = new Vault(context).has("token"), isOwner = Lock.isOwner(context);
        // A tablet that was locked stays so, signed in or not.
        if (!isKnown || !isSignedIn && !(isOwner && Lock.isWanted(context))) return;
        if (isSignedIn) BoardService.start(context);
        if (isOwner) {
            context.startActivity(new Intent(context, ShellActivity.class).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        } else {
            // Only the owner's apps may open a screen here.
            new Notices(context).show(3, Words.of(context, "board_closed"), Words.of(context, "board_closed_more"), "/kitchen");
        }
    }
}
