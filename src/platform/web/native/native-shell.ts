/** The properties of a build of the app. */
export interface AppInfo {
  /** Its name in the API: `android`, or `android-` and its purpose. */
  platform: string;
  version: string;
  /** Also the scheme of links into the app. */
  package: string;
  /** The https origin of its shop; empty if the app is configured with one. */
  shop: string;
  is_debug: boolean;
  /** Whether it installs its own updates; a store's build does not. */
  updates_itself: boolean;
}

export type UpdatePhase = 'none' | 'checking' | 'offered' | 'downloading' | 'ready' | 'installing' | 'failed';

export interface UpdateState {
  phase: UpdatePhase;
  /** Of the download, 0–100. */
  percent: number;
  /** `network`, `install`, `declined` by the person, or `refused: …` with the file's fault. */
  problem: string;
  /** Android asks once whether this app may install its updates. */
  needs_permission: boolean;
  version?: string;
  /** Bytes. */
  size?: number;
  notes?: string;
}

export interface PhoneState {
  /** Percent; null if Android does not report it. */
  battery: number | null;
  is_charging: boolean;
  is_online: boolean;
  /** Bars of the Wi-Fi, 0–4; null without Wi-Fi. */
  wifi: number | null;
  notifications: 'granted' | 'denied' | 'unasked';
  /** Android does not put the app to sleep. */
  ignores_battery: boolean;
  /** The app is the tablet's device owner. */
  is_owner: boolean;
  /** The screen is kept on this app. */
  is_locked: boolean;
  update: UpdateState;
}

export interface PrintJob {
  host: string;
  port: number;
  /** Base64. */
  content: string;
  /** Bytes of the device's answer to wait for. */
  reply: number;
}

export interface PrintOutcome {
  /** `failed`: certainly not on paper. `unknown`: part of it may be. */
  status: 'sent' | 'failed' | 'unknown';
  detail: string;
  /** The device's answer, in base64. */
  said: string;
}

export interface Notice {
  id: number;
  title: string;
  text: string;
  /** The page that a tap opens. */
  path: string;
}

/**
 * Device functions for pages: `browserShell` in browsers, `android-shell.ts` in the Android app, whose side is
 * `android/java`.
 */
export interface NativeShell {
  /** Null in a browser. */
  readonly app: AppInfo | null;
  /** Opens an external page that returns to this shop: a payment, a sign-in. */
  openPage(url: string): void;
  /** False if sharing is impossible or was cancelled. */
  share(what: { title: string; text: string; url: string }): Promise<boolean>;
  /** False: the page makes the sound itself. A gain of 0 stops it; `pause` is in seconds. */
  ring(gain: number, pause: number): boolean;
  /** Null in a browser. */
  state(): PhoneState | null;
  /** Calls back after possible changes of the state. */
  onChange(listener: () => void): () => void;
  askNotifications(): void;
  askBattery(): void;
  notify(notice: Notice): void;
  keepAwake(isAwake: boolean): void;
  /** Keeps the screen on this app; with a PIN only that PIN ends it. */
  lock(isOn: boolean, pin: string): void;
  update(action: 'check' | 'download' | 'install'): void;
  /** Null: a browser cannot reach a device by TCP. */
  print: ((job: PrintJob) => Promise<PrintOutcome>) | null;
  /** A stored value that only this device can read. */
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

/** The app's entry calls it first. */
export function setShell(own: NativeShell): void {
  shell = own;
}
