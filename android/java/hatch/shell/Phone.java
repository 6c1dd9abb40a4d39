package hatch.shell;

import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import android.net.wifi.WifiInfo;
import android.net.wifi.WifiManager;
import android.os.BatteryManager;
import org.json.JSONException;
import org.json.JSONObject;

/** The phone's battery, charger and network. */
final class Phone {
    private Phone() {}

    /** {battery: 0–100 or null, is_charging, wifi: 0–4 or null, is_online} */
    @SuppressWarnings("deprecation") // What replaced these calls is younger than the oldest phone here.
    static JSONObject state(Context context) throws JSONException {
        Intent battery = context.registerReceiver(null, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
        JSONObject state = new JSONObject().put("battery", JSONObject.NULL).put("is_charging", false);
        if (battery != null) {
            int level = battery.getIntExtra(BatteryManager.EXTRA_LEVEL, -1), scale = battery.getIntExtra(BatteryManager.EXTRA_SCALE, 0);
            if (level >= 0 && scale > 0) state.put("battery", level * 100 / scale);
            state.put("is_charging", battery.getIntExtra(BatteryManager.EXTRA_PLUGGED, 0) != 0);
        }
        ConnectivityManager networks = (ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE);
        NetworkInfo network = networks == null ? null : networks.getActiveNetworkInfo();
        boolean isOnline = network != null && network.isConnected();
        state.put("is_online", isOnline).put("wifi", JSONObject.NULL);
        if (!isOnline || network.getType() != ConnectivityManager.TYPE_WIFI) return state;
        WifiManager wifi = (WifiManager) context.getApplicationContext().getSystemService(Context.WIFI_SERVICE);
        WifiInfo link = wifi == null ? null : wifi.getConnectionInfo();
        return link == null ? state : state.put("wifi", WifiManager.calculateSignalLevel(link.getRssi(), 5));
    }
}
