import { v4 as uuid } from 'uuid';
import { shorten } from '#platform/graphemes.ts';
import type { NativeShell, PhoneState, PrintJob, PrintOutcome } from '#platform/web/native/native-shell.ts';
import { readApp, readState, readTold, type Told } from '#platform/web/native/shell-messages.ts';

/** The bridge that the app puts into its page (Bridge.java): the answer to a message is JSON. */
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
  /** The page runs: a start that never says so counts as failed. */
  ready(): void;
  boardOn(board: { shop: string; store: string; realtime: string }): void;
  /** Ends the board and forgets the token. False for a wrong PIN, where the tablet is locked by one; the right one unlocks it. */
  signOut(pin: string): boolean;
  /** Whether a stored value could not be read a moment ago: Android's key service was busy. */
  isBusy(): boolean;
  /** Hears everything that the app tells the page. */
  onTold(listener: (told: Told) => void): () => void;
};

const printTimeout = 30_000;

/** The Android app's implementation of `NativeShell`; null on a page that no app has opened. */
export function openAndroidShell(isOwnPath: (path: string) => boolean): AndroidShell | null {
  const bridge = window.HatchBridge;
  const key = takeKey();
  if (!bridge || key === null) return null;
  const send = (type: string, fields: object = {}): Record<string, unknown> => {
    const answer: unknown = JSON.parse(bridge.send(JSON.stringify({ ...fields, type, key })));
    const said = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
    // A programmer's mistake, or an app that is older than its page can be.
    if (typeof said['refused'] === 'string') throw new Error(`The app refused "${type}": ${said['refused']}`);
    return said;
  };
  const app = readApp(send('app'));
  if (!app) return null;
  const { told, onTold } = hearApp(isOwnPath);
  // Every call of the API asks for the token, and to decrypt it takes the phone milliseconds.
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
      // A value that the app does not store is read as before.
      if (send('write', { name, value })['ok'] === true) secrets.set(name, value);
      else secrets.delete(name);
    },
    isBusy: () => isBusy,
    ready: () => void send('ready'),
    boardOn: (board) => void send('board_on', board),
    signOut: (pin) => send('sign_out', { pin })['ok'] === true,
    onTold: (listener) => {
      // Messages before the first listener are not lost.
      for (const each of told.splice(0)) listener(each);
      return onTold(listener);
    },
  };
}

/** The key that only this page was served with. It leaves the document, so that nothing else finds it there. */
function takeKey(): string | null {
  const element = document.querySelector<HTMLMetaElement>('meta[name="shell-key"]');
  element?.remove();
  return element?.content && !element.content.includes('{') ? element.content : null;
}

function hearApp(isOwnPath: (path: string) => boolean) {
  const told: Told[] = [];
  const listeners = new Set<(told: Told) => void>();
  window.hatchNative = (type, data) => {
    const read = readTold(type, data, isOwnPath);
    if (!read) return;
    if (listeners.size === 0) told.push(read);
    for (const listener of listeners) listener(read);
  };
  const onTold = (listener: (told: Told) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { told, onTold };
}

function stateOf(answer: unknown): PhoneState {
  const state = readState(answer);
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
