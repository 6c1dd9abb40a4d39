export interface AppInfo {
  /** The app's name in the API: `android`, or `android-` and its purpose. */
  platform: string;
  version: string;
  /** Android's package name, which is also the scheme of links into the app. */
  package: string;
  /** The https origin of the shop for which the app was built; empty if the origin is set in the app. */
  shop: string;
  is_debug: boolean;
  /** Whether the app installs its own updates; a build for an app store does not. */
  updates_itself: boolean;
}

export type UpdatePhase = 'none' | 'checking' | 'offered' | 'downloading' | 'ready' | 'installing' | 'failed';

export interface UpdateState {
  phase: UpdatePhase;
  /** The progress of the download, 0–100. */
  percent: number;
  /** The problem of the update: `network`, `install`, `declined` by the person, or `refused: …` with the reason. */
  problem: string;
  /** Whether a person must first allow this app, once, to install its updates. */
  needs_permission: boolean;
  version?: string;
  /** The update's size in bytes. */
  size?: number;
  notes?: string;
}

export interface PhoneState {
  /** The battery's charge in percent; null if Android does not report it. */
  battery: number | null;
  is_charging: boolean;
  is_online: boolean;
  /** The strength of the Wi-Fi signal in bars, 0–4; null if Wi-Fi is not connected. */
  wifi: number | null;
  notifications: 'granted' | 'denied' | 'unasked';
  /** Whether Android lets the app run in the background although that uses the battery. */
  ignores_battery: boolean;
  /** Whether the app is the tablet's device owner, as Android calls it. */
  is_owner: boolean;
  /** Whether the screen is locked to this app. */
  is_locked: boolean;
  update: UpdateState;
}

export interface PrintJob {
  host: string;
  port: number;
  /** The bytes to send, in base64. */
  content: string;
  /** How many bytes of the answer to wait for. */
  reply: number;
}

export interface PrintOutcome {
  /** `failed`: nothing was printed. `unknown`: the job, or a part of it, may have been printed. */
  status: 'sent' | 'failed' | 'unknown';
  detail: string;
  /** The device's answer, in base64. */
  said: string;
}

export interface DeviceNotification {
  id: number;
  title: string;
  text: string;
  path: string;
}

/** Functions of the device for pages: `browserShell` in browsers, `android-shell.ts` and `android/java` in the apps. */
export interface NativeShell {
  /** The properties of the app; null in a browser. */
  readonly app: AppInfo | null;
  /** Opens an external page that returns to this shop: a payment, a sign-in. */
  openPage(url: string): void;
  /** Opens the device's share dialog; false if there is none, or it was cancelled. */
  share(what: { title: string; text: string; url: string }): Promise<boolean>;
  /**
   * Starts the app's ringing; false if the page has to make the sound itself. A gain of 0 stops it; `pause` is in
   * seconds.
   */
  ring(gain: number, pause: number): boolean;
  /** The state of the phone; null in a browser. */
  state(): PhoneState | null;
  /** Calls the listener when the state may have changed; returns the function that ends it. */
  onChange(listener: () => void): () => void;
  askNotifications(): void;
  askBattery(): void;
  notify(notice: DeviceNotification): void;
  keepAwake(isAwake: boolean): void;
  /** Locks the screen to this app, or unlocks it. After a lock with a PIN only the same PIN unlocks it. */
  lock(isOn: boolean, pin: string): void;
  update(action: 'check' | 'download' | 'install'): void;
  /** Sends a job by TCP to a device in the network; null in a browser, which cannot. */
  print: ((job: PrintJob) => Promise<PrintOutcome>) | null;
  /** Reads a value that is stored on this device only. */
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

/** Replaces the browser's shell. An app's page calls this before anything else. */
export function setNativeShell(own: NativeShell): void {
  shell = own;
}
