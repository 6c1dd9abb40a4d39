import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';

const storageKey = personalStorageKeys.checkoutDraft;

/** The typed fields of the checkout. They are stored for this tab only, and survive signing in and a reload. */
export type CheckoutDraft = Readonly<Record<string, string>>;

export function readCheckoutDraft(): CheckoutDraft {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as CheckoutDraft;
  } catch {
    return {};
  }
}

export function saveCheckoutDraft(form: HTMLFormElement, edited: string): void {
  store(draftFromForm(new FormData(form), edited, readCheckoutDraft()));
}

/** Returns the draft with the current fields of the form. `edited` is the name of the field that was just edited. */
export function draftFromForm(form: FormData, edited: string, before: CheckoutDraft): CheckoutDraft {
  // A form has no value for an unticked box, so the earlier `cutlery` must not remain.
  const { cutlery: _cutlery, ...draft }: Record<string, string> = before;
  for (const [name, value] of form) if (typeof value === 'string') draft[name] = value;
  // An unedited allergy note follows the customer's profile, so the draft does not store it.
  if (edited !== 'allergy_note' && before['allergy_note'] === undefined) delete draft['allergy_note'];
  return draft;
}

export function saveDraftChoices(chosen: CheckoutDraft): void {
  store({ ...readCheckoutDraft(), ...chosen });
}

/** Removes the fields about one order from the draft. Contact, address and payment method stay. */
export function clearOrderFieldsInDraft(): void {
  const {
    note: _note,
    allergy_note: _allergy,
    if_sold_out: _wish,
    cutlery: _cutlery,
    requested_for: _time,
    tip: _tip,
    tip_choice: _choice,
    save_address: _save,
    replaces_address: _replaces,
    replaced_order: _order,
    ...rest
  } = readCheckoutDraft();
  store(rest);
}

export interface AddressSaveChoice {
  isWanted: boolean;
  /** The saved address that the new address replaces; null: the new address is added. */
  replaces: DeliveryAddress | null;
}

export function saveAddressSaveChoice({ isWanted, replaces }: AddressSaveChoice): void {
  saveDraftChoices({ save_address: isWanted ? 'yes' : 'no', replaces_address: JSON.stringify(replaces) });
}

export function readAddressSaveChoice(): AddressSaveChoice {
  const { save_address: wish, replaces_address: replaces } = readCheckoutDraft();
  // The cast is safe: only `saveAddressSaveChoice` writes the value.
  return { isWanted: wish !== 'no', replaces: JSON.parse(replaces ?? 'null') as DeliveryAddress | null };
}

/** Stores the delivery address without its postcode, because the basket stores that. */
export function saveDraftAddress(address: Omit<DeliveryAddress, 'postcode'>): void {
  saveDraftChoices({
    'address.line1': address.line1,
    'address.line2': address.line2,
    'address.city': address.city,
    'address.instructions': address.instructions,
  });
}

/** Removes contact and address from the draft. The choices for the order stay. */
export function removePersonFromDraft(): void {
  store(withoutPersonalFields(readCheckoutDraft()));
}

export function withoutPersonalFields(draft: CheckoutDraft): CheckoutDraft {
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !/^(contact|address)\./.test(name)));
}

function store(draft: CheckoutDraft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft));
  } catch {
    // If the storage is blocked or full, the typed fields last until a reload.
  }
}
