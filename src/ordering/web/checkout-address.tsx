import { useEffect, useState } from 'react';
import { m } from '#messages';
import type { DeliveryAddress } from '#ordering/order.ts';
import { AddressField } from '#ordering/web/address-field.tsx';
import type { CheckoutDraft } from '#ordering/web/checkout-draft.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { Icon } from '#platform/web/ui/icon.tsx';
import type { DeliveryZone, Store } from '#store/contract.ts';
import { findZone, normalisePostcode, parsePostcode } from '#store/delivery-zones.ts';

interface CheckoutAddressProps {
  store: Store;
  draft: CheckoutDraft;
  /** Of the customer who is signed in, the one used most first. */
  saved: readonly DeliveryAddress[];
  postcode: string;
  onPostcode: (postcode: string) => void;
  errors: FieldErrors;
}

/** Where to bring it. The postcode comes first, because it decides whether, and for how much. */
export function CheckoutAddress({ store, draft, saved, postcode, onPostcode, errors }: CheckoutAddressProps) {
  const [picked, setPicked] = useState<DeliveryAddress | null>(null);
  const [isLeft, setLeft] = useState(false);
  const isMalformed = isLeft && postcode.trim() !== '' && !parsePostcode(postcode);
  const [first] = saved;
  const value = (name: keyof DeliveryAddress) => (picked ?? first)?.[name];
  const start = (name: keyof DeliveryAddress) => (picked ? value(name) : draft[`address.${name}`] || value(name));
  const pick = (place: number) => {
    const address = saved[place];
    if (!address) return;
    setPicked(address);
    onPostcode(address.postcode);
  };
  useEffect(() => {
    if (first && !postcode) onPostcode(first.postcode);
    // oxlint-disable-next-line react/exhaustive-deps -- once, for who comes back: what is typed or cleared afterwards is theirs
  }, []);
  return (
    <div className="grid gap-5">
      {saved.length > 1 && (
        <label className="grid max-w-md gap-1.5">
          <span className="font-semibold">{m.ordering_address_saved()}</span>
          <select
            className="control"
            value={picked ? saved.indexOf(picked) : 0}
            onChange={(event) => pick(Number(event.target.value))}
          >
            {saved.map((address, place) => (
              <option key={`${address.postcode} ${address.line1}`} value={place}>
                {[address.line1, address.postcode].join(', ')}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="grid gap-1.5">
        <div className="[&_input]:max-w-52">
          <AddressField
            name="postcode"
            value={postcode}
            onChange={(event) => {
              setLeft(false);
              onPostcode(event.target.value);
            }}
            onBlur={(event) => {
              setLeft(true);
              onPostcode(normalisePostcode(event.target.value) ?? event.target.value);
            }}
            aria-invalid={isMalformed}
            aria-describedby="zone-answer"
            data-missing={m.ordering_address_required()}
            errors={errors}
          />
        </div>
        <ZoneAnswer store={store} postcode={postcode} isMalformed={isMalformed && !errors['address.postcode']} />
      </div>
      <div key={picked ? saved.indexOf(picked) : 'first'} className="grid gap-5 sm:grid-cols-2">
        <AddressField name="line1" defaultValue={start('line1')} errors={errors} />
        <AddressField name="line2" defaultValue={start('line2')} errors={errors} />
        <AddressField name="city" defaultValue={start('city') ?? store.address.city} errors={errors} />
        <AddressField name="instructions" defaultValue={start('instructions')} errors={errors} />
      </div>
    </div>
  );
}

interface ZoneAnswerProps {
  store: Store;
  postcode: string;
  /** Typed and left, and not said at the field yet. */
  isMalformed: boolean;
}

/** Whether the shop comes there, at once and in words. */
function ZoneAnswer({ store, postcode, isMalformed }: ZoneAnswerProps) {
  const parsed = parsePostcode(postcode);
  const zone = parsed && findZone(store.delivery_zones, parsed);
  const refusal = parsed ? m.ordering_outside_zones({ outward: parsed.outward }) : null;
  const words = zone ? zoneWords(zone, store.currency) : isMalformed ? m.ordering_postcode_invalid() : refusal;
  return (
    <p
      id="zone-answer"
      role="status"
      className={`num flex items-start gap-1.5 text-sm font-semibold empty:hidden ${zone ? 'text-good-text' : 'text-bad-text'}`}
    >
      {words && <Icon name={zone ? 'check' : 'info'} className="size-5" />}
      {words}
    </p>
  );
}

function zoneWords({ fee, free_over: freeOver, minimum_order: least }: DeliveryZone, currency: string): string {
  const minimum = formatMoney(least, currency);
  if (fee === 0) return m.ordering_zone_yes({ fee: m.ordering_free(), minimum });
  if (freeOver === null) return m.ordering_zone_yes({ fee: formatMoney(fee, currency), minimum });
  return m.ordering_zone_free_over({
    fee: formatMoney(fee, currency),
    free: formatMoney(freeOver, currency),
    minimum,
  });
}
