export interface AppInfo {
  /** The app's platform name in the API: `android`, or `android-` with its purpose. */
  platform: string;
  version: string;
  /** Android's package name, which is also the URL scheme of links into the app. */
  package: string;
  /** The https origin of the shop for which the app was built; empty if the user sets it in the app. */
  shop: string;
  is_debug: boolean;
  /** Whether the app installs its own updates; a build for an app store does not. */
  updates_itself: boolean;
}

export type UpdatePhase = 'none' | 'checking' | 'offered' | 'downloading' | 'ready' | 'installing' | 'failed';

export interface UpdateState {
  phase: UpdatePhase;
  /** The download's progress, 0–100. */
  percent: number;
  /** The update's error: `network`, `install`, `declined` by the person, or `refused: …` with the reason. */
  problem: string;
  /** Whether a person must first allow this app to install its updates; this is needed once. */
  needs_permission: boolean;
  version?: string;
  /** The update's size in bytes. */
  size?: number;
  notes?: string;
}

export interface PhoneState {
  /** The battery charge in percent; null if Android does not report it. */
  battery: number | null;
  is_charging: boolean;
  is_online: boolean;
  /** The Wi-Fi signal in bars, 0–4; null without Wi-Fi. */
  wifi: number | null;
  notifications: 'granted' | 'denied' | 'unasked';
  /** Whether the app is exempt from Android's battery optimisation, so that it may run in the background. */
  ignores_battery: boolean;
  /** Whether the app is the tablet's device owner, an Android privilege. */
  is_owner: boolean;
  is_locked: boolean;
  update: UpdateState;
}

export interface PrintJob {
  host: string;
  port: number;
  /** The bytes to send, in base64. */
  content: string;
  /** The number of response bytes to wait for. */
  reply: number;
}

export interface PrintOutcome {
  /** `failed`: nothing was printed. `unknown`: all or part of the job may have been printed. */
  status: 'sent' | 'failed' | 'unknown';
  detail: string;
  /** The device's response, in base64. */
  said: string;
}

export interface DeviceNotification {
  id: number;
  title: string;
  text: string;
  path: string;
}

/**
 * The device functions for pages. `browserShell` implements them in browsers, `android-shell.ts` and `android/java` in
 * the apps.
 */
export interface NativeShell {
  /** The app's properties; null in a browser. */
  readonly app: AppInfo | null;
  /** Opens an external page that returns to this shop, such as a payment or sign-in page. */
  openPage(url: string): void;
  /** Opens the device's share dialog; false if there is none, or if a browser reports that the person cancelled it. */
  share(what: { title: string; text: string; url: string }): Promise<boolean>;
  /**
   * Starts the ringing of the app; false: the page must make the sound itself. A `gain` of 0 stops the ringing.
   * `pause`: the seconds from the start of a tone to the next tone.
   */
  ring(gain: number, pause: number): boolean;
  /** The phone's state; null in a browser. */
  state(): PhoneState | null;
  /** Calls the listener when the state may have changed; returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
  askNotifications(): void;
  askBattery(): void;
  notify(notice: DeviceNotification): void;
  keepAwake(isAwake: boolean): void;
  /** Locks the screen to this app, or ends the lock. A lock that was set with a PIN ends only with the same PIN. */
  lock(isOn: boolean, pin: string): void;
  update(action: 'check' | 'download' | 'install'): void;
  /** Sends a job by TCP to a device in the network; null in a browser, which cannot do that. */
  print: ((job: PrintJob) => Promise<PrintOutcome>) | null;
  /**
   * Reads a secret value, which the Android app encrypts with a key of this device. A browser stores it unencrypted.
   */
  readSecret(name: string): string | null;
  writeSecret(name: string, value: string | null): void;
}

const nothing = () => undefined;

export const browserShell: NativeShell = {
  app: null,
  openPage: (url) => location.assign(url),
  share: (what) =>
    'share' in navigator
      ? navigator.share(what).then(
          () => true,
          () => false,
        )
      : Promise.resolve(false),
  ring: () => false,
  state: () => null,
  onChange: () => nothing,
  askNotifications: nothing,
  askBattery: nothing,
  notify: nothing,
  keepAwake: nothing,
  lock: nothing,
  update: nothing,
  print: null,
  readSecret: (name) => localStorage.getItem(name),
  writeSecret(name, value) {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  },
};

let shell = browserShell;

export const nativeShell = (): NativeShell => shell;

/** Replaces `browserShell` by the shell of an app. The pages of the apps call this at their start. */
export function setNativeShell(own: NativeShell): void {
  shell = own;
}
