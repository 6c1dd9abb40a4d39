import { useEffect, useState } from 'react';
import { m } from '#messages';
import { codeGone, isCodeGone } from '#ui/web/late-part.ts';
import { registerWorker } from '#storefront/web/register-worker.ts';

/** Asks before a new release replaces the page that is being read: half an address may stand in it. */
export function UpdateOffer() {
  const [reload, setReload] = useState<(() => void) | null>(null);
  useEffect(() => {
    void registerWorker((take) => setReload(() => take)).catch(() => undefined);
    const offer = () => setReload(() => () => location.reload());
    if (isCodeGone()) offer();
    addEventListener(codeGone, offer);
    return () => removeEventListener(codeGone, offer);
  }, []);
  if (!reload) return null;
  return (
    <div
      role="status"
      className="mx-auto flex max-w-md flex-wrap items-center justify-between gap-x-3 rounded-box bg-ink py-2 pr-2 pl-4 text-paper"
    >
      <p className="py-1.5">{m.store_update_words()}</p>
      <button
        type="button"
        className="min-h-11 rounded-chip px-2 font-bold underline underline-offset-4"
        onClick={reload}
      >
        {m.store_update_reload()}
      </button>
    </div>
  );
}
