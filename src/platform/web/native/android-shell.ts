import { v4 as uuid } from 'uuid';
import { shorten } from '#platform/graphemes.ts';
import type {
  AppInfo,
  NativeShell,
  PhoneState,
  PrintJob,
  PrintOutcome,
  UpdatePhase,
  UpdateState,
} from '#platform/web/native/native-shell.ts';

/** The object through which a page calls the Android app (Bridge.java). Messages and responses are JSON. */
interface HatchBridge {
  send(message: string): string;
}

declare global {
  interface Window {
    HatchBridge?: HatchBridge;
    hatchNative?: (type: unknown, data: unknown) => void;
  }
}

export type AndroidShell = NativeShell & {
  app: NonNullable<NativeShell['app']>;
  /** Tells the app that its page runs; without this call the app treats the start as failed. */
  ready(): void;
  boardOn(board: { shop: string; store: string; realtime: string }): void;
  /**
   * Signs the board out and deletes the token. On a locked tablet the PIN unlocks the screen; false: the PIN is wrong.
   */
  signOut(pin: string): boolean;
  /** Whether the last secret could not be read because Android's key service was busy. */
  isBusy(): boolean;
  /** Calls the listener with each message of the app; returns the unsubscribe function. */
  onTold(listener: (told: ShellMessage) => void): () => void;
};

const printTimeout = 30_000;

/** The Android app's implementation of `NativeShell`; null on a page outside the app. */
export function openAndroidShell(isOwnPath: (path: string) => boolean): AndroidShell | null {
  const bridge = window.HatchBridge;
  const key = takeKey();
  if (!bridge || key === null) return null;
  const send = (type: string, fields: object = {}): Record<string, unknown> => {
    const answer: unknown = JSON.parse(bridge.send(JSON.stringify({ ...fields, type, key })));
    const said = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
    // The app refuses a malformed message, and a message that the app is too old to know.
    if (typeof said['refused'] === 'string') throw new Error(`The app refused "${type}": ${said['refused']}`);
    return said;
  };
  const app = readAppInfo(send('app'));
  if (!app) return null;
  const { told, onTold } = hearApp(isOwnPath);
  // Secrets are cached, because every call needs the token, and decryption takes milliseconds.
  const secrets = new Map<string, string | null>();
  let isBusy = false;
  return {
    app,
    openPage: (url) => void send('open', { url: new URL(url, app.shop || location.href).href }),
    async share({ title, text, url }) {
      send('share', { title: shorten(title, 200), text: shorten(text, 1000), url });
      return true;
    },
    ring: (gain, pause) => send('alarm', { gain, pause })['ok'] === true,
    state: () => stateOf(send('state')),
    onChange: (listener) => onTold(({ type }) => (type === 'state' || type === 'update') && listener()),
    askNotifications: () => void send('ask_notifications'),
    askBattery: () => void send('ask_battery'),
    notify: ({ id, title, text, path }) =>
      void send('notify', { id, title: shorten(title, 200), text: shorten(text, 500), path }),
    keepAwake: (isAwake) => void send('screen', { awake: isAwake }),
    lock: (isOn, pin) => void send('lock', { on: isOn, pin }),
    update: (action) => void send('update', { action }),
    print: (job) => print(send, onTold, job),
    readSecret(name) {
      const known = secrets.get(name);
      if (known !== undefined) return known;
      const { value, later } = send('read', { name });
      isBusy = later === true;
      const read = typeof value === 'string' ? value : null;
      if (!isBusy) secrets.set(name, read);
      return read;
    },
    writeSecret(name, value) {
      // If the app could not store the value, nothing is cached, so the next read asks the app.
      if (send('write', { name, value })['ok'] === true) secrets.set(name, value);
      else secrets.delete(name);
    },
    isBusy: () => isBusy,
    ready: () => void send('ready'),
    boardOn: (board) => void send('board_on', board),
    signOut: (pin) => send('sign_out', { pin })['ok'] === true,
    onTold: (listener) => {
      // Messages that arrived before the first listener are passed on now.
      for (const each of told.splice(0)) listener(each);
      return onTold(listener);
    },
  };
}

/**
 * Reads the key that scripts need to call the app, and removes it from the document, so that no other script can read
 * it.
 */
function takeKey(): string | null {
  const element = document.querySelector<HTMLMetaElement>('meta[name="shell-key"]');
  element?.remove();
  return element?.content && !element.content.includes('{') ? element.content : null;
}

