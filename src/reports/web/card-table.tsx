import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import type { CardSums } from '#reports/contract.ts';
import { ReportTable } from '#reports/web/report-table.tsx';

/** What card payments came to after fees, and where that money is now. */
export function CardTable({ cards }: { cards: CardSums }) {
  const say = (amount: number) => formatMoney(amount, cards.currency);
  const rows: [string, string, number][] = [
    ['charged', m.reports_cards_charged(), cards.charged],
    ['refunded', m.reports_cards_refunded(), 0 - cards.refunded],
    ['disputed', m.reports_cards_disputed(), 0 - cards.disputed],
    ['fees', m.reports_cards_fees(), 0 - cards.fees],
    ['other', m.reports_cards_other(), cards.other],
    ['net', m.reports_cards_net(), cards.net],
    ['paid_out', m.reports_cards_paid_out(), cards.paid_out],
    ['on_the_way', m.reports_cards_on_the_way(), cards.on_the_way],
    ['waiting', m.reports_cards_waiting(), cards.waiting],
  ];
  const always = new Set(['charged', 'fees', 'net', 'paid_out']);
  return (
    <ReportTable
      title={m.reports_cards()}
      hint={m.reports_cards_hint()}
      head={[m.reports_part(), m.reports_amount()]}
      rows={rows
        .filter(([key, , amount]) => amount !== 0 || always.has(key))
        .map(([key, name, amount]) => ({ key, cells: [name, say(amount)] }))}
      empty={m.reports_none()}
    />
  );
}
