package android.webkit;

/** Of API 26. Only what overrides WebViewClient.onRenderProcessGone names it, which older phones never load. */
public abstract class RenderProcessGoneDetail {
    public abstract boolean didCrash();
}
