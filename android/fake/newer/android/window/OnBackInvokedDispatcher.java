package android.window;

public interface OnBackInvokedDispatcher {
    void registerOnBackInvokedCallback(int priority, OnBackInvokedCallback callback);
}
