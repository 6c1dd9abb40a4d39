import { useEffect } from 'react';
import type { AndroidShell } from '#platform/web/native/android-shell.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { shopNow } from '#platform/web/clock.ts';
import { useShopStore } from '#shop/web/shop.ts';
import { UpdateBand } from '#storefront/web/android/update-band.tsx';
import { applyAccent } from '#storefront/web/android/accent-style.ts';
import { keepShop } from '#storefront/web/android/kept-shop.ts';
import { notify } from '#ui/web/notify.ts';

const keepAfter = 1500;

/** What the app adds around the storefront: links from outside, the shop for the next start, updates. */
export function AppParts({ shell }: { shell: AndroidShell }) {
  useEffect(() => shell.ready(), [shell]);
  useLinks(shell);
  useKeptShop();
  return shell.app.updates_itself && <UpdateBand />;
}

function useLinks(shell: AndroidShell): void {
  useEffect(() => {
    const open = (path: string) => {
      if (!path.startsWith('/auth/callback')) return navigate(path);
      // The page of the sign-in continues by itself once somebody is signed in.
      navigate('/login', { replace: location.pathname === '/auth/callback' });
      void endSignIn(path);
    };
    if (location.pathname === '/auth/callback') open(location.pathname + location.search);
    return shell.onTold((told) => told.type === 'navigate' && open(told.path));
  }, [shell]);
}

async function endSignIn(path: string): Promise<void> {
  const { endAppSignIn } = await import('#accounts/web/app-sign-in.ts');
  const problem = await endAppSignIn(path.split('?')[1] ?? '');
  if (problem !== null) notify({ text: problem });
}

/** The shop for the next start, in its owner's colour. */
function useKeptShop(): void {
  const shop = useShopStore();
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
        void keepShop(shown, new Date(shopNow())).catch(() => undefined);
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
