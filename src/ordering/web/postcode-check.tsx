import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { readBasket, setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import { useSoonestTimeWords } from '#ordering/web/use-soonest-time.ts';
import { formatMoney } from '#platform/money.ts';
import { fieldId } from '#ui/web/field.tsx';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { normalisePostcode, parsePostcode, postcodeFaultWords } from '#store/postcodes.ts';

type Answer = { isGood: boolean; words: string };
type Soonest = ReturnType<typeof useSoonestTimeWords>;

interface PostcodeCheckProps {
  store: Store;
  /** For a field that a tap opened: it takes the focus. Called once the shop delivers to the typed postcode. */
  onDelivered?: () => void;
}

/** A field that says at once whether the shop delivers to a postcode, and stores the postcode for the order. */
export function PostcodeCheck({ store, onDelivered }: PostcodeCheckProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const soonest = useSoonestTimeWords();
  const answer = asked === null ? null : answerFor(store, asked, soonest);
  const check = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('postcode');
    const text = typeof typed === 'string' ? typed : '';
    setAsked(text);
    if (!answerFor(store, text, soonest).isGood) return;
    setBasketFulfilment({ fulfilment_type: 'delivery', postcode: normalisePostcode(text) ?? '' });
    onDelivered?.();
  };
  return (
    <form onSubmit={check} className="grid gap-2" noValidate>
      <label htmlFor={fieldId('check-postcode')} className="font-semibold">
        {m.store_check_label()}
      </label>
      <div className="flex gap-2">
        <input
          id={fieldId('check-postcode')}
          name="postcode"
          className="control num max-w-44 uppercase placeholder:normal-case"
          autoComplete="postal-code"
          autoCapitalize="characters"
          spellCheck={false}
          ref={onDelivered && focusField}
          placeholder={m.store_check_example()}
          aria-describedby="postcode-answer"
          onFocus={(event) => (event.currentTarget.value ||= readBasket().postcode)}
        />
        <button type="submit" className="btn btn-quiet">
          {m.store_check()}
        </button>
      </div>
      <p
        id="postcode-answer"
        role="status"
        className={`flex min-h-6 items-start gap-2 font-semibold ${answer?.isGood ? 'text-good-text' : 'text-warn-text'}`}
      >
        {answer && <Icon name={answer.isGood ? 'check' : 'info'} className="mt-0.5 size-5" />}
        <span>{answer?.words}</span>
      </p>
    </form>
  );
}

function focusField(field: HTMLInputElement | null): void {
  field?.focus();
}

function answerFor(store: Store, text: string, soonest: Soonest): Answer {
  const postcode = parsePostcode(text);
  if (!postcode) return { isGood: false, words: postcodeFaultWords(text) };
  const zone = findZone(store.delivery_zones, postcode);
  if (!zone) return { isGood: false, words: m.ordering_outside_zones({ outward: postcode.outward }) };
  const fee = zone.fee === 0 ? m.store_delivery_free() : formatMoney(zone.fee, store.currency);
  const time = soonest('delivery', text);
  if (zone.minimum_order === 0) return { isGood: true, words: m.store_check_yes_any({ fee, time }) };
  const minimum = formatMoney(zone.minimum_order, store.currency);
  return { isGood: true, words: m.store_check_yes({ fee, minimum, time }) };
}
