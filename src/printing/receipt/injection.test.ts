import * as fc from 'fast-check';
import { type BaseCommand, commands, transform } from 'receiptline';
import { describe, expect, it } from 'vitest';
import { splitGraphemes } from '#platform/graphemes.ts';
import { cancellationSlip, customerReceipt, kitchenReceipt, promiseSlip } from '#printing/receipt/receipt.ts';
import type { ReceiptOptions, ReceiptOrder, ReceiptStore } from '#printing/receipt/order.ts';
import { nastyText } from '#printing/testing/nasty-text.ts';
import { deliveryOrder, printedAt, sampleLine, sampleStore } from '#printing/testing/sample-receipts.ts';
import { cleanReceiptText, cleanTypedText, escapeReceiptText, textWidth } from '#printing/receipt/text.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';

/** Every field of order and store that holds somebody's text. */
const fields = fc.record({
  number: nastyText,
  name: nastyText,
  phone: nastyText,
  line1: nastyText,
  line2: nastyText,
  city: nastyText,
  postcode: nastyText,
  instructions: nastyText,
  note: nastyText,
  allergyNote: nastyText,
  itemName: nastyText,
  kitchenName: nastyText,
  lineNote: nastyText,
  optionName: nastyText,
  discountName: nastyText,
  feeName: nastyText,
  storeName: nastyText,
  legalName: nastyText,
  storePhone: nastyText,
  vatNumber: nastyText,
  header: nastyText,
  footer: nastyText,
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const papers = fc.record({
  text: fields,
  columns: fc.constantFrom(24, 32, 42, 48),
  make: fc.constantFrom(kitchenReceipt, customerReceipt, slip, promiseSlip),
});

describe("nobody's text changes what the printer does", () => {
  it('gives the commands of a harmless text of the same shape', () => {
    fc.assert(
      fc.property(papers, ({ text, columns, make }) => {
        const harmless = mapValues(text, disarmed);
        const commandsGiven = commandsOf(paper(make, text, columns), columns);
        expect(commandsGiven).toEqual(commandsOf(paper(make, harmless, columns), columns));
      }),
    );
  });

  it('renders for screens: drawing elements only, no control character', () => {
    fc.assert(
      fc.property(papers, ({ text, columns, make }) => {
        const source = paper(make, text, columns);
        const svg = renderReceipt(source, { format: 'svg', columns });
        expect(svg.replace(/<(\/?)(svg|g|rect|path|text)((?: [a-z-]+="[^"<>&]*")*)\/?>/gi, '')).not.toMatch(/[<>]/);
        expect(svg).not.toMatch(/<[^>]* (on\w+|href|src|style)=|url\(/i);
        expect(renderReceipt(source, { format: 'text', columns })).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
    );
  });

  it('prints whole on 32 columns even when it was laid out for 48', () => {
    fc.assert(
      fc.property(papers, ({ text, make }) => {
        const source = paper(make, text, 48);
        expect(lettersOf(source, 32)).toBe(lettersOf(source, 48));
      }),
    );
  });

  it('prints escaped text as its clean self, undecorated', () => {
    const decorations = new Set(['ul', 'em', 'iv', 'wh', 'cut', 'hr', 'command', 'image', 'qrcode', 'barcode']);
    fc.assert(
      fc.property(nastyText, (text) => {
        const calls = commandsOf(`|${escapeReceiptText(text)}`, 4000, true);
        expect(calls.filter(([name]) => decorations.has(name))).toEqual([]);
        expect(wordsOf(calls).trim()).toBe(cleanReceiptText(text));
      }),
    );
  });
});

describe('known attacks', () => {
  it.each(['{command:\\x1bp0AA}', 'x\n{command:\\x1bp0AA}', '{image:AAAA}', '====', '----', '\u1fef\u1fef', '|', '\\'])(
    'a note %j prints as words, line by line',
    (note) => {
      const source = kitchenReceipt({ ...deliveryOrder, note }, sampleStore, { printedAt });
      const rows = renderReceipt(source, { format: 'text' }).split('\n');
      expect(rows).toEqual(expect.arrayContaining(note.normalize().split('\n')));
    },
  );
});

/** With a reason and a station that people typed. */
function slip(order: ReceiptOrder, store: ReceiptStore, options: ReceiptOptions): string {
  const elsewhere = [{ station: order.contact.name, quantity: 2 }];
  const calledOff = { from: 'accepted', at: printedAt, reason: order.contact.name } as const;
  return cancellationSlip({ ...order, elsewhere }, store, options, calledOff);
}

function paper(make: typeof kitchenReceipt, text: Fields, columns: number): string {
  const order: ReceiptOrder = {
    ...deliveryOrder,
    number: text.number,
    contact: { name: text.name, phone: text.phone },
    address: {
      line1: text.line1,
      line2: text.line2,
      city: text.city,
      postcode: text.postcode,
      instructions: text.instructions,
    },
    note: text.note,
    allergy_note: text.allergyNote,
    lines: [
      sampleLine({
        name: text.itemName,
        kitchen_name: text.kitchenName,
        note: text.lineNote,
        options: [
          [text.optionName, 1],
          [text.itemName, 2],
        ],
      }),
      sampleLine({ name: text.itemName, quantity: 3, allergens: null }),
    ],
    removed: [
      {
        line_id: 'gone',
        at: printedAt.toISOString(),
        quantity: 2,
        name: text.itemName,
        kitchen_name: text.kitchenName,
        options: [{ name: text.optionName, quantity: 2 }],
      },
    ],
    discounts: [{ code: 'x', name: text.discountName, amount: 100 }],
    fees: [{ code: 'x', name: text.feeName, amount: 100, vat_rate: 2000 }],
  };
  const store: ReceiptStore = {
    ...sampleStore,
    name: text.storeName,
    legal_name: `Ltd ${text.legalName}`,
    phone: text.storePhone,
    vat_number: text.vatNumber,
    receipt_header: text.header,
    receipt_footer: text.footer,
  };
  // A code depends on how long the address is; what is in it is compared by `fuzz.test.ts`.
  const design = { shows_map_code: false };
  const options: ReceiptOptions = { printedAt, columns, duplicate: true, notAnOrder: false, design };
  return make(order, store, options);
}

/** The same letters and spaces with a plain letter for every character that receiptline gives a meaning. */
function disarmed(text: string, field: string): string {
  const lines = linesOf(text, field);
  return lines.map((line) => cleanReceiptText(line).replace(/[\\|{}~_"`^=-]/g, 'q')).join('\n');
}

/** The lines that the paper keeps. */
function linesOf(text: string, field: string): string[] {
  if (field === 'header' || field === 'footer') return text.split(/\r\n|[\r\n]/);
  return ['note', 'allergyNote', 'lineNote'].includes(field) ? cleanTypedText(text).split('\n') : [text];
}

type Call = [name: string, ...args: (string | number)[]];

/** What receiptline tells a printer, with the words left out (`withWords`: only how wide they are). */
function commandsOf(source: string, columns: number, withWords = false): Call[] {
  const calls: Call[] = [];
  const base: BaseCommand = { ...commands.base, arrayFrom: splitGraphemes, measureText: textWidth };
  const names = [
    'area',
    'align',
    'absolute',
    'relative',
    'hr',
    'vr',
    'vrstart',
    'vrstop',
    'vrhr',
    'vrlf',
    'cut',
    'ul',
    'em',
    'iv',
    'wh',
    'lf',
    'command',
    'image',
    'qrcode',
    'barcode',
  ];
  for (const name of names) {
    base[name] = (...args: unknown[]) => {
      calls.push([name, ...args.map((arg) => (typeof arg === 'number' ? arg : JSON.stringify(arg)))]);
      return '';
    };
  }
  base.text = (text) => {
    calls.push(['text', withWords ? text : textWidth(text)]);
    return '';
  };
  transform(source, { cpl: columns, encoding: 'multilingual', command: base });
  return calls;
}

/** Sorted, because columns that wrap differently print in another order. */
function lettersOf(source: string, columns: number): string {
  return wordsOf(commandsOf(source, columns, true))
    .replaceAll(' ', '')
    .split('')
    .sort()
    .join('');
}

function wordsOf(calls: readonly Call[]): string {
  return calls.flatMap(([name, words]) => (name === 'text' ? [words] : [])).join('');
}

function mapValues(text: Fields, change: (value: string, field: string) => string): Fields {
  // Only the values change, so the record keeps its type.
  return Object.fromEntries(Object.entries(text).map(([key, value]) => [key, change(value, key)])) as Fields;
}
