import type { JournalCheck, JournalFault } from '#database/journal/journal.ts';
import type { MoneyDisagreement } from '#payment/journal.ts';

export interface CheckReport {
  lines: string[];
  isGood: boolean;
}

/**
 * Formats the disagreements and the journals' faults as text for the person who runs the check. Amounts are in minor
 * units.
 */
export function formatCheckReport(
  journals: readonly JournalCheck[],
  { orders, disagreements }: { orders: number; disagreements: readonly MoneyDisagreement[] },
): CheckReport {
  const faulty = journals.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${faultWords(fault)}`));
  const wrong = disagreements.map(
    ({ order_number, trading_day, order_id, status, payment_status, kind, expected, found }) =>
      `order ${order_number} of ${trading_day} (${order_id}), ${status} and ${payment_status}: ` +
      `${kind} should be ${expected} and is ${found}`,
  );
  return {
    lines: [
      ...journals.map(({ name, entries, head }) => `${name}: ${entries} entries, the last hash is ${head ?? 'none'}`),
      `${orders} orders compared with their money`,
      ...faulty,
      ...wrong,
    ],
    isGood: faulty.length + wrong.length === 0,
  };
}

function faultWords({ kind, position, entry }: JournalFault): string {
  switch (kind) {
    case 'changed':
      return `entry ${position} (${entry}) is not what was written`;
    case 'missing':
      return `entries are missing before ${position} (${entry})`;
    case 'gone':
      return `entry ${position} is gone`;
    case 'unchained':
      return `${entry} was not chained within ten minutes`;
  }
}
