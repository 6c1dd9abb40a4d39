import { makeStore } from '#platform/web/store.ts';

const key = 'proved_at';

/** Set while a call waits for the person to show who they are; `end` says whether they have. */
export const proofRequest = makeStore<{ end: (isProved: boolean) => void } | null>(() => null, hearOtherTabs);
let asked: Promise<boolean> | null = null;

/** Asks once for all calls that wait. */
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

/** The sign-in is fresh in every tab. */
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
