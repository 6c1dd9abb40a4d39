package hatch.shell;

/** Counts the starts after which the page never said that it runs. */
final class StartCount {
    static final int MOST = 3;

    interface Kept {
        int read();

        void write(int count);
    }

    private final Kept kept;

    StartCount(Kept kept) {
        this.kept = kept;
    }

    /** Counts this start; true where so many before it failed that the page is not shown. */
    boolean begin() {
        int failed = kept.read();
        kept.write(Math.min(failed + 1, 1000));
        return failed >= MOST;
    }

    void succeed() {
        kept.write(0);
    }
}
