package hatch.shell;

import android.app.AlarmManager;
import android.app.Notification;
import android.app.PendingIntent;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.net.wifi.WifiManager;
import android.os.IBinder;
import android.os.PowerManager;
import android.os.SystemClock;
import android.util.Base64;
import java.io.IOException;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Locale;
import java.util.TimeZone;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Keeps the board alive: it holds the shop's socket, the processor and the Wi-Fi, tells the shop of the tablet, and
 * rings by itself while the page is silent. What it needs is in the vault, so Android may start it again at any time.
 */
public final class BoardService extends Service {
    private static final int CONNECTED_DEVICE = 0x10;
    private static final int RUNS = 1;
    private static final int WAITING = 2;
    private static final long BEAT = 60_000;
    /** Milliseconds for which the page answers for itself after its last word. */
    private static final long PAGE_SPEAKS = 30_000;
    private static final int BEATS_PER_CHECK = 240;
    /** Milliseconds before the shop opens. Android may be late by several minutes. */
    private static final long WAKES_BEFORE = 30 * 60_000;
    private static final int FLAG_IMMUTABLE = 0x04000000;

    private static BoardService running;
    private static volatile long pageSpokeAt;

    private Alarm alarm;
    private Vault vault;
    private About about;
    private Notices notices;
    private PowerManager.WakeLock awake;
    private WifiManager.WifiLock wifi;
    private volatile OrderFeed feed;
    private volatile boolean isOver;
    private long waitingSince;
    private boolean ringsForPage;

    static void start(Context context) {
        Later.startService(context, new Intent(context, BoardService.class));
    }

    static synchronized BoardService running() {
        return running;
    }

    /** The page is there, and rings when it must. */
    static void pageSpoke() {
        pageSpokeAt = SystemClock.elapsedRealtime();
    }

