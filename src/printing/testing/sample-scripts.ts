import type { ReceiptOrder } from '#printing/receipt/order.ts';
import { collectionOrder, sampleLine } from '#printing/testing/sample-receipts.ts';

/** Orders in letters that a printer's tables have in part or not at all. */

export const polishOrder: ReceiptOrder = {
  ...collectionOrder,
  number: '15',
  contact: { name: 'Łukasz Święcicki-Żółć', phone: '07700 900789' },
  note: 'Proszę bez cebuli, dziękuję! Zażółć gęślą jaźń.',
  lines: [
    sampleLine({
      name: 'Pierogi ruskie ze śmietaną',
      quantity: 2,
      unit_price: 950,
      options: [
        ['Duża porcja', 1],
        ['Skwarki i cebulka', 1],
      ],
      note: 'dobrze wysmażone',
      allergens: { contains: ['gluten', 'milk', 'eggs'], may_contain: ['celery'] },
    }),
    sampleLine({
      name: 'Żurek z białą kiełbasą',
      unit_price: 795,
      allergens: { contains: ['gluten'], may_contain: [] },
    }),
  ],
  subtotal: 2695,
  total: 2695,
  vat: [{ rate: 2000, net: 2246, vat: 449 }],
  payment_status: 'paid',
};

export const arabicOrder: ReceiptOrder = {
  ...collectionOrder,
  number: '63',
  fulfilment_type: 'delivery',
  promised_at: '2026-11-21T18:45:00.000Z',
  contact: { name: 'محمد عبد الرحمن', phone: '07700 900321' },
  address: {
    line1: '27 Clifton Road',
    line2: '',
    city: 'Rugby',
    postcode: 'CV21 3QP',
    instructions: 'الباب الأزرق، الطابق الثاني',
  },
  note: 'بدون بصل من فضلك',
  allergy_note: 'حساسية من الفول السوداني (peanuts)',
  lines: [
    sampleLine({
      name: 'Chicken shawarma شاورما دجاج',
      quantity: 2,
      unit_price: 895,
      options: [
        ['Garlic sauce ثوم', 1],
        ['Extra pickles مخلل', 1],
      ],
      note: 'حار جداً',
      allergens: { contains: ['gluten', 'sesame'], may_contain: ['nuts'] },
    }),
    sampleLine({ name: 'Hummus حمص', unit_price: 450, allergens: { contains: ['sesame'], may_contain: [] } }),
  ],
  subtotal: 2240,
  fees: [{ code: 'delivery', name: 'Delivery', amount: 200, vat_rate: 2000 }],
  total: 2440,
  vat: [{ rate: 2000, net: 2033, vat: 407 }],
};

export const chineseOrder: ReceiptOrder = {
  ...collectionOrder,
  number: '88',
  contact: { name: '陳大文 Chan Tai Man', phone: '07700 900888' },
  note: '請不要放蔥，多謝！',
  allergy_note: '對花生過敏 PEANUT',
  lines: [
    sampleLine({
      name: 'Salt & pepper squid 椒鹽魷魚',
      kitchen_name: '椒鹽魷魚',
      quantity: 3,
      unit_price: 780,
      options: [
        ['Extra chilli 加辣', 1],
        ['No spring onion 走蔥', 1],
      ],
      note: '少鹽',
      allergens: { contains: ['molluscs', 'gluten', 'soya'], may_contain: ['peanuts'] },
    }),
    sampleLine({
      name: 'Beef ho fun 乾炒牛河',
      kitchen_name: '乾炒牛河',
      unit_price: 920,
      allergens: { contains: ['soya'], may_contain: [] },
    }),
  ],
  subtotal: 3260,
  total: 3260,
  vat: [{ rate: 2000, net: 2717, vat: 543 }],
};
