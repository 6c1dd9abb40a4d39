import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { AddressField } from '#store/web/address-field.tsx';
import type { CheckoutDraft } from '#ordering/web/checkout-draft.ts';
import { CollectInstead } from '#ordering/web/collect-instead.tsx';
import { SaveAddress } from '#ordering/web/save-address.tsx';
import { useCheckoutAddress } from '#ordering/web/use-checkout-address.ts';
import { SavedAddresses } from '#ordering/web/saved-addresses.tsx';
import type { FieldErrors } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { DeliveryZone, Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { likelyPostcode, normalisePostcode, parsePostcode, postcodeFault } from '#store/postcodes.ts';

interface CheckoutAddressProps {
  store: Store;
  draft: CheckoutDraft;
  /** The signed-in user. */
  user: User | null;
  postcode: string;
  onPostcode: (postcode: string) => void;
  /** The minutes of the basket's slowest dish. */
  prepMinutes: number;
  /** Called when collection was chosen because the address is too far away. */
  onCollect: () => void;
  errors: FieldErrors;
}

/** The delivery address. The postcode comes first, because it decides whether we deliver, and for how much. */
export function CheckoutAddress({
  store,
  draft,
  user,
  postcode,
  onPostcode,
  errors,
  ...collecting
}: CheckoutAddressProps) {
  const address = useCheckoutAddress({ store, draft, user, postcode, onPostcode, errors });
  const { saved, picked, typed, setTyped, isEditing, isMalformed, isAsked } = address;
  const answer = (
    <ZoneAnswer
      store={store}
      postcode={postcode}
      isMalformed={isMalformed && !errors['address.postcode']}
      onPostcode={onPostcode}
      {...collecting}
    />
  );
  const field = (name: Exclude<keyof DeliveryAddress, 'postcode'>) => (
    <AddressField
      name={name}
      value={typed[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
      errors={errors}
    />
  );
  return (
    <div className="grid gap-5">
      {saved.length > 0 && (
        <SavedAddresses
          saved={saved}
          picked={picked}
          isEditing={isEditing}
          onPick={address.pick}
          onEdit={address.edit}
        />
      )}
      <div className="grid gap-5" hidden={!isAsked}>
        <div className="grid gap-1.5">
          <div className="[&_input]:max-w-52">
            <AddressField
              name="postcode"
              value={postcode}
              onChange={(event) => {
                address.leave(false);
                onPostcode(event.target.value);
              }}
              onBlur={(event) => {
                address.leave(true);
                onPostcode(normalisePostcode(event.target.value) ?? event.target.value);
              }}
              aria-invalid={isMalformed}
              aria-describedby="zone-answer"
              data-missing={m.ordering_address_required()}
              errors={errors}
            />
          </div>
          {isAsked && answer}
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          {field('line1')}
          {field('line2')}
          {field('city')}
          {field('instructions')}
        </div>
      </div>
      {!isAsked && answer}
      {address.canSave && <SaveAddress replaces={picked} />}
    </div>
  );
}

interface ZoneAnswerProps extends Pick<CheckoutAddressProps, 'prepMinutes' | 'onCollect'> {
  store: Store;
  postcode: string;
  /** Typed and left, without an error shown at the field yet. */
  isMalformed: boolean;
  onPostcode: (postcode: string) => void;
}

/** Shows immediately whether the shop delivers there; if not, it offers collection. */
function ZoneAnswer({ store, postcode, isMalformed, onPostcode, ...collecting }: ZoneAnswerProps) {
  const parsed = parsePostcode(postcode);
  const zone = parsed && findZone(store.delivery_zones, parsed);
  const likely = parsed ? null : likelyPostcode(postcode);
  const refusal = parsed ? m.ordering_outside_zones({ outward: parsed.outward }) : null;
  const words = zone ? zoneWords(zone, store.currency) : isMalformed ? postcodeFault(postcode) : refusal;
  return (
    <div className="grid gap-2">
      <p
        id="zone-answer"
        role="status"
        className={`num flex items-start gap-1.5 text-sm font-semibold empty:hidden ${zone ? 'text-good-text' : 'text-bad-text'}`}
      >
        {words && <Icon name={zone ? 'check' : 'info'} className="size-5" />}
        {words}
      </p>
      {isMalformed && likely !== null && (
        <button type="button" className="btn btn-quiet num justify-self-start" onClick={() => onPostcode(likely)}>
          {m.ordering_postcode_take({ postcode: likely })}
        </button>
      )}
      {parsed && !zone && <CollectInstead store={store} {...collecting} />}
    </div>
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