    @Override public void onCreate() {
        super.onCreate();
        synchronized (BoardService.class) {
            running = this;
        }
        alarm = new Alarm(this);
        vault = new Vault(this);
        about = new About(this);
        notices = new Notices(this);
        Later.startForeground(this, RUNS, note(Words.of(this, "board_runs")), CONNECTED_DEVICE);
        PowerManager power = (PowerManager) getSystemService(POWER_SERVICE);
        awake = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "hatch:board");
        awake.setReferenceCounted(false);
        WifiManager network = (WifiManager) getApplicationContext().getSystemService(WIFI_SERVICE);
        wifi = network.createWifiLock(WifiManager.WIFI_MODE_FULL_HIGH_PERF, "hatch:board");
        wifi.setReferenceCounted(false);
        stayAwake();
        new Thread(this::listen, "orders").start();
        new Thread(this::beat, "heartbeat").start();
    }

    @Override public int onStartCommand(Intent intent, int flags, int id) {
        // Also Android's own alarm, before the shop opens.
        stayAwake();
        return START_STICKY;
    }

    @Override public IBinder onBind(Intent intent) {
        return null;
    }

    @Override public void onDestroy() {
        isOver = true;
        synchronized (BoardService.class) {
            running = null;
        }
        alarm.ring(0, 0);
        rest();
        closeFeed();
        super.onDestroy();
    }

    private void stayAwake() {
        awake.acquire();
        wifi.acquire();
    }

    private void rest() {
        if (awake.isHeld()) awake.release();
        if (wifi.isHeld()) wifi.release();
    }

    /** While the shop is closed and says until when, the tablet may sleep: Android wakes it before the shop opens. */
    private void restUntil(String opens) {
        long at;
        try {
            SimpleDateFormat form = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
            form.setTimeZone(TimeZone.getTimeZone("UTC"));
            at = form.parse(opens).getTime() - WAKES_BEFORE;
        } catch (ParseException e) {
            return;
        }
        if (at <= System.currentTimeMillis()) {
            stayAwake();
            return;
        }
        AlarmManager alarms = (AlarmManager) getSystemService(ALARM_SERVICE);
        PendingIntent wake = PendingIntent.getService(this, 0, new Intent(this, BoardService.class), PendingIntent.FLAG_UPDATE_CURRENT | FLAG_IMMUTABLE);
        alarms.setAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at, wake);
        rest();
    }

    /** The page's own alarm. */
    void ring(double gain, double pause) {
        ringsForPage = gain > 0;
        alarm.ring(gain, pause);
    }

    private Notification note(String text) {
        return notices.make(Notices.BOARD, Words.of(this, "app_name"), text, "/kitchen").setOngoing(true).build();
    }

    private void listen() {
        long wait = 1000;
        while (!isOver) {
            long began = SystemClock.elapsedRealtime();
            try {
                OrderFeed opened = open();
                if (opened == null) return;
                feed = opened;
                opened.listen(new JSONObject(vault.read("realtime")), () -> look(opened));
            } catch (IOException | JSONException | RuntimeException e) {
                if (e instanceof OrderFeed.Revoked) revoked();
            }
            if (SystemClock.elapsedRealtime() - began > 60_000) wait = 1000;
            SystemClock.sleep(wait);
            wait = Math.min(wait * 2, 30_000);
        }
    }

    private void beat() {
        for (int count = 0; !isOver; count++) {
            beatOnce(count % BEATS_PER_CHECK == 0);
            if (!isOver) SystemClock.sleep(BEAT);
        }
    }

    private void beatOnce(boolean looksForUpdate) {
        try {
            OrderFeed asked = open();
            if (asked == null) return;
            JSONObject said = asked.beat(Phone.state(this), about.version);
            look(asked);
            if (said.isNull("closed_until")) stayAwake();
            else restUntil(said.getString("closed_until"));
            Updater updater = Updater.of(this);
            if (updater.isReady() && said.getBoolean("may_install_updates")) updater.installUnattended();
            else if (looksForUpdate) updater.check(false);
        } catch (IOException | JSONException | RuntimeException e) {
            if (e instanceof OrderFeed.Revoked) revoked();
        }
    }

    /** Asks the shop at once whether the tablet is still signed in, as its page has been told that it is not. */
    static void checkSignIn() {
        BoardService service = running();
        if (service != null) new Thread(() -> service.beatOnce(false), "sign-in").start();
    }

    /** Rings for orders that nobody has answered while there is no page to do it. */
    private synchronized void look(OrderFeed asked) {
        try {
            int waiting = asked.unanswered();
            long now = SystemClock.elapsedRealtime();
            boolean pageRings = now - pageSpokeAt < PAGE_SPEAKS && ShellActivity.isShown();
            if (waiting == 0) {
                waitingSince = 0;
                if (!ringsForPage || !pageRings) alarm.ring(0, 0);
                return;
            }
            if (waitingSince == 0) waitingSince = now;
            if (pageRings) return;
            double seconds = (now - waitingSince) / 1000.0;
            alarm.ring(Loudness.gainAfter(seconds), Loudness.pauseAfter(seconds));
            notices.show(WAITING, Words.of(this, "orders_wait", waiting), Words.of(this, "orders_wait_more"), "/kitchen");
        } catch (IOException | JSONException | RuntimeException e) {
            // The connection is away: the next word or beat asks again.
        }
    }

    private OrderFeed open() {
        String shop = Links.shopOf(vault.read("shop"), about.isDebug), store = vault.read("store"), token = vault.read("token");
        if (shop == null || store == null || token == null) {
            isOver = true;
            stopSelf();
            return null;
        }
        return new OrderFeed(shop, store, token, bytes -> Base64.encodeToString(bytes, Base64.NO_WRAP));
    }

    private void revoked() {
        vault.write("token", null);
        ShellActivity.tell("revoked");
        isOver = true;
        stopSelf();
    }

    private void closeFeed() {
        OrderFeed opened = feed;
        if (opened == null) return;
        new Thread(() -> {
            try {
                opened.close();
            } catch (IOException e) {
                // It is over either way.
            }
        }).start();
    }
}
