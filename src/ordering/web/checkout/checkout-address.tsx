import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { AddressField } from '#store/web/address-field.tsx';
import {
  type CheckoutDraft,
  saveDraftAddress,
  saveAddressSaveChoice,
  readAddressSaveChoice,
} from '#ordering/web/checkout/checkout-draft.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { DeliveryZone, Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { correctedPostcode, normalisePostcode, parsePostcode, postcodeFaultWords } from '#store/postcodes.ts';
import { useEffect, useState } from 'react';
import { savedAddressWords, isSameAddress, maxAddresses } from '#accounts/addresses.ts';
import { AddressLine } from '#ordering/web/checkout/address-line.tsx';
import { RadioChoice } from '#ordering/web/checkout/checkout-when.tsx';
import { setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import { timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { offeredFulfilments, earliestTimeWords, findSoonestReadyTime } from '#store/web/fulfilment.ts';
import { readGuestDetails } from '#ordering/web/checkout/guest-details.ts';

interface CheckoutAddressProps {
  store: Store;
  draft: CheckoutDraft;
  /** The person for whom the form was opened; null: a guest. */
  user: User | null;
  postcode: string;
  onPostcode: (postcode: string) => void;
  /** Called with each change of the typed address; its postcode comes from the basket. */
  onTyped: (typed: DeliveryAddress) => void;
  prepMinutes: number;
  onCollect: () => void;
  errors: FieldErrors;
}

/** The fields of the delivery address. The postcode comes first, because it decides the zone and the fee. */
export function CheckoutAddress({
  store,
  draft,
  user,
  postcode,
  onPostcode,
  onTyped,
  errors,
  ...collecting
}: CheckoutAddressProps) {
  const address = useCheckoutAddress({ store, draft, user, postcode, onPostcode, onTyped, errors });
  const { saved, picked, typed, setTyped, isEditing, isMalformed, needsAnswer } = address;
  const answer = (
    <ZoneAnswer
      store={store}
      postcode={postcode}
      isMalformed={isMalformed && !errors['address.postcode']}
      onPostcode={onPostcode}
      {...collecting}
    />
  );
  const field = (name: Exclude<keyof DeliveryAddress, 'postcode' | 'line1'>) => (
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
      <div className="grid gap-5" hidden={!needsAnswer}>
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
          {needsAnswer && answer}
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <AddressLine
            store={store}
            postcode={postcode}
            value={typed.line1}
            onChange={(change) => setTyped({ ...typed, ...change })}
            errors={errors}
          />
          {field('line2')}
          {field('city')}
          {field('instructions')}
        </div>
      </div>
      {!needsAnswer && answer}
      {address.canSave && <SaveAddress replaces={picked} />}
    </div>
  );
}

interface ZoneAnswerProps extends Pick<CheckoutAddressProps, 'prepMinutes' | 'onCollect'> {
  store: Store;
  postcode: string;
  /** Whether the postcode is invalid, its field was left, and the field shows no error yet. */
  isMalformed: boolean;
  onPostcode: (postcode: string) => void;
}

function ZoneAnswer({ store, postcode, isMalformed, onPostcode, ...collecting }: ZoneAnswerProps) {
  const parsed = parsePostcode(postcode);
  const zone = parsed && findZone(store.delivery_zones, parsed);
  const likely = parsed ? null : correctedPostcode(postcode);
  const refusal = parsed ? m.ordering_outside_zones({ outward: parsed.outward }) : null;
  const words = zone ? zoneWords(zone, store.currency) : isMalformed ? postcodeFaultWords(postcode) : refusal;
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

/** A checkbox, ticked by default, that saves the address to the account once the order is placed. */
function SaveAddress({ replaces }: { replaces: DeliveryAddress | null }) {
  const [isWanted, setWanted] = useState(() => readAddressSaveChoice().isWanted);
  useEffect(() => saveAddressSaveChoice({ isWanted, replaces }), [isWanted, replaces]);
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        role="switch"
        checked={isWanted}
        aria-checked={isWanted}
        onChange={(event) => setWanted(event.target.checked)}
        className="size-6 shrink-0 accent-accent-edge"
      />
      <span className="font-semibold">{replaces ? m.ordering_address_save_changes() : m.ordering_address_save()}</span>
    </label>
  );
}

interface SavedAddressesProps {
  saved: readonly DeliveryAddress[];
  /** The saved address that is chosen; null: the customer enters another address. */
  picked: DeliveryAddress | null;
  isEditing: boolean;
  onPick: (address: DeliveryAddress | null) => void;
  onEdit: () => void;
}

function SavedAddresses({ saved, picked, isEditing, onPick, onEdit }: SavedAddressesProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold">{m.ordering_address_saved()}</legend>
      {saved.map((address, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- two addresses may have the same text
        <div key={`${place} ${savedAddressWords(address)}`} className="grid">
          <RadioChoice name="saved-address" isChosen={address === picked} onChoose={() => onPick(address)}>
            <span className="min-w-0 wrap-anywhere">
              {savedAddressWords(address)}
              {address.instructions && <span className="block text-sm text-ink-soft">{address.instructions}</span>}
            </span>
          </RadioChoice>
          {address === picked && !isEditing && (
            <button type="button" className="link min-h-11 justify-self-start px-4" onClick={onEdit}>
              {m.ordering_address_edit()}
            </button>
          )}
        </div>
      ))}
      <RadioChoice name="saved-address" isChosen={picked === null} onChoose={() => onPick(null)}>
        {m.ordering_address_other()}
      </RadioChoice>
    </fieldset>
  );
}

interface CollectInsteadProps {
  store: Store;
  prepMinutes: number;
  onCollect: () => void;
}

const grid = 5 * 60_000;

/** Offers collection of the same basket to customers whose address is in no zone. */
function CollectInstead({ store, prepMinutes, onCollect }: CollectInsteadProps) {
  const now = useNow();
  const ready = findSoonestReadyTime(store, 'collection', '', now, prepMinutes);
  if (!ready || !offeredFulfilments(store).includes('collection')) return null;
  const about = new Date(Math.ceil(Date.parse(ready.at) / grid) * grid);
  const words = ready.isSoon
    ? m.ordering_collect_instead({ time: timeWords(about, store.timezone) })
    : m.ordering_collect_instead_later({ when: earliestTimeWords(ready, now, store.timezone) });
  return (
    <div>
      <button
        type="button"
        className="btn btn-quiet num text-left"
        onClick={({ currentTarget: { form } }) => {
          setBasketFulfilment({ fulfilment_type: 'collection' });
          onCollect();
          // This button is about to be removed, so the focus moves to the choice of collection.
          form?.querySelector<HTMLInputElement>('input[name="fulfilment"][value="collection"]')?.focus();
        }}
      >
        <Icon name="bag" />
        {words}
      </button>
    </div>
  );
}

interface AddressContext {
  store: Store;
  draft: CheckoutDraft;
  user: User | null;
  postcode: string;
  onPostcode: (postcode: string) => void;
  onTyped: (typed: DeliveryAddress) => void;
  errors: FieldErrors;
}

function useCheckoutAddress({ store, draft, user, postcode, onPostcode, onTyped, errors }: AddressContext) {
  const saved = user?.addresses ?? noAddresses;
  const [start] = useState(() => initialAddress({ draft, user, postcode }));
  const [picked, setPicked] = useState(user ? start.picked : null);
  const [typed, setTyped] = useState({ ...start.typed, city: start.typed.city || store.address.city });
  const [isEditing, setEditing] = useState(() => picked !== null && !isSameAddress(picked, start.typed));
  const [isLeft, setLeft] = useState(false);
  const isMalformed = isLeft && postcode.trim() !== '' && !parsePostcode(postcode);
  const isRefused = Object.keys(errors).some((name) => name.startsWith('address.'));
  const address = { ...typed, postcode: normalisePostcode(postcode) ?? postcode };
  const isNew = !saved.some((each) => isSameAddress(each, address));
  const hasRoom = picked !== null || saved.length < maxAddresses;

  const pick = (chosen: DeliveryAddress | null) => {
    setPicked(chosen);
    setEditing(false);
    setTyped(chosen ?? { ...noAddress, city: store.address.city });
    onPostcode(chosen?.postcode ?? '');
  };
  useEffect(() => {
    if (start.picked && !parsePostcode(postcode)) onPostcode(start.picked.postcode);
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, so that a postcode cleared later stays empty
  }, []);
  // All fields are stored, so that values which the page filled in survive a reload, as typed values do.
  useEffect(() => {
    saveDraftAddress(typed);
    onTyped(typed);
  }, [typed, onTyped]);
  // A complete saved address is shown as fields only if it is being edited or was refused.
  const needsAnswer = picked === null || isEditing || isRefused;
  return {
    saved,
    picked,
    pick,
    typed,
    setTyped,
    isEditing,
    edit: () => setEditing(true),
    leave: setLeft,
    isMalformed,
    needsAnswer,
    canSave: user !== null && isNew && hasRoom,
  };
}

const noAddresses: readonly DeliveryAddress[] = [];
const noAddress: DeliveryAddress = { line1: '', line2: '', city: '', postcode: '', instructions: '' };

function keptOfGuest(): readonly DeliveryAddress[] {
  const kept = readGuestDetails()?.address;
  return kept ? [kept] : noAddresses;
}

/**
 * Returns the initial fields: this tab's earlier input, otherwise the first known address. If a whole postcode was
 * entered before, only a known address with that postcode is used.
 */
export function initialAddress({ draft, user, postcode }: Pick<AddressContext, 'draft' | 'user' | 'postcode'>): {
  picked: DeliveryAddress | null;
  typed: DeliveryAddress;
} {
  const known = user?.addresses ?? keptOfGuest();
  const given = normalisePostcode(postcode);
  const before = {
    line1: draft['address.line1'] ?? '',
    line2: draft['address.line2'] ?? '',
    city: draft['address.city'] ?? '',
    postcode: given ?? postcode,
    instructions: draft['address.instructions'] ?? '',
  };
  const { replaces } = readAddressSaveChoice();
  const isOf = (wanted: DeliveryAddress | null) => (each: DeliveryAddress) => wanted && isSameAddress(each, wanted);
  if (before.line1) return { picked: known.find(isOf(before)) ?? known.find(isOf(replaces)) ?? null, typed: before };
  const picked = known.find((each) => !given || each.postcode === given) ?? null;
  return { picked, typed: picked ?? before };
}
