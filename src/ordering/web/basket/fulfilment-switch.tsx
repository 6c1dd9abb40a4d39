import { m } from '#messages';
import { setBasketFulfilment, useBasketPart } from '#ordering/web/basket/basket-store.ts';
import { useSoonestTimeWords } from '#ordering/web/use-soonest-time.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';
import { chosenFulfilment, offeredFulfilments } from '#store/web/fulfilment.ts';

/**
 * The choice between delivery and collection, each with its earliest time. It leaves out a type that the shop does not
 * offer.
 */
export function FulfilmentSwitch({ store, isWide }: { store: Store; isWide?: boolean }) {
  const soonest = useSoonestTimeWords();
  const fulfilment_type = useBasketPart((held) => held.fulfilment_type);
  const offered = offeredFulfilments(store);
  const chosen = chosenFulfilment(store, { fulfilment_type });
  if (offered.length === 0) return null;
  return (
    <fieldset
      className={`choice grid w-full auto-cols-fr grid-flow-col tight:grid-flow-row rounded-pane border border-line-strong bg-surface p-1 ${isWide ? '' : 'sm:w-auto'}`}
    >
      <legend className="sr-only">{m.store_ways()}</legend>
      {offered.map((type) => (
        <label
          key={type}
          className="flex min-h-11 items-center justify-center gap-2.5 rounded-[1.25rem] px-3 py-1 sm:px-4 has-checked:bg-ink has-checked:text-paper has-checked:forced-color-adjust-none has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text"
        >
          <input
            ref={takeChoice}
            type="radio"
            name="fulfilment"
            value={type}
            className="sr-only"
            checked={type === chosen}
            onChange={() => setBasketFulfilment({ fulfilment_type: type })}
          />
          <Icon name={type} className="size-5 max-[27rem]:hidden" />
          <span className="grid text-left leading-tight">
            <span className="font-semibold">{type === 'delivery' ? m.store_delivery() : m.store_collection()}</span>
            <span className="num text-[0.8125rem]">{soonest(type)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Stores a choice that was made before the script loaded. */
function takeChoice(input: HTMLInputElement | null): void {
  if (!input?.checked || input.defaultChecked) return;
  setBasketFulfilment({ fulfilment_type: input.value === 'delivery' ? 'delivery' : 'collection' });
}
