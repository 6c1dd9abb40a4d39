import type { DeliveryAddress } from '#store/delivery-address.ts';

const storageKey = 'checkout';

/** What has been typed at the checkout, by field. It lives in this tab only, through signing in and a reload. */
export type CheckoutDraft = Readonly<Record<string, string>>;

export function readDraft(): CheckoutDraft {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as CheckoutDraft;
  } catch {
    return {};
  }
}

/** Keeps the form's fields after one of them was edited. */
export function keepDraft(form: HTMLFormElement, edited: string): void {
  const before = readDraft();
  const draft: Record<string, string> = { ...before };
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') draft[name] = value;
  // Until it is edited by hand the note follows the profile: of whoever signs in, as it is then.
  if (edited !== 'allergy_note' && before['allergy_note'] === undefined) delete draft['allergy_note'];
  store(draft);
}

/** Keeps what is chosen and stands in no field. */
export function keepChoices(chosen: CheckoutDraft): void {
  store({ ...readDraft(), ...chosen });
}

/** Who ordered and where to stay for the next time; what was said about this order goes with it. */
export function endDraft(): void {
  const {
    note: _note,
    allergy_note: _allergy,
    requested_for: _time,
    tip: _tip,
    tip_choice: _choice,
    save_address: _save,
    replaces_address: _replaces,
    replaced_order: _order,
    ...rest
  } = readDraft();
  store(rest);
}

/** What is to become of the address once the order is placed. */
export interface AddressWish {
  isWanted: boolean;
  /** The saved one that was changed. */
  replaces: DeliveryAddress | null;
}

export function keepAddressWish({ isWanted, replaces }: AddressWish): void {
  keepChoices({ save_address: isWanted ? 'yes' : 'no', replaces_address: JSON.stringify(replaces) });
}

export function readAddressWish(): AddressWish {
  const { save_address: wish, replaces_address: replaces } = readDraft();
  // Written just above.
  return { isWanted: wish !== 'no', replaces: JSON.parse(replaces ?? 'null') as DeliveryAddress | null };
}

/** Where to bring it, as its fields have it; the postcode is the basket's. */
export function keepAddress(address: Omit<DeliveryAddress, 'postcode'>): void {
  keepChoices({
    'address.line1': address.line1,
    'address.line2': address.line2,
    'address.city': address.city,
    'address.instructions': address.instructions,
  });
}

/** Takes out who ordered and where to; what is chosen of the order stays. */
export function forgetPersonInDraft(): void {
  store(withoutPerson(readDraft()));
}

export function withoutPerson(draft: CheckoutDraft): CheckoutDraft {
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !/^(contact|address)\./.test(name)));
}

function store(draft: CheckoutDraft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    // Nothing is lost but the comfort.
  }
}
