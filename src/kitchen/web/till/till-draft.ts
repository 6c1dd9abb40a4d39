import { v4 as randomId } from 'uuid';
import type { BasketToQuote } from '#ordering/basket.ts';
import { isServerPriced } from '#ordering/web/basket/server-price.ts';
import type { ChosenOption } from '#menu/option-rules.ts';
import type { ApiInput } from '#platform/web/api.ts';
import type { FulfilmentType, PaymentMethod, Store } from '#store/contract.ts';

export interface TillLineInput {
  item_id: string;
  quantity: number;
  note: string;
  options: readonly ChosenOption[];
}

export type TillLine = TillLineInput & { key: string };

export interface TillDraft {
  /** The order's secret session. Retries with the same session place one order. */
  session: string;
  channel: 'phone' | 'counter';
  fulfilment: FulfilmentType;
  name: string;
  phone: string;
  line1: string;
  city: string;
  postcode: string;
  instructions: string;
  note: string;
  allergy: string;
  /** The requested time; null: as soon as possible. */
  requestedFor: string | null;
  method: PaymentMethod;
  isPaid: boolean;
  /** The offer code that the customer named; empty: none. */
  code: string;
  lines: readonly TillLine[];
}

const kept = new Map<string, TillDraft>();

export function loadTillDraft(store: Pick<Store, 'id' | 'collection_enabled'>): TillDraft {
  return kept.get(store.id) ?? newTillDraft(store);
}

/** Keeps a draft until the page is left, so that closing the dialog loses nothing. */
export function saveTillDraft(storeId: string, draft: TillDraft): void {
  kept.set(storeId, draft);
}

export function newTillDraft({ collection_enabled }: Pick<Store, 'collection_enabled'>): TillDraft {
  return {
    session: randomId(),
    channel: 'phone',
    fulfilment: collection_enabled ? 'collection' : 'delivery',
    name: '',
    phone: '',
    line1: '',
    city: '',
    postcode: '',
    instructions: '',
    note: '',
    allergy: '',
    requestedFor: null,
    method: 'cash',
    isPaid: false,
    code: '',
    lines: [],
  };
}

/** The basket to price; null while it is empty. */
export function tillBasketOf(
  store: Pick<Store, 'id' | 'offers'>,
  draft: TillDraft,
): (BasketToQuote & Required<Pick<BasketToQuote, 'channel' | 'payment_method'>>) | null {
  if (draft.lines.length === 0) return null;
  const { line1, city, postcode, instructions } = draft;
  const typed = Object.entries({ line1, city, postcode, instructions }).filter(([, text]) => text.trim() !== '');
  const codes = draft.code === '' ? undefined : [draft.code];
  return {
    store_id: store.id,
    ...(codes && { codes }),
    // The phone number is sent only if an offer may depend on the number, because each change of the number would
    // request a new quote.
    ...(isServerPriced({ codes }, store) && { contact: { phone: draft.phone, email: '' } }),
    channel: draft.channel,
    payment_method: draft.method,
    fulfilment_type: draft.fulfilment,
    requested_for: draft.requestedFor,
    // Empty fields are left out and not sent as blanks.
    address: draft.fulfilment === 'delivery' ? Object.fromEntries(typed) : null,
    note: draft.note,
    allergy_note: draft.allergy,
    // Staff check the customer's age at the handover.
    age_confirmed: true,
    tip: 0,
    lines: draft.lines.map(({ item_id, quantity, note, options }) => ({
      item_id,
      quantity,
      note,
      options: options.map((option) => ({ ...option })),
    })),
  };
}

/**
 * The request that places the order; null without lines. `total`: the amount that the customer was told; `override`:
 * staff saw the warnings.
 */
export function tillOrderRequest(
  store: Pick<Store, 'id' | 'offers'>,
  draft: TillDraft,
  { total, override }: { total: number; override: boolean },
): ApiInput<'POST /v1/orders'> | null {
  const basket = tillBasketOf(store, draft);
  if (!basket) return null;
  const { line1, city, postcode, instructions } = draft;
  return {
    ...basket,
    address: draft.fulfilment === 'delivery' ? { line1, line2: '', city, postcode, instructions } : null,
    expected_total: total,
    session: draft.session,
    contact: { name: draft.name, phone: draft.phone, email: '' },
    ...(override && { override }),
  };
}
