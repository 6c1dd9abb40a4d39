import { createExternalStore } from '#platform/web/external-store.ts';

const key = 'proved_at';

/**
 * The pending request for a proof; null: no call needs one. `end` is called with true after the proof, and with false
 * if the person gave none.
 */
export const identityProofRequest = createExternalStore<{ end: (isProved: boolean) => void } | null>(
  () => null,
  hearOtherTabs,
);
let asked: Promise<boolean> | null = null;

/**
 * Asks the person to prove their identity, once for all calls that wait for the proof. Resolves to whether the person
 * gave the proof.
 */
export function askForIdentityProof(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    const end = (isProved: boolean) => {
      asked = null;
      identityProofRequest.set(null);
      resolve(isProved);
    };
    identityProofRequest.set({ end });
  });
  return asked;
}

export function notifyOtherTabsOfProof(): void {
  localStorage.setItem(key, new Date().toISOString());
}

function hearOtherTabs(): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === key) identityProofRequest.read()?.end(true);
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
