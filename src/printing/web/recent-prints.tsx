import { Button, NativeSelect } from '@mantine/core';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { LedgerPrint } from '#printing/contract-printers.ts';
import type { Printer } from '#printing/printer.ts';
import { momentWords, paperWords, printStory } from '#printing/web/printer-words.ts';
import { ledgerKey, usePrinterCalls } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { type Column, DataList } from '#ui/web/office/data-list.tsx';
import { Empty } from '#ui/web/office/states.tsx';
import { useListView } from '#ui/web/office/use-list-view.ts';
import { usePagedList } from '#ui/web/office/use-paged-list.ts';

const perPage = 50;

/** The ledger: each print with its printer, what became of it and when. */
export function RecentPrints({ store, printers }: { store: Store; printers: readonly Printer[] }) {
  const { view, change } = useListView();
  const printerId = view.filters['of'];
  const { again } = usePrinterCalls(store.id);
  const { list } = usePagedList({
    key: [ledgerKey, store.id, printerId, view.page],
    load: (options) =>
      api(
        'GET /v1/prints',
        { store_id: store.id, page: view.page, per_page: perPage, ...(printerId && { printer_id: printerId }) },
        options,
      ),
  });
  const columns: Column<LedgerPrint>[] = [
    { key: 'what', label: m.printing_office_recent_what(), cell: nameOf },
    { key: 'when', label: m.printing_office_recent_when(), cell: (print) => momentWords(print.created_at, store) },
    {
      key: 'printer',
      label: m.printing_office_recent_printer(),
      cell: ({ printer }) => printer ?? m.printing_office_recent_no_printer(),
    },
    {
      key: 'state',
      label: m.printing_office_recent_state(),
      cell: (print) => <span data-print={print.status}>{printStory(print, store, shopNow())}</span>,
    },
  ];
  return (
    <DataList
      label={m.printing_office_tab_recent()}
      columns={columns}
      {...list}
      rowId={({ id }) => id}
      rowName={nameOf}
      view={view}
      onView={change}
      hasSearch={false}
      filters={
        <NativeSelect
          label={m.printing_office_recent_filter()}
          value={printerId ?? ''}
          data={[
            { value: '', label: m.printing_office_recent_all() },
            ...printers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            change({ filters: value === '' ? {} : { of: value } });
          }}
        />
      }
      hasWordyActions
      rowActions={(print) =>
        isAgainPossible(print) && (
          <Button
            variant="subtle"
            loading={again.isPending && again.variables.id === print.id}
            aria-label={m.printing_office_recent_again_of({ what: nameOf(print) })}
            onClick={() => again.mutate(print)}
          >
            {m.printing_office_recent_again()}
          </Button>
        )
      }
      empty={<Empty title={m.printing_office_recent_none()} />}
    />
  );
}

function nameOf(print: LedgerPrint): string {
  const what = paperWords(print);
  return print.order_number === null ? what : m.printing_office_recent_order({ number: print.order_number, what });
}

function isAgainPossible(print: LedgerPrint): print is LedgerPrint & { order_id: string } {
  return print.purpose === 'receipt' && print.order_id !== null;
}
