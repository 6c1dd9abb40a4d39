import { useEffect, useState } from 'react';
import { m } from '#messages';
import { isSameAddress, mostAddresses } from '#accounts/addresses.ts';
import type { User } from '#accounts/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { AddressField } from '#store/web/address-field.tsx';
import { type CheckoutDraft, keepAddress, readAddressWish } from '#ordering/web/checkout-draft.ts';
import { CollectInstead } from '#ordering/web/collect-instead.tsx';
import { readGuestDetails } from '#ordering/web/guest-details.ts';
import { SaveAddress } from '#ordering/web/save-address.tsx';
import { SavedAddresses } from '#ordering/web/saved-addresses.tsx';
import type { FieldErrors } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { DeliveryZone, Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { normalisePostcode, parsePostcode } from '#store/postcodes.ts';

interface CheckoutAddressProps {
  store: Store;
  draft: CheckoutDraft;
  /** Who is signed in. */
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
  const saved = user?.addresses ?? noAddresses;
  const [start] = useState(() => startAddress(draft, user ? saved : keptOfGuest(), postcode));
  const [picked, setPicked] = useState(user ? start.picked : null);
  const [typed, setTyped] = useState({ ...start.typed, city: start.typed.city || store.address.city });
  const [isEditing, setEditing] = useState(() => picked !== null && !isSameAddress(picked, start.typed));
  const [isLeft, setLeft] = useState(false);
  const isMalformed = isLeft && postcode.trim() !== '' && !parsePostcode(postcode);
  const isRefused = Object.keys(errors).some((name) => name.startsWith('address.'));
  const address = { ...typed, postcode: normalisePostcode(postcode) ?? postcode };
  const isNew = !saved.some((each) => isSameAddress(each, address));
  const hasRoom = picked !== null || saved.length < mostAddresses;

  const pick = (chosen: DeliveryAddress | null) => {
    setPicked(chosen);
    setEditing(false);
    setTyped(chosen ?? { ...noAddress, city: store.address.city });
    onPostcode(chosen?.postcode ?? '');
  };
  useEffect(() => {
    if (start.picked && !postcode) onPostcode(start.picked.postcode);
    // oxlint-disable-next-line react/exhaustive-deps -- once, for returning customers: what is typed or cleared afterwards is theirs
  }, []);
  // Fields filled in automatically survive a reload, as typed ones do.
  useEffect(() => keepAddress(typed), [typed]);
  // A complete saved address is not shown as fields, unless something is wrong with it.
  const isAsked = picked === null || isEditing || isRefused;
  const answer = (
    <ZoneAnswer
      store={store}
      postcode={postcode}
      isMalformed={isMalformed && !errors['address.postcode']}
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
          onPick={pick}
          onEdit={() => setEditing(true)}
        />
      )}
      <div className="grid gap-5" hidden={!isAsked}>
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
      {user && isNew && hasRoom && <SaveAddress replaces={picked} />}
    </div>
  );
}

const noAddresses: readonly DeliveryAddress[] = [];
const noAddress: DeliveryAddress = { line1: '', line2: '', city: '', postcode: '', instructions: '' };

function keptOfGuest(): readonly DeliveryAddress[] {
  const kept = readGuestDetails()?.address;
  return kept ? [kept] : noAddresses;
}

/**
 * The initial fields: what was typed before, or else the first known address; if a postcode was given
 * already, the first one with that postcode.
 */
function startAddress(
  draft: CheckoutDraft,
  known: readonly DeliveryAddress[],
  postcode: string,
): { picked: DeliveryAddress | null; typed: DeliveryAddress } {
  const given = normalisePostcode(postcode) ?? postcode;
  const before = {
    line1: draft['address.line1'] ?? '',
    line2: draft['address.line2'] ?? '',
    city: draft['address.city'] ?? '',
    postcode: given,
    instructions: draft['address.instructions'] ?? '',
  };
  const { replaces } = readAddressWish();
  const isOf = (wanted: DeliveryAddress | null) => (each: DeliveryAddress) => wanted && isSameAddress(each, wanted);
  if (before.line1) return { picked: known.find(isOf(before)) ?? known.find(isOf(replaces)) ?? null, typed: before };
  const picked = known.find((each) => !given || each.postcode === given) ?? null;
  return { picked, typed: picked ?? before };
}

interface ZoneAnswerProps extends Pick<CheckoutAddressProps, 'prepMinutes' | 'onCollect'> {
  store: Store;
  postcode: string;
  /** Typed and left, without an error shown at the field yet. */
  isMalformed: boolean;
}

/** Shows immediately whether the shop delivers there; if not, it offers collection. */
function ZoneAnswer({ store, postcode, isMalformed, ...collecting }: ZoneAnswerProps) {
  const parsed = parsePostcode(postcode);
  const zone = parsed && findZone(store.delivery_zones, parsed);
  const refusal = parsed ? m.ordering_outside_zones({ outward: parsed.outward }) : null;
  const words = zone ? zoneWords(zone, store.currency) : isMalformed ? m.ordering_postcode_invalid() : refusal;
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
