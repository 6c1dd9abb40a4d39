import { type ReactNode, useEffect, useState } from 'react';
import type { AndroidShell } from '#platform/web/native/android-shell.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { shopNow } from '#platform/web/clock.ts';
import { useShopLoader } from '#shop/web/shop.ts';
import { notify } from '#ui/web/notify.ts';
import { accentColors } from '#store/accent.ts';
import { createPortal } from 'react-dom';
import { m } from '#messages';
import { InstallPermissionPicture } from '#ui/web/install-permission-picture.tsx';
import { nativeShell, type UpdateState } from '#platform/web/native/native-shell.ts';
import { packMenus, unpackMenus } from '#menu/packed-menus.ts';
import type { PackedShop, PublicShop } from '#shop/public-shop.ts';

const keepAfter = 1500;

/** The app's additions to the storefront: links from outside, the cached shop, and offers of updates. */
export function AndroidAppAdditions({ shell }: { shell: AndroidShell }) {
  useEffect(() => shell.ready(), [shell]);
  useLinks(shell);
  useStoredShop();
  return shell.app.updates_itself && <UpdateBand />;
}

function useLinks(shell: AndroidShell): void {
  useEffect(() => {
    const open = (path: string) => {
      if (!path.startsWith('/auth/callback')) return navigate(path);
      // The sign-in page itself redirects once `endSignIn` has signed the customer in.
      navigate('/login', { replace: location.pathname === '/auth/callback' });
      void endSignIn(path);
    };
    if (location.pathname === '/auth/callback') open(location.pathname + location.search);
    return shell.onTold((told) => told.type === 'navigate' && open(told.path));
  }, [shell]);
}

async function endSignIn(path: string): Promise<void> {
  const { finishAppSignIn } = await import('#accounts/web/app-sign-in.ts');
  const problem = await finishAppSignIn(path.split('?')[1] ?? '');
  if (problem !== null) notify({ text: problem });
}

/** Caches the shop for the app's next start, and applies the owner's colour. */
function useStoredShop(): void {
  const shop = useShopLoader();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let kept: unknown = shop.read();
    const look = () => {
      const shown = shop.read();
      applyAccent(shop.readStore()?.accent_color ?? null);
      if (!shown || shown === kept) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        kept = shown;
        void storeShop(shown, new Date(shopNow())).catch(() => undefined);
      }, keepAfter);
    };
    look();
    const stop = shop.subscribe(look);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [shop]);
}

const isDark = matchMedia('(prefers-color-scheme: dark)');
let applied: string | null = null;

/** Applies the owner's colour; on the web the server writes it into pages. */
function applyAccent(color: string | null): void {
  if (color === null || color === applied || !/^#[0-9a-f]{6}$/.test(color)) return;
  applied = color;
  const { light, dark } = accentColors(color);
  const apply = () => {
    for (const [name, value] of Object.entries(isDark.matches ? dark : light)) {
      document.documentElement.style.setProperty(`--${name}`, value);
    }
  };
  apply();
  isDark.addEventListener('change', apply);
}

function UpdateBand() {
  const update = useUpdate();
  const [isLater, setLater] = useState(false);
  const place = document.getElementById('notices');
  if (!update || !place || isLater) return null;
  const words = wordsOf(update);
  if (!words) return null;
  return createPortal(
    <section
      role="status"
      data-update={update.phase}
      className="mx-4 mt-2 grid max-w-md gap-2 sm:mx-auto rounded-box bg-ink p-4 text-paper"
    >
      <p className="font-semibold">{words}</p>
      {update.phase === 'downloading' && <progress className="w-full accent-accent" max={100} value={update.percent} />}
      {update.phase === 'ready' && update.needs_permission && <PermissionSteps />}
      <div className="flex flex-wrap gap-x-4">
        <Actions update={update} />
        {['offered', 'ready', 'failed'].includes(update.phase) && (
          <Button onClick={() => setLater(true)}>{m.platform_update_later()}</Button>
        )}
      </div>
    </section>,
    place,
  );
}

function Actions({ update }: { update: UpdateState }) {
  const shell = nativeShell();
  if (update.phase === 'offered')
    return <Button onClick={() => shell.update('download')}>{m.platform_update_download()}</Button>;
  if (update.phase === 'ready')
    return <Button onClick={() => shell.update('install')}>{m.platform_update_install()}</Button>;
  if (update.phase === 'failed') return <Button onClick={() => shell.update('download')}>{m.platform_retry()}</Button>;
  return null;
}

function Button({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="min-h-11 font-bold underline underline-offset-4" onClick={onClick}>
      {children}
    </button>
  );
}

function PermissionSteps() {
  return (
    <figure className="grid gap-2">
      <figcaption>{m.platform_update_permission()}</figcaption>
      <InstallPermissionPicture />
    </figure>
  );
}

function wordsOf(update: UpdateState): string | null {
  const version = update.version ?? '';
  const megabytes = Math.max(1, Math.round((update.size ?? 0) / 1_000_000));
  switch (update.phase) {
    case 'offered':
      return m.platform_update_offered({ version, megabytes });
    case 'downloading':
      return m.platform_update_downloading({ percent: update.percent });
    case 'ready':
      return m.platform_update_ready({ version });
    case 'installing':
      return m.platform_update_installing();
    case 'failed':
      return update.version === undefined ? null : failedWords(update.problem);
    default:
      return null;
  }
}

function failedWords(problem: string): string {
  if (problem.startsWith('refused')) return m.platform_update_refused();
  return problem === 'install' ? m.platform_update_not_installed() : m.platform_update_broken();
}

function useUpdate(): UpdateState | null {
  const [update, setUpdate] = useState<UpdateState | null>(null);
  useEffect(() => {
    const shell = nativeShell();
    const read = () => setUpdate(shell.state()?.update ?? null);
    read();
    return shell.onChange(read);
  }, []);
  return update;
}

const cacheName = 'shop';
const address = '/kept-shop.json';

export interface StoredShop {
  shop: PublicShop;
  /** When the shop was cached (ISO 8601). */
  seenAt: string;
}

/** Reads the app's cached shop; null at the first start, or if it is unreadable. */
export async function readStoredShop(): Promise<StoredShop | null> {
  try {
    const found = await caches.match(address, { cacheName });
    if (!found) return null;
    // The cast is safe, because `storeShop` has written the file, in this release or an older one.
    const { store, menus, seenAt } = (await found.json()) as PackedShop & { seenAt: string };
    return { shop: { store, menus: unpackMenus(menus) }, seenAt };
  } catch {
    return null;
  }
}

async function storeShop({ store, menus }: PublicShop, seenAt: Date): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = { store, menus: packMenus(menus), seenAt: seenAt.toISOString() };
  await cache.put(address, new Response(JSON.stringify(kept), { headers: { 'content-type': 'application/json' } }));
}
