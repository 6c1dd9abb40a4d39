import type { ReceiptLine, ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';

/** Typical orders, for tests and for looking at the receipts. */
export const sampleStore: ReceiptStore = {
  name: 'The Clifton Fryer',
  legal_name: 'Clifton Fryer Ltd',
  address: { line1: '14 Church Street', line2: '', city: 'Rugby', postcode: 'CV21 3PH' },
  phone: '01788 555 014',
  currency: 'GBP',
  timezone: 'Europe/London',
  vat_number: 'GB 123 4567 89',
  logo: null,
  receipt_header: 'Fresh fish, fried to order',
  receipt_footer: 'Thank you!\nTell us how it was: cliftonfryer.example',
};

export const printedAt = new Date('2026-11-21T18:04:00Z');

let nextId = 0;
export function sampleLine(
  line: Partial<Omit<ReceiptLine, 'options'>> & { name: string; options?: [string, number][] },
): ReceiptLine {
  const { options = [], quantity = 1, unit_price = 895, ...rest } = line;
  return {
    item_id: `00000000-0000-7000-8000-${String(nextId++).padStart(12, '0')}`,
    kitchen_name: null,
    quantity,
    unit_price,
    options: options.map(([name, count]) => ({
      option_group_id: '00000000-0000-7000-8000-00000000000a',
      option_id: '00000000-0000-7000-8000-00000000000b',
      group_name: 'Choices',
      name,
      quantity: count,
      price: 0,
    })),
    note: '',
    vat_rate: 2000,
    allergens: { contains: [], may_contain: [] },
    total: quantity * unit_price,
    ...rest,
  };
}

const base: ReceiptOrder = {
  number: '42',
  status: 'accepted',
  channel: 'web',
  fulfilment_type: 'collection',
  requested_for: null,
  promised_at: '2026-11-21T18:25:00.000Z',
  placed_at: '2026-11-21T18:02:00.000Z',
  contact: { name: 'Sam Okafor', phone: '07700 900123' },
  address: null,
  note: '',
  allergy_note: '',
  lines: [
    sampleLine({
      name: 'Cod and chips',
      options: [
        ['Large', 1],
        ['Mushy peas', 1],
      ],
      unit_price: 1195,
      allergens: { contains: ['fish', 'gluten'], may_contain: ['milk'] },
    }),
    sampleLine({ name: 'Can of cola', quantity: 2, unit_price: 150, allergens: null }),
  ],
  subtotal: 1495,
  discounts: [],
  fees: [],
  tip: 0,
  total: 1495,
  vat: [{ rate: 2000, net: 1246, vat: 249 }],
  payment_method: 'cash',
  payment_status: 'unpaid',
};

export const collectionOrder = base;

export const deliveryOrder: ReceiptOrder = {
  ...base,
  number: '107',
  channel: 'app',
  fulfilment_type: 'delivery',
  promised_at: '2026-11-21T18:50:00.000Z',
  contact: { name: 'Priyanka Raghunathan-Oyelaran', phone: '+44 7700 900456' },
  address: {
    line1: 'Flat 3b, The Old Ropeworks',
    line2: '118 Clifton Road',
    city: 'Rugby',
    postcode: 'cv21 3qn',
    instructions: 'Gate code 4471. Please knock, the bell does not work and the baby sleeps.',
  },
  note: 'Please pack the sauces in a separate bag',
  allergy_note: 'Severe PEANUT allergy, no traces please. Also no sesame.',
  lines: [
    sampleLine({
      name: 'Slow-Cooked Lamb Shank Rogan Josh with Fenugreek and Kashmiri Chilli',
      kitchen_name: 'Lamb shank rogan josh',
      quantity: 2,
      unit_price: 1345,
      options: [
        ['Extra hot', 1],
        ['Pilau rice', 1],
        ['Garlic and coriander naan', 2],
        ['Mint yoghurt', 1],
      ],
      note: 'one without any coriander on top please',
      allergens: { contains: ['milk', 'gluten', 'mustard'], may_contain: ['nuts', 'peanuts'] },
    }),
    sampleLine({
      name: 'Chicken tikka masala',
      unit_price: 1095,
      options: [
        ['Medium', 1],
        ['Plain rice', 1],
      ],
      allergens: { contains: ['milk', 'nuts'], may_contain: [] },
    }),
    sampleLine({
      name: 'Poppadom',
      quantity: 12,
      unit_price: 80,
      vat_rate: 0,
      allergens: { contains: [], may_contain: [] },
    }),
    sampleLine({ name: 'Mango lassi', quantity: 1, unit_price: 295, allergens: null }),
  ],
  subtotal: 5040,
  discounts: [{ code: 'TENOFF', name: '10% off your first order', amount: 504 }],
  fees: [
    { code: 'delivery', name: 'Delivery', amount: 250, vat_rate: 2000 },
    { code: 'bag', name: 'Bag', amount: 10, vat_rate: 2000 },
  ],
  tip: 200,
  total: 4996,
  vat: [
    { rate: 2000, net: 3277, vat: 655 },
    { rate: 0, net: 864, vat: 0 },
  ],
  payment_method: 'card',
  payment_status: 'authorised',
};

export const scheduledOrder: ReceiptOrder = {
  ...base,
  number: '8',
  channel: 'phone',
  requested_for: '2026-11-22T12:30:00.000Z',
  promised_at: '2026-11-22T12:30:00.000Z',
  payment_method: 'card',
  payment_status: 'paid',
  lines: [
    sampleLine({
      name: 'Family meal deal',
      unit_price: 3495,
      options: [
        ['Margherita 16"', 1],
        ['Pepperoni and ’nduja 16"', 1],
        ['Garlic bread with cheese', 1],
        ['Potato wedges', 2],
        ['Chicken wings (10), BBQ', 1],
        ['Coleslaw', 1],
        ['Lemonade 1.5 l', 1],
        ['Tiramisù', 4],
      ],
      note: 'pepperoni half and half with jalapeños',
      allergens: { contains: ['gluten', 'milk', 'eggs', 'celery', 'mustard'], may_contain: ['soya', 'sesame', 'nuts'] },
    }),
  ],
  subtotal: 3495,
  total: 3495,
  vat: [{ rate: 2000, net: 2912, vat: 583 }],
};

export const draftOrder: ReceiptOrder = {
  ...base,
  number: '',
  channel: 'counter',
  contact: { name: '', phone: '' },
  placed_at: null,
  promised_at: null,
};
