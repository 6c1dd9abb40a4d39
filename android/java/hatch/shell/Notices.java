package hatch.shell;

import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;

/** The app's notifications. */
final class Notices {
    static final String ORDERS = "orders";
    static final String BOARD = "board";
    private static final int FLAG_IMMUTABLE = 0x04000000;

    private final Context context;
    private final NotificationManager manager;

    Notices(Context context) {
        this.context = context;
        manager = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
        Later.makeChannel(manager, ORDERS, Words.of(context, "channel_orders"), true);
        if (new About(context).isKitchen) Later.makeChannel(manager, BOARD, Words.of(context, "channel_board"), false);
    }

    boolean areShown() {
        return Later.showsNotifications(manager);
    }

    /** A tap opens the app at this path, by the same rules as any other link. */
    void show(int id, String title, String text, String path) {
        manager.notify(id, make(ORDERS, title, text, path).setAutoCancel(true).build());
    }

    Notification.Builder make(String channel, String title, String text, String path) {
        Intent open = new Intent(context, ShellActivity.class).setAction(Intent.ACTION_VIEW)
            .setData(Uri.parse(context.getPackageName() + ":/" + path)).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
        PendingIntent tap = PendingIntent.getActivity(context, path.hashCode(), open, PendingIntent.FLAG_UPDATE_CURRENT | FLAG_IMMUTABLE);
        return Later.builder(context, channel).setContentTitle(title).setContentText(text).setContentIntent(tap)
            .setSmallIcon(context.getResources().getIdentifier("ic_notice", "drawable", context.getPackageName()))
            .setStyle(new Notification.BigTextStyle().bigText(text));
    }
}
