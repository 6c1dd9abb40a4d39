package hatch.shell;

import android.content.Context;
import android.media.AudioManager;
import android.media.ToneGenerator;
import android.os.Handler;
import android.os.Looper;

/** Rings at the tablet's alarm volume, also with its screen off, until it is told to stop. */
final class Alarm {
    private static final int SOUND = 1200;

    private final AudioManager audio;
    private final Handler main = new Handler(Looper.getMainLooper());
    private final Runnable next = this::sound;
    private ToneGenerator tone;
    private int before = -1;
    private double gain;
    private double pause;

    Alarm(Context context) {
        audio = (AudioManager) context.getSystemService(Context.AUDIO_SERVICE);
    }

    /** A gain of 0 stops it. The same again changes only how loud and how often. */
    synchronized void ring(double gain, double pause) {
        boolean isSilent = this.gain == 0;
        this.gain = gain;
        this.pause = Math.max(1.5, pause);
        if (gain == 0) stop();
        else if (isSilent) main.post(next);
    }

    synchronized boolean isRinging() {
        return gain > 0;
    }

    private synchronized void sound() {
        if (gain == 0) return;
        try {
            if (before < 0) before = audio.getStreamVolume(AudioManager.STREAM_ALARM);
            audio.setStreamVolume(AudioManager.STREAM_ALARM, Loudness.step(gain, audio.getStreamMaxVolume(AudioManager.STREAM_ALARM)), 0);
        } catch (SecurityException e) {
            // "Do not disturb" keeps the volume: it sounds as loud as it is set.
        }
        try {
            if (tone == null) tone = new ToneGenerator(AudioManager.STREAM_ALARM, ToneGenerator.MAX_VOLUME);
            tone.startTone(ToneGenerator.TONE_CDMA_ALERT_CALL_GUARD, SOUND);
        } catch (RuntimeException e) {
            tone = null; // The sound system is starting again: the next one sounds.
        }
        main.postDelayed(next, (long) (pause * 1000));
    }

    private void stop() {
        main.removeCallbacks(next);
        if (tone != null) tone.release();
        tone = null;
        try {
            if (before >= 0) audio.setStreamVolume(AudioManager.STREAM_ALARM, before, 0);
        } catch (SecurityException e) {
            // As above.
        }
        before = -1;
    }
}
