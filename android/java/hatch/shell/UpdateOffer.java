package hatch.shell;

import org.json.JSONException;
import org.json.JSONObject;

/** A newer version, as `POST /v1/app-release/check-update` offers it. */
final class UpdateOffer {
    static final long LARGEST = 150L << 20;

    final String version;
    final String url;
    final String sha256;
    final long size;
    final String notes;

    private UpdateOffer(String version, String url, String sha256, long size, String notes) {
        this.version = version;
        this.url = url;
        this.sha256 = sha256;
        this.size = size;
        this.notes = notes;
    }

    /** Null unless it is a newer version of a file of the shop itself, with its hash and size. */
    static UpdateOffer read(String json, String shop, String own) {
        try {
            JSONObject said = new JSONObject(json);
            String version = said.getString("version"), url = said.getString("download_url"), sha256 = said.getString("sha256");
            long size = said.getLong("size");
            boolean isGood = Versions.isNewer(version, own) && Links.sameOrigin(url, shop)
                && sha256.matches("[0-9a-f]{64}") && size > 0 && size <= LARGEST;
            if (!isGood) return null;
            String notes = said.optString("notes");
            return new UpdateOffer(version, url, sha256, size, notes.length() > 2000 ? notes.substring(0, 2000) : notes);
        } catch (JSONException | StackOverflowError e) {
            return null;
        }
    }
}
