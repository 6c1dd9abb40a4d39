import { describe, expect, it } from 'vitest';
import { customerReceipt, kitchenReceipt } from '#printing/receipt/receipt.ts';
import {
  receiptOrderOfBasket,
  type ReceiptLine,
  type ReceiptOptions,
  type ReceiptOrder,
  type ReceiptStore,
} from '#printing/receipt/order.ts';
import {
  collectionOrder,
  deliveryOrder,
  printedAt,
  sampleLine,
  sampleStore,
} from '#printing/testing/sample-receipts.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';

function kitchen(order: Partial<ReceiptOrder> = {}, options: Partial<ReceiptOptions> = {}): string {
  const source = kitchenReceipt({ ...collectionOrder, ...order }, sampleStore, { printedAt, ...options });
  return renderReceipt(source, { format: 'text', columns: options.columns ?? 48 });
}

function customer(
  order: Partial<ReceiptOrder> = {},
  store: Partial<ReceiptStore> = {},
  options: Partial<ReceiptOptions> = {},
): string {
  const source = customerReceipt(
    { ...collectionOrder, ...order },
    { ...sampleStore, ...store },
    { printedAt, ...options },
  );
  return renderReceipt(source, { format: 'text', columns: options.columns ?? 48 });
}

function banners(paper: string): string[] {
  return paper.match(/NOT AN ORDER|POSSIBLE DUPLICATE|CANCELLED|! ALLERGY !/g) ?? [];
}

