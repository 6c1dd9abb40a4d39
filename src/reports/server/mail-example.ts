import type { Db } from '#database/schema.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { takingsMail } from '#reports/server/write-takings-mail.ts';
import type { Store } from '#store/contract.ts';

/** The mail of a day's takings with invented data. */
export function takingsMailExample(
  config: { publicUrl: string },
  { readStore }: { readStore: (db: Db) => Promise<Store> },
): Pick<MailExamples, 'takings'> {
  return {
    takings: async (db: Db) =>
      takingsMail(config, await readStore(db), {
        start_date: '2026-11-21',
        totals: {
          orders: 57,
          gross: 134_250,
          subtotal: 124_300,
          discounts: 0,
          fees: 7_450,
          tips: 2_500,
          average: 2_355,
          refunds: 2,
          refunded: 1_880,
          refunded_tips: 0,
        },
        payment_methods: [
          { key: 'card', orders: 44, gross: 108_900 },
          { key: 'cash', orders: 13, gross: 25_350 },
        ],
        vat: [{ rate: 2000, net: 109_792, vat: 21_958, refunded_net: 1_567, refunded_vat: 313 }],
        lost: [{ status: 'rejected', reason: 'too_busy', orders: 1, total: 2_350 }],
        unpaid: { orders: 0, total: 0 },
        failed: { orders: 0, total: 0 },
        test: { orders: 0, total: 0 },
      }),
  };
}
