import type { Order } from '#ordering/order.ts';

let made = 0;

/** A plausible order for tests, placed at 18:00 on a winter Friday and to be answered by 18:10. */
export function sampleOrder(fields: Partial<Order> = {}): Order {
  made += 1;
  const id = `01920000-0000-7000-8000-${String(made).padStart(12, '0')}`;
  return {
    id,
    number: String(made),
    version: 1,
    store_id: '01920000-0000-7000-8000-00000000aaaa',
    status: 'placed',
    payment_status: 'unpaid',
    payment_method: 'cash',
    fulfilment_type: 'collection',
    requested_for: null,
    promised_at: null,
    prep_minutes: 0,
    lines: [],
    subtotal: 0,
    discounts: [],
    fees: [],
    tip: 0,
    total: 0,
    vat: [],
    removed: [],
    removed_refunded: 0,
    removed_refunds: [],
    money_back: [],
    payment_processing: false,
    refunded: 0,
    reject_reason: null,
    created_at: '2026-11-20T18:00:00.000Z',
    placed_at: '2026-11-20T18:00:00.000Z',
    accepted_at: null,
    packed_at: null,
    left_at: null,
    completed_at: null,
    closed_at: null,
    channel: 'web',
    placed_by: null,
    has_account: false,
    customer: null,
    contact: { name: 'Aisha Khan', phone: '07700 900123', email: '' },
    address: null,
    note: '',
    allergy_note: '',
    followed_up: null,
    answer_by: '2026-11-20T18:10:00.000Z',
    expires_at: null,
    payment: { method: 'cash', status: 'unpaid', redirect_url: null, held_until: null },
    history: [{ from: null, to: 'placed', actor: 'customer', reason: null, at: '2026-11-20T18:00:00.000Z' }],
    prints: [],
    actions: ['accept', 'reject'],
    ...fields,
  };
}
