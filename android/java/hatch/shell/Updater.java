package hatch.shell;

import android.content.Context;
import android.content.SharedPreferences;
import android.net.ConnectivityManager;
import android.os.Build;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Looks for an update at every start, beside the page and without it: a page that is broken cannot keep the app from
 * its mending. One at a time, for as long as the process lives.
 */
final class Updater {
    interface Listener {
        void updateChanged(JSONObject state);
    }

    private static final long LARGEST_ANSWER = 64 << 10;
    private static final int NOTICE = 4;
    /** What a person was last asked on behalf of the board: the version, and what for. */
    private static final String ASKED = "asked_update";

    private static Updater only;

    private final Context context;
    private final About about;
    private final Vault vault;
    private final PackageGateway packages;
    private Listener listener;
    private Thread work;
    private UpdateOffer offer;
    private File ready;
    /** none, checking, offered, downloading, ready, installing or failed. */
    private String phase = "none";
    private int percent;
    private String problem = "";

    private Updater(Context context) {
        this.context = context;
        about = new About(context);
        vault = new Vault(context);
        packages = new PackageGateway(context);
    }

    static synchronized Updater of(Context context) {
        if (only == null) only = new Updater(context.getApplicationContext());
        return only;
    }

    synchronized void listen(Listener listener) {
        this.listener = listener;
    }

    synchronized JSONObject state() {
        try {
            JSONObject state = new JSONObject().put("phase", phase).put("percent", percent).put("problem", problem);
            state.put("needs_permission", about.updatesItself && !mayInstall());
            if (offer == null) return state;
            if (phase.equals("ready") && kept().getString(ASKED, "").equals(question("install"))) state.put("problem", "declined");
            return state.put("version", offer.version).put("size", offer.size).put("notes", offer.notes);
        } catch (JSONException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks the shop, and downloads on a network that costs nothing by the megabyte, or when a person has agreed. */
    synchronized void check(boolean mayDownload) {
        if (!about.updatesItself || isWorking() || phase.equals("ready") || phase.equals("installing")) return;
        work = new Thread(() -> run(mayDownload), "update");
        work.start();
    }

    /** Installs what is verified. Android asks the person where it must. */
    synchronized void install() {
        if (ready == null || !phase.equals("ready")) return;
        if (!mayInstall()) {
            packages.askToInstall();
            return;
        }
        phase = "installing";
        tell();
        File apk = ready;
        work = new Thread(() -> {
            try {
                packages.install(apk);
            } catch (IOException | RuntimeException e) {
                fail("install");
            }
        }, "install");
        work.start();
    }

    /**
     * Installs for the board, which asks each minute while its shop is closed. Where a person has to agree, they are asked
     * once for a version: from then on the board's page leads there.
     */
    synchronized void installUnattended() {
        if (!isReady()) return;
        boolean needsPermission = !mayInstall();
        if (kept().getString(ASKED, "").equals(question(needsPermission ? "permission" : "install"))) return;
        if (!needsPermission) {
            install();
            return;
        }
        kept().edit().putString(ASKED, question("permission")).commit();
        new Notices(context).show(NOTICE, Words.of(context, "update_permission"), Words.of(context, "update_permission_more"), "/kitchen");
    }

    /** The person at the board agrees by now: Android's page where the permission is missing, else at the next chance. */
    void askAgain() {
        kept().edit().remove(ASKED).commit();
        if (!mayInstall()) packages.askToInstall();
    }

    /** Android asks the device owner for nothing. */
    private boolean mayInstall() {
        return Lock.isOwner(context) || Later.mayInstall(context.getPackageManager());
    }

    private String question(String about) {
        return (offer == null ? "" : offer.version) + " " + about;
    }

    private SharedPreferences kept() {
        return context.getSharedPreferences("app", Context.MODE_PRIVATE);
    }

    /** Android's own word on the installation: this process ends when it succeeds. */
    synchronized void installEnded(boolean wasCancelled) {
        phase = wasCancelled ? "ready" : "failed";
        problem = wasCancelled ? "" : "install";
        if (wasCancelled && about.isKitchen) kept().edit().putString(ASKED, question("install")).commit();
        tell();
    }

    synchronized boolean isReady() {
        return phase.equals("ready");
    }

    private boolean isWorking() {
        return work != null && work.isAlive();
    }

    private void run(boolean mayDownload) {
        try {
            String shop = shop();
            if (shop == null) return;
            change("checking", "");
            UpdateOffer found = ask(shop);
            synchronized (this) {
                offer = found;
            }
            if (found == null) {
                new UpdateFile(packages, folder()).dropAllBut();
                change("none", "");
                return;
            }
            change("offered", "");
            if (!mayDownload && isMetered()) return;
            packages.hear(this::progress);
            change("downloading", "");
            File apk = new UpdateFile(packages, folder()).fetch(found, shop);
            synchronized (this) {
                ready = apk;
            }
            change("ready", "");
        } catch (UpdateFile.Refused e) {
            fail("refused: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            fail("network");
        }
    }

    private UpdateOffer ask(String shop) throws IOException {
        HttpURLConnection call = packages.open(new URL(shop + "/v1/app-release/check-update"));
        call.setInstanceFollowRedirects(false);
        call.setConnectTimeout(10_000);
        call.setReadTimeout(15_000);
        call.setRequestMethod("POST");
        call.setDoOutput(true);
        call.setRequestProperty("Content-Type", "application/json");
        call.setRequestProperty("X-App-Install", about.install);
        try {
            JSONObject body = new JSONObject().put("platform", about.platform()).put("current_version", about.version);
            call.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
            int status = call.getResponseCode();
            if (status == 204) return null;
            if (status != 200) throw new IOException("The shop answered " + status + ".");
            return UpdateOffer.read(text(call.getInputStream()), shop, about.version);
        } catch (JSONException e) {
            throw new IllegalStateException(e);
        } finally {
            call.disconnect();
        }
    }

    private static String text(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = new byte[8192];
        for (int n; (n = in.read(bytes)) > 0; ) {
            out.write(bytes, 0, n);
            if (out.size() > LARGEST_ANSWER) throw new IOException("The answer is too long.");
        }
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    private String shop() {
        return Links.shopOf(about.isKitchen ? vault.read("shop") : about.builtFor, about.isDebug);
    }

    private File folder() {
        File folder = new File(context.getCacheDir(), "update");
        folder.mkdirs();
        return folder;
    }

    private boolean isMetered() {
        ConnectivityManager networks = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
        return networks == null || networks.isActiveNetworkMetered();
    }

    private synchronized void progress(int percent) {
        this.percent = percent;
        tell();
    }

    private void fail(String why) {
        change("failed", why);
    }

    private synchronized void change(String phase, String problem) {
        this.phase = phase;
        this.problem = problem;
        if (!phase.equals("downloading")) percent = 0;
        tell();
    }

    private void tell() {
        if (listener != null) listener.updateChanged(state());
    }

    /** Whether Android installs without asking: from 12 on, what this app has installed itself. */
    static boolean mayBeSilent() {
        return Build.VERSION.SDK_INT >= 31;
    }
}
