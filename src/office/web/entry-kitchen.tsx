import '#platform/web/tokens.css';
import '#office/web/dark.css';
import '#office/web/office.css';
import '#ui/web/office/mantine-styles.ts';
import { createRoot, type Root } from 'react-dom/client';
import { clearUser, startSession } from '#accounts/web/session.ts';
import { m } from '#messages';
import { OfficeApp } from '#office/web/office-app.tsx';
import { TabletSetUpPage, TabletStorageBusyPage } from '#office/web/tablet/set-up-tablet.tsx';
import { TabletStatus } from '#office/web/tablet/tablet-status.tsx';
import type { BrowserConfig } from '#platform/browser-config.ts';
import { api, readToken, setApiBase, saveToken } from '#platform/web/api.ts';
import { canAndroidAppOpenPath } from '#pages.ts';
import { type AndroidShell, openAndroidShell } from '#platform/web/native/android-shell.ts';
import { fetchConfig, readCachedConfig, writePageData } from '#platform/web/native/page-config.ts';
import { setNativeShell } from '#platform/web/native/native-shell.ts';

// The entry of the kitchen app. It has only the board, on a tablet that is signed in as a device.

/** The delay before the tablet's storage is read again (ms). */
const waitForKeys = 2000;

const shell = openAndroidShell(canAndroidAppOpenPath);
const element = document.getElementById('root');
if (shell && element) {
  setNativeShell(shell);
  start(shell, createRoot(element)).catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- there is no page to say it
    console.error('The page did not start', error);
  });
}

async function start(app: AndroidShell, root: Root, notice: string | null = null): Promise<void> {
  const shop = app.readSecret('shop');
  const store = app.readSecret('store');
  if (!shop || !store || !readToken()) {
    // Right after a tablet's start its storage cannot be read yet, so it is unknown whether the tablet is signed in.
    if (app.isBusy()) return wait(app, root, notice);
    return setUp(app, root, notice);
  }
  if (location.pathname !== '/kitchen') history.replaceState(null, '', '/kitchen');
  setApiBase(shop);
  const known = readCachedConfig<BrowserConfig>(shop);
  const asked = fetchConfig<BrowserConfig>(shop);
  const config = known ?? (await asked.catch(() => null)) ?? unknownConfig(shop);
  void asked.then((config) => writePageData({ config })).catch(() => undefined);
  setApiBase(config.apiUrl, config.epoch);
  writePageData({ config });
  const { key, host, port } = config.realtime;
  const realtime = { key, host, port, tls: config.apiUrl.startsWith('https:') };
  app.boardOn({ shop, store, realtime: JSON.stringify(realtime) });
  void startSession();
  root.render(
    <>
      <TabletStatus shell={app} onRevoked={() => leave(app, root, '')} onSignOut={(pin) => leave(app, root, pin)} />
      <OfficeApp />
    </>,
  );
}

function setUp(app: AndroidShell, root: Root, notice: string | null): void {
  app.ready();
  root.render(
    <TabletSetUpPage
      notice={notice}
      onSignedIn={(shop, { token, storeId }) => {
        app.writeSecret('shop', shop);
        app.writeSecret('store', storeId);
        saveToken(token);
        void start(app, root);
      }}
    />,
  );
}

/**
 * Signs the tablet out at the request of a person at the tablet or in the office. Returns false if the PIN of a locked
 * tablet is wrong.
 */
function leave(app: AndroidShell, root: Root, pin: string): boolean {
  const token = readToken();
  if (!app.signOut(pin)) return false;
  void endSignIn(app, root, token !== null);
  return true;
}

async function endSignIn(app: AndroidShell, root: Root, isSignedIn: boolean): Promise<void> {
  if (isSignedIn) await api('POST /v1/auth/logout', {}, { timeout: 5000 }).catch(() => null);
  saveToken(null);
  clearUser();
  setUp(app, root, m.office_tablet_signed_out());
}

function wait(app: AndroidShell, root: Root, notice: string | null): void {
  app.ready();
  root.render(<TabletStorageBusyPage />);
  setTimeout(() => void start(app, root, notice), waitForKeys);
}

function unknownConfig(apiUrl: string): BrowserConfig {
  const { hostname, port, protocol } = new URL(apiUrl);
  const realtime = {
    key: '',
    host: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    cluster: 'mt1',
  };
  return { apiUrl, publicUrl: null, map: null, sendsMail: false, signIn: [], realtime };
}
