package hatch.shell;

import android.content.Context;

/** The app's own words (res/values), in the language of its pages. */
final class Words {
    private Words() {}

    static String of(Context context, String name, Object... values) {
        int id = context.getResources().getIdentifier(name, "string", context.getPackageName());
        return context.getString(id, values);
    }
}
