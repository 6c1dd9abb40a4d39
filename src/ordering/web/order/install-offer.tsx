import { useEffect, useState } from 'react';
import { m } from '#messages';
import { readStoredOrderIds } from '#ordering/web/order/stored-order-sessions.ts';
import { installPrompt, onInstallPrompt } from '#platform/web/install-prompt.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { Link } from '#platform/web/navigation.tsx';
import { isIosDevice } from '#push/web/this-device.ts';
import type { Store } from '#store/contract.ts';

interface Offer {
  /** Whether the browser installs the shop at a tap. Otherwise a page explains the steps. */
  isAtTap: boolean;
  decline: () => void;
}

/** The page offers to install the shop once this number of orders was placed in this browser. */
const fromOrders = 2;

/**
 * The offer to install the shop on this device. null before the second order, after a refusal, and if the shop is
 * already installed or cannot be installed.
 */
export function useInstallOffer(): Offer | null {
  const [isDeclined, setDeclined] = useState(wasDeclined);
  const [prompt, setPrompt] = useState(installPrompt);
  useEffect(() => onInstallPrompt(() => setPrompt(installPrompt())), []);
  const isInstalled = nativeShell().app || matchMedia('(display-mode: standalone)').matches;
  const isPhone = isIosDevice() || navigator.userAgent.includes('Android');
  if (isDeclined || isInstalled || readStoredOrderIds().length < fromOrders || (!prompt && !isPhone)) return null;
  const decline = () => {
    storeDeclined();
    setDeclined(true);
  };
  return { isAtTap: prompt !== null, decline };
}

export function InstallOffer({ store, isAtTap, decline }: Offer & { store: Store }) {
  const install = async () => {
    await installPrompt()?.prompt();
    decline();
  };
  return (
    <section aria-labelledby="install-title" className="card grid gap-4 p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 id="install-title" className="text-xl">
          {m.ordering_install_title({ shop: store.name })}
        </h2>
        <p>{m.ordering_install()}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {isAtTap ? (
          <button type="button" className="btn btn-primary" onClick={() => void install()}>
            {m.ordering_install_now()}
          </button>
        ) : (
          <Link href="/app" className="btn btn-primary">
            {m.ordering_install_how()}
          </Link>
        )}
        <button type="button" className="btn btn-quiet" onClick={decline}>
          {m.ordering_install_no()}
        </button>
      </div>
    </section>
  );
}

const storageKey = 'install_declined';

function wasDeclined(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return true;
  }
}

function storeDeclined(): void {
  try {
    localStorage.setItem(storageKey, '1');
  } catch {
    // Without storage there is no offer.
  }
}
