package hatch.shell;

import android.content.Context;

/** The app's own words, in the language of the phone (res/values). */
final class Words {
    private Words() {}

    static String of(Context context, String name, Object... values) {
        int id = context.getResources().getIdentifier(name, "string", context.getPackageName());
        return context.getString(id, values);
    }
}
