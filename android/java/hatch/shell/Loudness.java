package hatch.shell;

/** How loud the app rings by itself, for as long as nobody has heard it and the page is silent. */
final class Loudness {
    /** Seconds until it is as loud as the tablet can be. */
    static final int TO_FULL = 120;

    private Loudness() {}

    /** From 0.3 to 1. */
    static double gainAfter(double seconds) {
        return 0.3 + 0.7 * Math.min(1, Math.max(0, seconds) / TO_FULL);
    }

    /** Seconds between two sounds, from 6 to 2. */
    static double pauseAfter(double seconds) {
        return 6 - 4 * Math.min(1, Math.max(0, seconds) / TO_FULL);
    }

    /** The step of the alarm volume for a gain: never the lowest, which many tablets cannot be heard at. */
    static int step(double gain, int most) {
        return Math.max(1, Math.min(most, (int) Math.ceil(gain * most)));
    }
}
