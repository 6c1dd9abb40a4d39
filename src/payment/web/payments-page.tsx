import { SegmentedControl } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { m } from '#messages';
import { filterOf, type ListView, withFilter } from '#ui/list-view.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { useListView } from '#ui/web/office/use-list-view.ts';
import { CardPaymentsBand } from '#payment/web/card-payments-band.tsx';
import { PaymentChecksList } from '#payment/web/checks-list.tsx';
import { DisputeAlert } from '#payment/web/dispute-alert.tsx';
import { DisputesTable } from '#payment/web/disputes-table.tsx';
import { FailedPayments, HandedOverUnpaid } from '#payment/web/failed-payments.tsx';
import classes from '#payment/web/payments-page.module.css';
import { PaymentsTable } from '#payment/web/payments-table.tsx';
import { PayoutsTable } from '#payment/web/payouts-table.tsx';
import { RefundDialog } from '#payment/web/refund-dialog.tsx';
import { RefundsTable } from '#payment/web/refunds-table.tsx';
import type { TableProps } from '#payment/web/table-props.ts';
import type { Store } from '#store/contract.ts';

const tables = {
  payments: { label: m.payment_list_payments, Table: PaymentsTable },
  refunds: { label: m.payment_list_refunds, Table: RefundsTable },
  payouts: { label: m.payment_list_payouts, Table: PayoutsTable },
  disputes: { label: m.payment_list_disputes, Table: DisputesTable },
  checks: { label: m.payment_checks, Table: PaymentChecksList },
} as const satisfies Record<string, { label: () => string; Table: ComponentType<TableProps> }>;

/** Payments, failures, refunds, payouts and disputes, for the owner. */
export function PaymentsPage({ store }: { store: Store }) {
  const { view, change } = useListView();
  const [refunding, setRefunding] = useState<string | null>(null);
  const shown = filterOf(view, 'show', tables) ?? 'payments';
  const show = (name: string) => change({ search: '', filters: name === 'payments' ? {} : { show: name } });
  const { Table } = tables[shown];
  return (
    <OfficePage title={m.office_page_payments()} isWide>
      <CardPaymentsBand store={store} />
      <FailedPayments store={store} />
      <HandedOverUnpaid store={store} />
      {shown !== 'disputes' && <DisputeAlert store={store} onShow={() => show('disputes')} />}
      <div className={classes.tabs}>
        <SegmentedControl
          classNames={{ root: classes.switch ?? '' }}
          withItemsBorders={false}
          aria-label={m.payment_list_show()}
          value={shown}
          onChange={show}
          data={Object.entries(tables).map(([value, { label }]) => ({ value, label: label() }))}
        />
      </div>
      <Table key={shown} store={store} {...within(view, change)} onOpen={setRefunding} />
      {refunding && <RefundDialog orderId={refunding} store={store} onClose={() => setRefunding(null)} />}
    </OfficePage>
  );
}

/** The view of one table: which table it is, is no filter of its list. */
function within(view: ListView, change: TableProps['onView']): Pick<TableProps, 'view' | 'onView'> {
  const show = view.filters['show'] ?? '';
  return {
    view: { ...view, filters: withFilter(view, 'show', '') },
    onView: ({ filters, ...part }) =>
      change({ ...part, ...(filters && { filters: show === '' ? filters : { ...filters, show } }) }),
  };
}
