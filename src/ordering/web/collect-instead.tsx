import { m } from '#messages';
import { setFulfilment } from '#ordering/web/basket-store.ts';
import { timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';
import { readyWords } from '#store/ready-words.ts';
import { offeredFulfilments, soonestReady } from '#store/web/fulfilment.ts';

interface CollectInsteadProps {
  store: Store;
  /** Of the basket's slowest dish. */
  prepMinutes: number;
  onCollect: () => void;
}

const grid = 5 * 60_000;

/** Offers collection of the same basket to customers who live too far away. */
export function CollectInstead({ store, prepMinutes, onCollect }: CollectInsteadProps) {
  const now = useNow();
  const ready = soonestReady(store, 'collection', '', now, prepMinutes);
  if (!ready || !offeredFulfilments(store).includes('collection')) return null;
  const about = new Date(Math.ceil(Date.parse(ready.at) / grid) * grid);
  const words = ready.isSoon
    ? m.ordering_collect_instead({ time: timeWords(about, store.timezone) })
    : m.ordering_collect_instead_later({ when: readyWords(ready, now, store.timezone) });
  return (
    <div>
      <button
        type="button"
        className="btn btn-quiet num text-left"
        onClick={({ currentTarget: { form } }) => {
          setFulfilment({ fulfilment_type: 'collection' });
          onCollect();
          // This button is about to disappear; the focus goes to the time, where the choice is shown.
          form?.querySelector<HTMLInputElement>('input[name="fulfilment"][value="collection"]')?.focus();
        }}
      >
        <Icon name="bag" />
        {words}
      </button>
    </div>
  );
}
