package hatch.shell;

import android.app.admin.DeviceAdminReceiver;

/** Lets the app be made the tablet's device owner, which docs/android.md tells. */
public final class BoardAdmin extends DeviceAdminReceiver {}