function hearApp(isOwnPath: (path: string) => boolean) {
  const told: ShellMessage[] = [];
  const listeners = new Set<(told: ShellMessage) => void>();
  window.hatchNative = (type, data) => {
    const read = readShellMessage(type, data, isOwnPath);
    if (!read) return;
    if (listeners.size === 0) told.push(read);
    for (const listener of listeners) listener(read);
  };
  const onTold = (listener: (told: ShellMessage) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { told, onTold };
}

function stateOf(answer: unknown): PhoneState {
  const state = readPhoneState(answer);
  if (!state) throw new Error('The state of the phone cannot be read.');
  return state;
}

function print(
  send: (type: string, fields: object) => unknown,
  onTold: AndroidShell['onTold'],
  printJob: PrintJob,
): Promise<PrintOutcome> {
  const job = uuid();
  return new Promise((resolve) => {
    const end = (outcome: PrintOutcome) => {
      clearTimeout(timer);
      stop();
      resolve(outcome);
    };
    const stop = onTold((told) => told.type === 'printed' && told.job === job && end(told.outcome));
    const timer = setTimeout(() => end({ status: 'unknown', detail: 'No answer.', said: '' }), printTimeout);
    send('print', { ...printJob, job });
  });
}

type ShellMessage =
  | { type: 'state' | 'revoked' | 'no_app' | 'wrong_pin' }
  | { type: 'update'; update: UpdateState }
  | { type: 'navigate'; path: string }
  | { type: 'printed'; job: string; outcome: PrintOutcome };

type Fields = Record<string, unknown>;
const phases: readonly UpdatePhase[] = ['none', 'checking', 'offered', 'downloading', 'ready', 'installing', 'failed'];
const outcomes = ['sent', 'failed', 'unknown'] as const;
const permissions = ['granted', 'denied', 'unasked'] as const;
/** Validates a message of the app; null: invalid. `isOwnPath`: whether the app may open a page at this path. */
export function readShellMessage(
  type: unknown,
  data: unknown,
  isOwnPath: (path: string) => boolean,
): ShellMessage | null {
  const fields = fieldsOf(data);
  switch (type) {
    case 'state':
    case 'revoked':
    case 'no_app':
    case 'wrong_pin':
      return { type };
    case 'update': {
      const update = readUpdate(fields);
      return update && { type, update };
    }
    case 'navigate': {
      const { path } = fields;
      return typeof path === 'string' && isOwnPath(path) ? { type, path } : null;
    }
    case 'printed': {
      const { job, status, detail, said } = fields;
      const known = outcomes.find((each) => each === status);
      if (!known || typeof job !== 'string' || typeof detail !== 'string' || typeof said !== 'string') return null;
      return { type, job, outcome: { status: known, detail: detail.slice(0, 300), said } };
    }
    default:
      return null;
  }
}

export function readAppInfo(data: unknown): AppInfo | null {
  const { platform, version, package: name, shop, is_debug: isDebug, updates_itself: updates } = fieldsOf(data);
  if (typeof platform !== 'string' || !/^android(-[a-z]+)?$/.test(platform)) return null;
  if (typeof version !== 'string' || typeof name !== 'string' || typeof shop !== 'string') return null;
  return { platform, version, package: name, shop, is_debug: isDebug === true, updates_itself: updates === true };
}

export function readPhoneState(data: unknown): PhoneState | null {
  const fields = fieldsOf(data);
  const update = readUpdate(fieldsOf(fields['update']));
  const notifications = permissions.find((each) => each === fields['notifications']);
  if (!update || !notifications) return null;
  return {
    battery: numberOf(fields['battery'], 100),
    is_charging: fields['is_charging'] === true,
    is_online: fields['is_online'] === true,
    wifi: numberOf(fields['wifi'], 4),
    notifications,
    ignores_battery: fields['ignores_battery'] === true,
    is_owner: fields['is_owner'] === true,
    is_locked: fields['is_locked'] === true,
    update,
  };
}

function readUpdate(fields: Fields): UpdateState | null {
  const phase = phases.find((each) => each === fields['phase']);
  const percent = numberOf(fields['percent'], 100);
  if (!phase || percent === null) return null;
  const { version, size, notes, problem } = fields;
  return {
    phase,
    percent,
    problem: typeof problem === 'string' ? problem : '',
    needs_permission: fields['needs_permission'] === true,
    ...(typeof version === 'string' && { version }),
    ...(typeof size === 'number' && { size }),
    ...(typeof notes === 'string' && { notes }),
  };
}

function fieldsOf(data: unknown): Fields {
  return typeof data === 'object' && data !== null ? (data as Fields) : {};
}

function numberOf(value: unknown, most: number): number | null {
  return typeof value === 'number' && value >= 0 && value <= most ? value : null;
}