describe('the promised time', () => {
  it.each([
    ['in winter', '2026-11-21T18:25:00Z', '2026-11-21T18:04:00Z', 'Europe/London', '18:25'],
    ['in summer time', '2026-07-01T18:25:00Z', '2026-07-01T18:04:00Z', 'Europe/London', '19:25'],
    ['in another zone', '2026-11-21T18:25:00Z', '2026-11-21T18:04:00Z', 'Europe/Berlin', '19:25'],
    ['at midnight', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z', 'Europe/London', '00:00'],
  ])("is the shop's wall clock %s", (_, promised_at, printed, timezone, time) => {
    const options = { printedAt: new Date(printed) };
    expect(customer({ promised_at }, { timezone }, options)).toMatch(new RegExp(`ASAP, ready by\n *${time}\n`));
  });

  it('names the day when it is not the day of printing, by the local calendar', () => {
    const lateEvening = { printedAt: new Date('2026-07-01T22:50:00Z') };
    expect(kitchen({ promised_at: '2026-07-01T23:20:00Z' }, lateEvening)).toMatch(/ready by\n *Thu 2 Jul\n *00:20\n/);
    expect(kitchen({ promised_at: '2026-07-01T22:59:00Z' }, lateEvening)).toMatch(/ready by\n *23:59\n/);
  });

  it('says whether it is as soon as possible or asked for, ready or at the door', () => {
    const at = '2026-11-21T19:30:00Z';
    expect(kitchen({ requested_for: at, promised_at: at })).toContain('PRE-ORDER, ready by');
    expect(kitchen({ requested_for: at, promised_at: at, fulfilment_type: 'delivery' })).toContain(
      'PRE-ORDER, at the door by',
    );
    expect(kitchen({ fulfilment_type: 'delivery' })).toContain('ASAP, at the door by');
  });

  it('is what was asked for while nothing is promised, and ASAP when nothing was', () => {
    expect(kitchen({ promised_at: null, requested_for: '2026-11-21T19:30:00Z' })).toContain('19:30');
    expect(kitchen({ promised_at: null })).toMatch(/^ *ASAP$/m);
  });
});

describe('a station’s kitchen receipt', () => {
  it('says how many dishes other stations have', () => {
    const elsewhere = [
      { station: 'grill', quantity: 3 },
      { station: 'bar', quantity: 1 },
      { station: null, quantity: 2 },
    ];
    expect(kitchen({ elsewhere })).toMatch(
      /3 dishes\n *and 3 more dishes \(grill\)\n *and 1 more dish \(bar\)\n *and 2 other dishes\n/,
    );
    expect(kitchen()).not.toMatch(/^ *and /m);
  });
});

describe('an order of which dishes were taken off', () => {
  const removed = [
    {
      line_id: 'gone',
      quantity: 2,
      name: 'Cod',
      kitchen_name: 'COD L',
      options: [{ name: 'No salt', quantity: 1 }],
      at: '2026-11-21T18:10:00.000Z',
    },
  ];

  it('says on the kitchen receipt that it changed, and what is not to be made', () => {
    const paper = kitchen({ removed });
    expect(paper).toContain('CHANGED');
    expect(paper).toMatch(/TAKEN OFF, DO NOT MAKE\n *2× +COD L, No salt/);
  });

  it('tells its customer what is missing, without a banner', () => {
    const paper = customer({ removed });
    expect(paper).toMatch(/Taken off:\n *2× +Cod, No salt/);
    expect(paper).not.toContain('CHANGED');
  });

  it('marks only what was taken off since the last copy, before the dishes and on the dish itself', () => {
    const lines = [{ ...sampleLine({ name: 'Cod', quantity: 1 }), id: 'cod' }, sampleLine({ name: 'Haddock' })];
    const earlier = { ...removed[0]!, line_id: 'pie', name: 'Pie', kitchen_name: null, at: '2026-11-21T18:05:00.000Z' };
    const since = { drawnAt: new Date('2026-11-21T18:06:00Z'), promisedAt: new Date(collectionOrder.promised_at ?? 0) };
    const order = { lines, removed: [earlier, { ...removed[0]!, line_id: 'cod' }] };
    const paper = kitchen(order, { since });
    expect(paper).toMatch(/CHANGED[^]*TAKEN OFF, DO NOT MAKE\n2× +COD L, No salt\n-+\n1× +Cod\n +was 3×\n/);
    expect(paper).not.toContain('Pie');
    expect(paper.match(/was \d/g)).toHaveLength(1);
    const later = { ...since, drawnAt: new Date('2026-11-21T18:20:00Z') };
    expect(kitchen(order, { since: later })).not.toMatch(/CHANGED|TAKEN OFF|was/);
  });

  it.each([kitchen(), kitchen({ removed: [] }), customer()])('says nothing of it otherwise', (paper) => {
    expect(paper).not.toMatch(/CHANGED|taken off/i);
  });
});

describe('a promise that has moved', () => {
  const since = { drawnAt: new Date('2026-11-21T18:06:00Z'), promisedAt: new Date('2026-11-21T18:10:00Z') };

  it('shows the new time, and below it the one that the last copy said', () => {
    expect(kitchen({}, { since })).toMatch(/^ *CHANGED\n[^]*ready by\n *18:25\n *NEW TIME, was 18:10\n/);
  });

  it('names the day of the last one if it was another', () => {
    const yesterday = { ...since, promisedAt: new Date('2026-11-20T18:10:00Z') };
    expect(kitchen({}, { since: yesterday })).toContain('was Fri 20 Nov 18:10');
  });

  it('is no change where the last copy said the same, or no time', () => {
    const same = { ...since, promisedAt: new Date('2026-11-21T18:25:00Z') };
    expect(kitchen({}, { since: same })).not.toMatch(/CHANGED|NEW TIME/);
    expect(kitchen({}, { since: { ...since, promisedAt: null } })).not.toMatch(/CHANGED|NEW TIME/);
  });
});

describe('codes and the logo', () => {
  const orderUrl = 'https://oven.example/orders/01920000-0000-7000-8000-000000000042';
  const source = (
    options: Partial<ReceiptOptions>,
    order: Partial<ReceiptOrder> = {},
    store: Partial<ReceiptStore> = {},
  ) => customerReceipt({ ...deliveryOrder, ...order }, { ...sampleStore, ...store }, { printedAt, ...options });

  it('lead the driver to the address, and the customer to the order', () => {
    const paper = source({ orderUrl });
    expect(paper).toContain(
      '{code:https://www.google.com/maps/dir/?api=1&destination=Flat%203b%2C%20The%20Old%20Ropeworks%2C%20118%20Clifton%20Road%2C%20Rugby%2C%20CV21%203QN;option:qrcode,4,m}',
    );
    expect(paper).toContain(`{code:${orderUrl};option:qrcode,4,m}`);
  });

  it('are left out where there is nothing to lead to', () => {
    expect(source({}, { fulfilment_type: 'collection' })).not.toContain('{code:');
    expect(source({ orderUrl: null }, { address: null })).not.toContain('{code:');
  });

  it('are left out where a printer would blur them', () => {
    const address = { ...deliveryOrder.address!, line2: '漢'.repeat(100) };
    expect(source({}, { address })).not.toContain('{code:');
  });

  it('an address in a code cannot end it', () => {
    const address = { ...deliveryOrder.address!, line1: 'x;option:code128} {command:\\x1bp0AA|' };
    const codes = source({}, { address }).match(/\{code:.*/g) ?? [];
    expect(codes).toEqual([
      expect.stringMatching(/^\{code:[\x21-\x7e]+%7D%20%7Bcommand%3A%5Cx1bp0AA%7C[^;{}|\\]*;option:qrcode,4,m\}$/),
    ]);
  });

  it('the logo stands above the name, if the shop has one', () => {
    const logo = '/uploads/logo.png';
    expect(source({}, {}, { logo })).toMatch(/^\{command:logo\}\n/);
    expect(source({}, {}, { logo: null })).not.toContain('logo');
  });

  it('an owner can do without each of them', () => {
    const design = { shows_logo: false, shows_map_code: false, shows_order_code: false };
    expect(source({ orderUrl, design }, {}, { logo: '/uploads/logo.png' })).not.toMatch(/\{c/);
  });
});

describe('large receipts', () => {
  it.each([48, 32])('have the same words as normal ones, in larger letters, on %d columns', (columns) => {
    for (const make of [kitchenReceipt, customerReceipt]) {
      const write = (size: 'normal' | 'large') =>
        make(deliveryOrder, sampleStore, { printedAt, columns, design: { kitchen_size: size, customer_size: size } });
      const words = (source: string) => renderReceipt(source, { format: 'text', columns }).replace(/[\s-]+/g, '');
      expect(words(write('large'))).toBe(words(write('normal')));
      expect(write('large').match(/\^/g)?.length).toBeGreaterThan(write('normal').match(/\^/g)?.length ?? 0);
    }
  });
});

describe('what nobody may overlook', () => {
  it('an ordinary order has no banner', () => {
    expect(banners(kitchen())).toEqual([]);
    expect(banners(customer())).toEqual([]);
  });

  it('a basket that was not placed says so at both ends of both copies', () => {
    expect(banners(kitchen({}, { notAnOrder: true }))).toEqual(['NOT AN ORDER', 'NOT AN ORDER']);
    expect(banners(customer({}, {}, { notAnOrder: true }))).toEqual(['NOT AN ORDER', 'NOT AN ORDER']);
  });

  it('a copy that may be the second says so first', () => {
    expect(kitchen({}, { duplicate: true }).trimStart()).toMatch(/^POSSIBLE DUPLICATE/);
  });

  it.each(['cancelled', 'rejected', 'expired'] as const)('an order that was %s is not to be cooked', (status) => {
    expect(kitchen({ status })).toContain('CANCELLED: DO NOT COOK');
  });

  it("the allergy note stands above the dishes in the customer's words, and each dish says what it contains", () => {
    const paper = kitchen({ allergy_note: 'No peanuts' });
    expect(paper).toMatch(/! ALLERGY ! *\n *No peanuts/);
    expect(paper.indexOf('No peanuts')).toBeLessThan(paper.indexOf('Cod and chips'));
    expect(paper).toContain('Contains: fish, gluten');
    expect(kitchen()).not.toContain('Contains');
  });

  it('what the customer confirmed stands there too, and each dish concerned says so in words of its own', () => {
    const [fish, cola] = collectionOrder.lines;
    const lines = [
      {
        ...(fish as ReceiptLine),
        allergen_conflicts: [
          { code: 'fish', kind: 'contains' } as const,
          { code: 'milk', kind: 'may_contain' } as const,
        ],
      },
      {
        ...(cola as ReceiptLine),
        allergen_conflicts: [
          { code: 'fish', kind: 'not_stated' } as const,
          { code: 'milk', kind: 'not_stated' } as const,
        ],
      },
    ];
    const paper = kitchen({ allergies: ['fish', 'milk'], lines });
    expect(paper).toMatch(/! ALLERGY ! *\n *Avoids: fish, milk/);
    expect(paper).toMatch(
      /Cod and chips[^]*Contains: fish *\n *May contain: milk[^]*Can of cola[^]*Allergens not stated/,
    );
    expect(kitchen({ lines: [...collectionOrder.lines] })).not.toContain('Allergens not stated');
    expect(banners(customer({ allergies: ['fish'] }))).toEqual(['! ALLERGY !']);
  });

  it('is white on black over the whole width of the paper', () => {
    const source = kitchenReceipt({ ...collectionOrder, allergy_note: 'No peanuts' }, sampleStore, { printedAt });
    const svg = renderReceipt(source, { format: 'svg' });
    expect(svg).toMatch(/scale\(3,3\)"><rect y="-24" width="192" height="24"/);
    expect(svg).toMatch(/scale\(2,2\)"><rect y="-24" width="288" height="24"/);
  });
});

describe('notes', () => {
  const typed = 'No nuts\nPeanut sauce on the side\n\n\n\nThank you';
  const noted = { note: typed, allergy_note: typed, lines: [sampleLine({ name: 'Balti', note: typed })] };

  it.each([
    ['kitchen', kitchen(noted)],
    ['customer', customer(noted)],
  ])('keep their lines on the %s receipt, with one empty line for several', (_, paper) => {
    expect(paper).toMatch(/note: No nuts *\n +Peanut sauce on the\s+side *\n *\n +Thank you/i);
    expect(paper).toMatch(/Order note *\nNo nuts *\nPeanut sauce on the side *\n *\nThank you/);
  });

  it('keep their lines in the allergy banner', () => {
    const banner = /ALLERGY ! *\n *No nuts *\n *Peanut sauce on the\s+side *\n *\n *Thank you/;
    expect(kitchen(noted)).toMatch(banner);
  });
});

describe('the wishes', () => {
  it.each([
    ['kitchen', kitchen],
    ['customer', customer],
  ])('stand below the note on the %s receipt, and nowhere by default', (_, receipt) => {
    const wishes = { if_sold_out: 'remove', cutlery: true } as const;
    expect(receipt({ ...wishes, note: 'Blue door' })).toMatch(
      /Order note *\nBlue door *\nIf sold out: take it off *\nNapkins and cutlery/,
    );
    expect(receipt(wishes)).toMatch(/\nIf sold out: take it off *\nNapkins and cutlery/);
    expect(receipt(wishes)).not.toContain('Order note');
    expect(receipt({ if_sold_out: 'ring', cutlery: false })).not.toMatch(/sold out|cutlery/);
  });
});

describe('the kitchen receipt', () => {
  it('uses the name that the kitchen knows the dish by', () => {
    const lines = [sampleLine({ name: 'Our famous crispy duck', kitchen_name: 'Duck' })];
    expect(kitchen({ lines })).toMatch(/1× +Duck/);
    expect(customer({ lines })).toContain('Our famous crispy duck');
  });

  it('shows each option on its own row with how many', () => {
    const lines = [
      sampleLine({
        name: 'Balti',
        options: [
          ['Hot', 1],
          ['Naan', 2],
        ],
        note: 'no onion',
      }),
    ];
    expect(kitchen({ lines })).toMatch(/Balti *\n +Hot *\n +Naan ×2 *\n +NOTE: no onion/);
  });

  it('counts the dishes, not the lines', () => {
    expect(kitchen()).toContain('3 dishes');
    expect(kitchen({ lines: [sampleLine({ name: 'Chips' })] })).toContain('1 dish\n');
  });

  it('has a first name, a phone and a postcode, but no address and no price beside what is to be paid', () => {
    const paper = kitchen({ ...deliveryOrder, payment_method: 'cash', payment_status: 'unpaid' });
    expect(paper).toMatch(/Customer +Priyanka\n/);
    expect(paper).toContain('+44 7700 900456');
    expect(paper).toMatch(/Postcode +CV21 3QN\n/);
    expect(paper).not.toMatch(/Ropeworks|Clifton Road|4471/);
    expect(paper.match(/£/g)).toHaveLength(1);
  });
});

describe('the customer receipt', () => {
  it('names the seller, with the legal name where it differs', () => {
    expect(customer()).toMatch(
      /The Clifton Fryer\n *Clifton Fryer Ltd\n *14 Church Street\n *Rugby, CV21 3PH\n *01788 555 014\n/,
    );
    expect(customer({}, { legal_name: sampleStore.name }).match(/Clifton Fryer/g)).toHaveLength(1);
  });

  it("prints the owner's header and footer line by line", () => {
    expect(customer({}, { receipt_header: 'One\r\n\nTwo' })).toMatch(/\n *One\n *Two\n/);
  });

  it('shows VAT only for a shop that is registered', () => {
    expect(customer()).toMatch(/VAT no\. GB 123[^]*at 20% +£12\.46 +£2\.49/);
    expect(customer({}, { vat_number: null })).not.toContain('VAT');
  });

  it('has the address and the instructions of a delivery only', () => {
    const { address } = deliveryOrder;
    expect(customer({ fulfilment_type: 'delivery', address })).toMatch(
      /118 Clifton Road\nRugby\nCV21 3QN\nInstructions: Gate/,
    );
    expect(customer({ address })).not.toContain('Ropeworks');
  });

  it.each([
    [{ contains: ['milk', 'nuts'], may_contain: ['soya'] }, /Contains: milk, nuts *\n *May contain: soya/],
    [{ contains: [], may_contain: ['soya'] }, /dish *£8\.95\n *May contain: soya/],
    [{ contains: [], may_contain: [] }, /Contains none of the 14 allergens/],
    [null, /Allergens: ask the shop/],
  ] as const)('writes allergens %j out in words', (allergens, written) => {
    const copy = allergens && { contains: [...allergens.contains], may_contain: [...allergens.may_contain] };
    expect(customer({ lines: [sampleLine({ name: 'dish', allergens: copy })] })).toMatch(written);
  });

  it.each([
    ['cash', 'unpaid', /TO PAY £14\.95 *\n *In cash/],
    ['cash', 'paid', /PAID\n *In cash/],
    ['card', 'paid', /PAID\n *By card/],
    ['card', 'authorised', /PAID\n *By card, nothing more to pay/],
    ['card', 'unpaid', /TO PAY £14\.95 *\n *The card payment is not complete/],
    ['card', 'failed', /TO PAY £14\.95 *\n *The card payment failed/],
    ['card', 'refunded', /^ *REFUNDED\n/m],
    ['card', 'partially_refunded', /PARTLY REFUNDED/],
    ['card', 'voided', /NOT CHARGED/],
  ] as const)('says what is paid: %s %s', (payment_method, payment_status, said) => {
    expect(customer({ payment_method, payment_status })).toMatch(said);
  });

  it('asks for no money for a test order', () => {
    const paper = customer({ channel: 'test', payment_status: 'unpaid', payment: { is_test: true } });
    expect(paper).toMatch(/TEST, NO MONEY[^]*NOTHING TO PAY/);
    expect(paper).not.toMatch(/TO PAY £/);
  });

  it('tells a second paper apart by its copy number', () => {
    expect(customer({}, {}, { copyNumber: 3 })).toMatch(/^ *COPY 3\n/);
    expect(customer({}, {}, { copyNumber: 1 })).not.toContain('COPY');
  });
});

describe('a basket that nobody has placed', () => {
  it('prints with what it has: no number, no customer, no payment', () => {
    const draft = receiptOrderOfBasket(
      {
        store_id: '',
        fulfilment_type: 'collection',
        requested_for: null,
        note: 'soon',
        allergy_note: '',
        tip: 0,
        lines: [],
      },
      {
        ...collectionOrder,
        lines: [...collectionOrder.lines],
        earliest_at: '2026-11-21T18:30:00Z',
        prep_minutes: 0,
        problems: [],
      },
    );
    const paper = customer(draft, {}, { notAnOrder: true });
    expect(paper).toMatch(/COLLECTION\n *ASAP, ready by\n *18:30\n/);
    expect(paper).toContain('soon');
    expect(paper).not.toMatch(/#|TO PAY|Ordered/);
    expect(kitchen(draft, { notAnOrder: true })).not.toMatch(/Customer|Payment/);
  });
});
