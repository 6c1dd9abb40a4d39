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

    static ViewGroup oldBrowser(Activity activity) {
        LinearLayout page = page(activity, "old_browser", "old_browser_more");
        button(activity, page, "old_browser_update", () -> open(activity, "market://details?id=com.google.android.webview"));
        String shop = new About(activity).builtFor;
        if (!shop.isEmpty()) button(activity, page, "old_browser_shop", () -> open(activity, shop));
        return scrolled(activity, page);
    }

    static ViewGroup failedStarts(Activity activity, Updater updater, Runnable tryAgain) {
        LinearLayout page = page(activity, "failed_starts", "failed_starts_more");
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
        button(activity, page, "failed_starts_again", tryAgain);
        button(activity, page, "failed_starts_clear", () -> {
            WebStorage.getInstance().deleteAllData();
            tryAgain.run();
        });
        return scrolled(activity, page);
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

    private static void open(Activity activity, String url) {
        try {
            activity.startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(url)));
        } catch (RuntimeException e) {
            // No app opens it: the words above say what to do.
        }
    }
}
