import { createExternalStore } from '#platform/web/external-store.ts';

const key = 'proved_at';

/** The request while a call waits for a proof, otherwise null. `end` is called with whether the proof was given. */
export const proofRequest = createExternalStore<{ end: (isProved: boolean) => void } | null>(() => null, hearOtherTabs);
let asked: Promise<boolean> | null = null;

/** Asks for a proof, once for all waiting calls. Resolves to whether it was given. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    const end = (isProved: boolean) => {
      asked = null;
      proofRequest.set(null);
      resolve(isProved);
    };
    proofRequest.set({ end });
  });
  return asked;
}

export function notifyOtherTabs(): void {
  localStorage.setItem(key, new Date().toISOString());
}

function hearOtherTabs(): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === key) proofRequest.read()?.end(true);
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
