import type { ApiExamples } from '#platform/http/openapi.ts';

const ids = {
  order: '01a1fe5e-138f-751d-9f7f-7de7e3ad676c',
  store: '01a1fe5e-11a8-7953-81be-257380cc5fe6',
  item: '01a1fe5e-11a8-75c3-824c-4e752c42eeb3',
  size: '01a1fe5e-11a8-7b1f-9c02-6f0a4b1a7d10',
  large: '01a1fe5e-11a8-7d54-a3f1-2b9b3c5e8f21',
  line: '01a1fe5e-1390-7a10-8d4e-0c9f5b7e1a32',
  user: '01a1fe5d-77aa-7c33-b1d2-93e4f5a6b7c8',
};
const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
const contact = { name: 'Ada Byron', phone: '07700 900123', email: 'ada@example.com' };
const basket = {
  store_id: ids.store,
  fulfilment_type: 'delivery',
  requested_for: null,
  address,
  note: '',
  allergy_note: '',
  tip: 0,
  lines: [
    {
      item_id: ids.item,
      quantity: 2,
      note: '',
      options: [{ option_group_id: ids.size, option_id: ids.large, quantity: 1 }],
    },
  ],
};
const line = {
  item_id: ids.item,
  name: 'Margherita',
  kitchen_name: null,
  quantity: 2,
  unit_price: 1250,
  options: [
    { option_group_id: ids.size, option_id: ids.large, group_name: 'Size', name: 'Large', quantity: 1, price: 300 },
  ],
  note: '',
  vat_rate: 2000,
  allergens: { contains: ['gluten', 'milk'], may_contain: [] },
  total: 2500,
};
const price = {
  subtotal: 2500,
  discounts: [],
  fees: [{ code: 'delivery', name: 'Delivery', amount: 250, vat_rate: null }],
  tip: 0,
  total: 2750,
  vat: [{ rate: 2000, net: 2292, vat: 458 }],
};
const placed = {
  id: ids.order,
  number: '17',
  version: 1,
  store_id: ids.store,
  status: 'placed',
  payment_status: 'unpaid',
  refunded: 0,
  payment_method: 'cash',
  fulfilment_type: 'delivery',
  requested_for: null,
  promised_at: null,
  lines: [{ id: ids.line, ...line }],
  ...price,
  reject_reason: null,
  created_at: '2026-11-21T18:00:00.000Z',
  placed_at: '2026-11-21T18:00:00.000Z',
  accepted_at: null,
  packed_at: null,
  left_at: null,
  completed_at: null,
  closed_at: null,
  channel: 'web',
  placed_by: null,
  session: '0f8fad5b-d9cb-469f-a165-70867728950e',
  customer: null,
  contact,
  address,
  note: '',
  allergy_note: '',
  answer_by: '2026-11-21T18:10:00.000Z',
  expires_at: null,
  payment: { method: 'cash', status: 'unpaid', redirect_url: null },
  history: [{ from: null, to: 'placed', actor: 'guest', reason: null, at: '2026-11-21T18:00:00.000Z' }],
  prints: [],
  actions: ['cancel'],
};
const accepted = {
  ...placed,
  version: 2,
  status: 'accepted',
  promised_at: '2026-11-21T18:42:00.000Z',
  accepted_at: '2026-11-21T18:02:00.000Z',
  answer_by: null,
  history: [
    ...placed.history,
    { from: 'placed', to: 'accepted', actor: 'store_admin', reason: null, at: '2026-11-21T18:02:00.000Z' },
  ],
  actions: ['packed', 'collected-by-driver', 'promise', 'cancel'],
};

/** What the main calls look like, in the API's description. Each is checked against its own schema. */
export const apiExamples: ApiExamples = {
  'POST /v1/auth/login': {
    body: { email: 'ada@example.com', password: 'correct horse' },
    answer: {
      token: 'b2YgY291cnNlIHRoaXMgaXMgbm90IGEgdG9rZW4',
      user: {
        id: ids.user,
        name: 'Ada Byron',
        email: 'ada@example.com',
        phone: '07700 900123',
        role: 'customer',
        store_ids: [],
        addresses: [address],
        allergies: [],
        locale: 'en',
        email_verified_at: null,
        has_password: true,
      },
    },
  },
  'POST /v1/orders/quote': {
    body: basket,
    answer: { data: { lines: [line], ...price, earliest_at: '2026-11-21T18:45:00.000Z', problems: [] } },
  },
  'POST /v1/orders': {
    body: { ...basket, session: placed.session, contact, payment_method: 'cash', expected_total: 2750 },
    answer: { data: placed },
  },
  'GET /v1/orders/{id}': { answer: { data: placed } },
  'POST /v1/orders/{id}/accept': { body: { minutes: 40 }, answer: { data: accepted } },
  'POST /v1/orders/{id}/reject': { body: { reason: 'too_busy' } },
};
