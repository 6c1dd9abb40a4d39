package hatch.shell;

import android.webkit.PermissionRequest;
import android.webkit.WebChromeClient;

/** What the page may ask of the phone: the camera, for the code of a tablet's set-up. */
final class ShellChrome extends WebChromeClient {
    private final ShellActivity activity;

    ShellChrome(ShellActivity activity) {
        this.activity = activity;
    }

    @Override public void onPermissionRequest(PermissionRequest wanted) {
        boolean isOwn = Links.targetOf(String.valueOf(wanted.getOrigin())) == Links.Target.APP;
        String[] resources = wanted.getResources();
        boolean isCamera = resources.length == 1 && PermissionRequest.RESOURCE_VIDEO_CAPTURE.equals(resources[0]);
        if (isOwn && isCamera) activity.askCamera(wanted);
        else wanted.deny();
    }
}
