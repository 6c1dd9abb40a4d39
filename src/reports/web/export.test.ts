import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SaleOrRefund, ordersCsv } from '#reports/accountant-csv.ts';
import { createExportProgressReader, noExportProgress } from '#reports/web/export.ts';

const range = { from: '2026-11-01', to: '2026-11-10' };
const setting = { currency: 'GBP', timezone: 'Europe/London' };

function movement(day: string, reason: string): SaleOrRefund {
  const kinds = { channel: 'web', fulfilment_type: 'collection', payment_method: 'cash', status: 'collected' };
  const money = { subtotal: 100, discounts: 0, fees: [], tip: 0, total: 100, vat: [], card: null, card_mode: null };
  const at = new Date(`${day}T18:00:00Z`);
  const order = { order_number: 1, order_id: '5f0f8a52-0000-4000-8000-000000000000', payment_status: 'paid' };
  return { kind: 'refund', trading_day: day, at, ...order, ...kinds, ...money, reason };
}

async function textOf(movements: SaleOrRefund[]): Promise<string> {
  const batches = (async function* () {
    yield movements;
  })();
  let text = '';
  for await (const piece of ordersCsv(batches, setting)) text += piece;
  return text;
}

test('the heads alone are no progress', async () => {
  expect(createExportProgressReader(range, 'orders')(await textOf([]))).toEqual(noExportProgress);
});

test('rows are counted up to the day of the last, wherever the text is cut and whatever staff wrote', async () => {
  const days = ['2026-11-01', '2026-11-03', '2026-11-03', '2026-11-05'];
  const reasons = ['Cold', 'line\nbreak', '2026-11-09\n2027-01-01,sale', '"quoted", 2026-11-09,'];
  const text = await textOf(days.map((day, index) => movement(day, reasons[index] ?? '')));
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 20 }), (cuts) => {
      const follow = createExportProgressReader(range, 'orders');
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const steps = places.slice(1).map((end, index) => follow(text.slice(places[index], end)));
      expect(steps.at(-1)).toEqual({ rows: 4, day: '2026-11-05', part: 0.5 });
      const parts = steps.map(({ part }) => part);
      expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    }),
  );
});

test('a payout’s lines begin with the payout', () => {
  const follow = createExportProgressReader(range, 'payouts');
  expect(follow('payout_id,payout_date,\r\npo_1,2026-11-10,paid,charge\r\npo_1,2026')).toEqual({
    rows: 1,
    day: '2026-11-10',
    part: 1,
  });
});
