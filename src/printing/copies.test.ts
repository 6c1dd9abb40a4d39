import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  requestedCopies,
  copiesOnAccept,
  copiesOfPrintCall,
  type OrderPrintRoutingFields,
  type PrinterCopySettings,
  findDrawerPrinter,
  countDishesOfOtherStations,
  linesForPrinter,
  removedLinesForPrinter,
} from '#printing/copies.ts';

describe('which copies a print call makes', () => {
  it.each([
    ['kitchen', undefined, ['kitchen']],
    ['kitchen', false, ['kitchen']],
    ['customer', undefined, ['customer']],
    ['kitchen', true, ['kitchen', 'customer']],
    ['customer', true, ['kitchen', 'customer']],
  ] as const)('printType %s with both %s makes %j', (printType, both, copies) => {
    expect(copiesOfPrintCall(printType, both)).toEqual(copies);
  });
});

const printer = (id: string, change: Partial<PrinterCopySettings> = {}): PrinterCopySettings => ({
  id,
  receipts: ['kitchen'],
  stations: [],
  fulfilment_types: [],
  channels: [],
  copies: 1,
  opens_drawer: false,
  ...change,
});
const order = (change: Partial<OrderPrintRoutingFields> = {}): OrderPrintRoutingFields => ({
  fulfilment_type: 'collection',
  channel: 'web',
  lines: [{ station: 'Grill' }, { station: 'Fryer' }, { station: null }],
  ...change,
});
const spell = (copies: ReturnType<typeof copiesOnAccept>) =>
  copies.map(({ copy, printerId, nth }) => `${printerId} ${copy} ${nth}`);

test('a deal is printed where each of its dishes is made', () => {
  const kitchen = ['Curry', 'Bar', 'Grill'].map((station) => printer(station, { stations: [station] }));
  const dish = (station: string | null) => ({ item_id: 'i', station });
  const printersOf = (line: OrderPrintRoutingFields['lines'][number]) =>
    kitchen.filter((one) => linesForPrinter(one, kitchen, order({ lines: [line] })).length > 0).map(({ id }) => id);
  expect(printersOf({ station: null, options: [dish('Curry'), dish('Bar')] })).toEqual(['Curry', 'Bar']);
  expect(printersOf({ station: 'Grill', options: [dish('Bar'), { station: 'Curry' }] })).toEqual(['Bar', 'Grill']);
  // The first printer takes a dish without a station.
  expect(printersOf({ station: null, options: [dish('Grill'), dish(null)] })).toEqual(['Curry', 'Grill']);
});

