package hatch.shell;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.view.Gravity;
import android.view.ViewGroup;
import android.webkit.WebStorage;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** Pages without a WebView: its browser is too old, or the app's own page did not start. */
final class NativePages {
    private static final int ALL = ViewGroup.LayoutParams.MATCH_PARENT;

    private NativePages() {}

    /** The browser's update, and this app's own: a later build may run on an older browser. */
    static ViewGroup oldBrowser(Activity activity, Updater updater) {
        LinearLayout page = page(activity, "old_browser", "old_browser_more");
        String browser = WebViews.browserOf(activity);
        if (browser != null) button(activity, page, "old_browser_update", () -> openStore(activity, browser));
        String shop = new About(activity).builtFor;
        if (!shop.isEmpty()) button(activity, page, "old_browser_shop", () -> open(activity, shop));
        addUpdate(activity, page, updater);
        return scrolled(activity, page);
    }

    static ViewGroup failedStarts(Activity activity, Updater updater, Runnable tryAgain) {
        LinearLayout page = page(activity, "failed_starts", "failed_starts_more");
        addUpdate(activity, page, updater);
        button(activity, page, "failed_starts_again", tryAgain);
        button(activity, page, "failed_starts_clear", () -> {
            WebStorage.getInstance().deleteAllData();
            tryAgain.run();
        });
        return scrolled(activity, page);
    }

    private static void addUpdate(Activity activity, LinearLayout page, Updater updater) {
        TextView state = new TextView(activity);
        state.setTextSize(16);
        page.addView(state);
        Button update = button(activity, page, "failed_starts_update", () -> {
            if (updater.isReady()) updater.install();
            else updater.check(true);
        });
        updater.listen(said -> activity.runOnUiThread(() -> {
            String phase = said.optString("phase");
            state.setText(Words.of(activity, "update_" + phase, said.optInt("percent")));
            update.setEnabled(!phase.equals("downloading") && !phase.equals("installing"));
        }));
    }

    private static LinearLayout page(Activity activity, String title, String words) {
        LinearLayout page = new LinearLayout(activity);
        page.setOrientation(LinearLayout.VERTICAL);
        page.setGravity(Gravity.CENTER);
        int room = Math.round(24 * activity.getResources().getDisplayMetrics().density);
        page.setPadding(room, 2 * room, room, 2 * room);
        TextView head = new TextView(activity), body = new TextView(activity);
        head.setText(Words.of(activity, title));
        head.setTextSize(24);
        body.setText(Words.of(activity, words));
        body.setTextSize(16);
        body.setPadding(0, room / 2, 0, room);
        page.addView(head);
        page.addView(body);
        return page;
    }

    private static Button button(Activity activity, LinearLayout page, String words, Runnable run) {
        Button button = new Button(activity);
        button.setText(Words.of(activity, words));
        button.setAllCaps(false);
        button.setOnClickListener(view -> run.run());
        page.addView(button, new LinearLayout.LayoutParams(ALL, ViewGroup.LayoutParams.WRAP_CONTENT));
        return button;
    }

    private static ViewGroup scrolled(Activity activity, LinearLayout page) {
        ScrollView scrolled = new ScrollView(activity);
        scrolled.setFillViewport(true);
        scrolled.addView(page);
        return scrolled;
    }

    /** A phone without Google's store opens its page on the web. */
    private static void openStore(Activity activity, String app) {
        if (!open(activity, "market://details?id=" + app)) open(activity, "https://play.google.com/store/apps/details?id=" + app);
    }

    /** False where no app opens it: the words above say what to do. */
    private static boolean open(Activity activity, String url) {
        try {
            activity.startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(url)));
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
