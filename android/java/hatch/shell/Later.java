package hatch.shell;

import android.app.Activity;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.webkit.WebView;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** What Android has had since a later version than the oldest that the app runs on: called by name where it is there. */
final class Later {
    private static final int IMPORTANCE_DEFAULT = 3;
    private static final int IMPORTANCE_HIGH = 4;
    private static final int RENDERER_IMPORTANT = 2;

    private Later() {}

    /** From 33 on, Back arrives here; at target 36, Android 16 calls nothing else. */
    static boolean onBack(Activity activity, Runnable run) {
        if (Build.VERSION.SDK_INT < 33) return false;
        try {
            Object dispatcher = Activity.class.getMethod("getOnBackInvokedDispatcher").invoke(activity);
            Class<?> callback = Class.forName("android.window.OnBackInvokedCallback");
            Object listener = Proxy.newProxyInstance(callback.getClassLoader(), new Class<?>[] {callback}, (self, method, args) -> {
                if (method.getDeclaringClass() == Object.class) return ofObject(self, method, args);
                if (method.getName().equals("onBackInvoked")) run.run();
                return null;
            });
            Class.forName("android.window.OnBackInvokedDispatcher")
                .getMethod("registerOnBackInvokedCallback", int.class, callback).invoke(dispatcher, 0, listener);
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static Object ofObject(Object self, Method method, Object[] args) {
        switch (method.getName()) {
            case "equals": return self == args[0];
            case "hashCode": return System.identityHashCode(self);
            default: return "onBack";
        }
    }

    /** From 26 on, whoever installs a file is asked about the app once. */
    static boolean mayInstall(PackageManager packages) {
        if (Build.VERSION.SDK_INT < 26) return true;
        try {
            return (Boolean) PackageManager.class.getMethod("canRequestPackageInstalls").invoke(packages);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    static void makeChannel(NotificationManager notices, String id, String name, boolean isLoud) {
        if (Build.VERSION.SDK_INT < 26) return;
        try {
            Class<?> channel = Class.forName("android.app.NotificationChannel");
            Object made = channel.getConstructor(String.class, CharSequence.class, int.class)
                .newInstance(id, name, isLoud ? IMPORTANCE_HIGH : IMPORTANCE_DEFAULT);
            if (!isLoud) channel.getMethod("setSound", Uri.class, Class.forName("android.media.AudioAttributes")).invoke(made, null, null);
            NotificationManager.class.getMethod("createNotificationChannel", channel).invoke(notices, made);
        } catch (ReflectiveOperationException e) {
            // Without a channel the notification is dropped, and the page says that notifications are off.
        }
    }

    static Notification.Builder builder(Context context, String channel) {
        if (Build.VERSION.SDK_INT >= 26) {
            try {
                return Notification.Builder.class.getConstructor(Context.class, String.class).newInstance(context, channel);
            } catch (ReflectiveOperationException e) {
                // The older constructor below.
            }
        }
        return new Notification.Builder(context);
    }

    /** From 24 on. */
    static boolean showsNotifications(NotificationManager notices) {
        try {
            return (Boolean) NotificationManager.class.getMethod("areNotificationsEnabled").invoke(notices);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    static void startForeground(Service service, int id, Notification notice, int type) {
        if (Build.VERSION.SDK_INT >= 29) {
            try {
                Service.class.getMethod("startForeground", int.class, Notification.class, int.class).invoke(service, id, notice, type);
                return;
            } catch (ReflectiveOperationException e) {
                // The older form below.
            }
        }
        service.startForeground(id, notice);
    }

    static void startService(Context context, Intent intent) {
        if (Build.VERSION.SDK_INT >= 26) {
            try {
                Context.class.getMethod("startForegroundService", Intent.class).invoke(context, intent);
                return;
            } catch (ReflectiveOperationException e) {
                if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
            }
        }
        context.startService(intent);
    }

    /** From 26 on: the app whose WebView this phone uses; null where there is none or it is not known. */
    static String currentWebView() {
        if (Build.VERSION.SDK_INT < 26) return null;
        try {
            PackageInfo found = (PackageInfo) WebView.class.getMethod("getCurrentWebViewPackage").invoke(null);
            return found == null ? null : found.packageName;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Keeps the page's process as long as the app's own. */
    static void keepRenderer(WebView web) {
        if (Build.VERSION.SDK_INT < 26) return;
        try {
            WebView.class.getMethod("setRendererPriorityPolicy", int.class, boolean.class).invoke(web, RENDERER_IMPORTANT, false);
        } catch (ReflectiveOperationException e) {
            // The page may be restarted more often.
        }
    }

    /** Shows the screen over the lock, as the board's does. */
    static void showWhenLocked(Activity activity) {
        if (Build.VERSION.SDK_INT < 27) return;
        try {
            Activity.class.getMethod("setShowWhenLocked", boolean.class).invoke(activity, true);
            Activity.class.getMethod("setTurnScreenOn", boolean.class).invoke(activity, true);
        } catch (ReflectiveOperationException e) {
            // The window's flags below 27 do the same.
        }
    }
}