describe('who prints what', () => {
  test('each printer its copies, as many as it is set to', () => {
    const printers = [printer('pass', { copies: 2 }), printer('counter', { receipts: ['customer', 'kitchen'] })];
    expect(spell(copiesOnAccept(order(), printers))).toEqual([
      'pass kitchen 1',
      'pass kitchen 2',
      'counter customer 1',
      'counter kitchen 1',
    ]);
    expect(copiesOnAccept(order(), [])).toEqual([]);
    expect(copiesOnAccept(order(), [printer('backup', { receipts: [] })])).toEqual([]);
  });

  test.each([
    ['fulfilment_types', { fulfilment_types: ['delivery'] }, { fulfilment_type: 'delivery' }],
    ['channels', { channels: ['phone', 'counter'] }, { channel: 'phone' }],
  ] as const)('a printer for some %s prints those orders only', (_, limits, wanted) => {
    const printers = [printer('one', limits as Partial<PrinterCopySettings>)];
    expect(spell(copiesOnAccept(order(wanted), printers))).toEqual(['one kitchen 1']);
    expect(copiesOnAccept(order(), printers)).toEqual([]);
  });

  test('a station prints its own dishes, and nothing when an order has none of them', () => {
    const printers = [printer('grill', { stations: ['Grill'] }), printer('fryer', { stations: ['Fryer'] })];
    const [grill, fryer] = printers as [PrinterCopySettings, PrinterCopySettings];
    // The dish without a station is on the first one's.
    expect(linesForPrinter(grill, printers, order())).toEqual([{ station: 'Grill' }, { station: null }]);
    expect(linesForPrinter(fryer, printers, order())).toEqual([{ station: 'Fryer' }]);
    expect(spell(copiesOnAccept(order({ lines: [{ station: 'Grill' }] }), printers))).toEqual(['grill kitchen 1']);
    const withPass = [...printers, printer('pass')];
    expect(linesForPrinter(grill, withPass, order())).toEqual([{ station: 'Grill' }]);
  });

  test('what was taken off is for the stations that had it, and for all where nobody knows whose it was', () => {
    const printers = [printer('grill', { stations: ['Grill'] }), printer('fryer', { stations: ['Fryer'] })];
    const removed = [{ station: 'Grill' }, { station: 'Fryer' }, { station: null }, {}];
    const [grill, fryer] = printers.map((one) => removedLinesForPrinter(one, printers, order(), removed));
    expect(grill).toEqual([{ station: 'Grill' }, { station: null }, {}]);
    expect(fryer).toEqual([{ station: 'Fryer' }, {}]);
  });

  test('what a receipt leaves to others is counted for each station', () => {
    const lines = [
      { station: 'Grill', quantity: 2 },
      { station: 'Fryer', quantity: 1 },
      { station: 'Grill', quantity: 1 },
      { station: null, quantity: 4 },
      { quantity: 1 },
    ];
    expect(countDishesOfOtherStations(lines, lines.slice(1, 2))).toEqual([
      { station: 'Grill', quantity: 3 },
      { station: null, quantity: 5 },
    ]);
    expect(countDishesOfOtherStations(lines, lines)).toEqual([]);
  });

  test('no dish is left out, whatever the stations of the printers that print such an order', () => {
    const station = fc.option(fc.constantFrom('Grill', 'Fryer', 'Pizza', 'Bar'), { nil: null });
    const stations = fc.uniqueArray(fc.constantFrom('Grill', 'Fryer', 'Pizza'));
    const some = <T>(...all: T[]) => fc.uniqueArray(fc.constantFrom(...all));
    const printers = fc
      .array(
        fc.record({
          stations,
          receipts: some('kitchen' as const, 'customer' as const),
          fulfilment_types: some('collection' as const, 'delivery' as const),
          channels: some('web' as const, 'phone' as const),
        }),
        { maxLength: 5 },
      )
      .map((all) => all.map((one, index) => printer(String(index), one)));
    fc.assert(
      fc.property(printers, fc.array(station, { minLength: 1 }), (all, dishes) => {
        const one = order({ lines: dishes.map((name) => ({ station: name })) });
        const copies = copiesOnAccept(one, all).filter(({ copy }) => copy === 'kitchen');
        const onPaper = new Set(
          copies.flatMap(({ printerId }) => {
            const found = all.find(({ id }) => id === printerId);
            return found ? linesForPrinter(found, all, one) : [];
          }),
        );
        const prints = all.some(
          (each) =>
            each.receipts.includes('kitchen') &&
            (each.fulfilment_types.length === 0 || each.fulfilment_types.includes('collection')) &&
            (each.channels.length === 0 || each.channels.includes('web')),
        );
        expect(one.lines.every((line) => onPaper.has(line))).toBe(prints);
      }),
    );
  });
});

describe('a copy that somebody asks for', () => {
  const kitchen = printer('kitchen', { channels: ['phone'], copies: 3 });
  const counter = printer('counter', { receipts: ['customer'] });

  test('comes once, where such copies come', () => {
    expect(spell(requestedCopies(order({ channel: 'phone' }), ['kitchen', 'customer'], [kitchen, counter]))).toEqual([
      'kitchen kitchen 1',
      'counter customer 1',
    ]);
  });

  test('comes although nothing is set to print it of such an order', () => {
    expect(spell(requestedCopies(order(), ['kitchen'], [counter, kitchen]))).toEqual(['kitchen kitchen 1']);
    expect(spell(requestedCopies(order(), ['kitchen'], [counter]))).toEqual(['counter kitchen 1']);
    const bar = printer('bar', { stations: ['Bar'] });
    const grill = printer('grill', { stations: ['Grill'] });
    expect(spell(requestedCopies(order({ lines: [{ station: 'Bar' }] }), ['kitchen'], [grill, bar]))).toEqual([
      'bar kitchen 1',
    ]);
  });
});

test('one printer opens the drawer, of those that have one for such orders', () => {
  const till = printer('till', { opens_drawer: true, fulfilment_types: ['collection'] });
  const other = printer('other', { opens_drawer: true });
  expect(findDrawerPrinter(order(), [printer('kitchen'), till, other])).toBe('till');
  expect(findDrawerPrinter(order({ fulfilment_type: 'delivery' }), [till, other])).toBe('other');
  expect(findDrawerPrinter(order(), [printer('kitchen')])).toBeNull();
});
