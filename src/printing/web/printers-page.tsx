import { Button, NativeSelect, Tabs } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { m } from '#messages';
import { PrinterList, PrinterPanel } from '#printing/web/printer-panel.tsx';
import { printLedgerQueryKey, useLivePrinters, usePrinterCalls, usePrinters } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import type { Printer, PrinterKind } from '#printing/printer.ts';
import { PrinterDetailsForm, newPrinterDetails } from '#printing/web/details-form.tsx';
import {
  printerKindDescriptions,
  printerKindWords,
  printerTimeWords,
  printTitleWords,
  printStatusWords,
} from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { notify } from '#ui/web/notify.ts';
import { api } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { LedgerPrint } from '#printing/contract.ts';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { useListView, usePagedList } from '#ui/web/office/use-paged-list.ts';

const path = '/admin/printers';

export function PrintersPage({ store }: { store: Store }) {
  const query = usePrinters(store.id);
  useLivePrinters(store.id);
  const [params] = useSearchParams();
  const opened = params.get('printer');
  const isAdding = params.has('add');
  const printer = query.data?.find(({ id }) => id === opened);
  const isList = !isAdding && opened === null;
  return (
    <OfficePage
      title={printer?.name ?? (isAdding ? m.printing_office_add() : m.printing_office_title())}
      hint={isList && m.printing_office_hint()}
      actions={
        isList ? (
          <>
            <Button component={Link} href="/store/manage?section=receipts" variant="default">
              {m.printing_office_design()}
            </Button>
            <Button component={Link} href={`${path}?add`}>
              {m.printing_office_add()}
            </Button>
          </>
        ) : (
          <Button component={Link} href={path} variant="default">
            {m.printing_office_back()}
          </Button>
        )
      }
    >
      {query.isPending && <LoadingState />}
      {query.isError && !query.data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Content store={store} printers={query.data} opened={opened} isAdding={isAdding} />}
    </OfficePage>
  );
}

function Content({ opened, isAdding, ...shop }: PrintersProps & { opened: string | null; isAdding: boolean }) {
  if (isAdding) return <AddPrinter {...shop} />;
  return opened === null ? <Overview {...shop} /> : <OpenedPrinter {...shop} id={opened} />;
}

interface PrintersProps {
  store: Store;
  printers: readonly Printer[];
}

function OpenedPrinter({ store, printers, id }: PrintersProps & { id: string }) {
  const [, go] = useLocation();
  const printer = printers.find((one) => one.id === id);
  if (!printer) return <EmptyState title={m.printing_office_gone()} />;
  return <PrinterPanel key={id} store={store} printer={printer} printers={printers} onRemoved={() => go(path)} />;
}

type Shown = 'printers' | 'recent';

function Overview({ store, printers }: PrintersProps) {
  const [shown, setShown] = useState<Shown>('printers');
  return (
    <Tabs value={shown} onChange={(value) => setShown(value === 'recent' ? 'recent' : 'printers')}>
      <Tabs.List mb="md">
        <Tabs.Tab value="printers">{m.printing_office_tab_printers()}</Tabs.Tab>
        <Tabs.Tab value="recent">{m.printing_office_tab_recent()}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="printers">
        <PrinterList store={store} printers={printers} />
      </Tabs.Panel>
      <Tabs.Panel value="recent">{shown === 'recent' && <RecentPrints store={store} printers={printers} />}</Tabs.Panel>
    </Tabs>
  );
}

/** A form for kind, name and address; the printer's own page has the other settings. */
function AddPrinter({ store, printers }: PrintersProps) {
  const [, go] = useLocation();
  const [kind, setKind] = useState<PrinterKind | null>(null);
  const { add } = usePrinterCalls(store.id);
  if (!kind) return <ChooseKind onChoose={setKind} />;
  // A new printer prints kitchen receipts if no other printer prints them; nothing else about its receipts can be
  // guessed.
  const isFirst = printers.every((printer) => !printer.receipts.includes('kitchen'));
  return (
    <section className={classes.panel}>
      <h2>{printerKindWords[kind]()}</h2>
      <p>{printerKindDescriptions[kind]()}</p>
      <PrinterDetailsForm
        kind={kind}
        first={newPrinterDetails(kind, '')}
        action={m.printing_office_add()}
        leave={{ words: m.printing_office_back_to_kinds(), run: () => setKind(null) }}
        onSave={async (details) => {
          const receipts = isFirst ? (['kitchen'] as const) : [];
          const printer = await add.mutateAsync({ ...details, store_id: store.id, kind, receipts: [...receipts] });
          notify({ text: m.printing_office_added({ name: printer.name }) });
          const to = `${path}?printer=${printer.id}`;
          // The browser loads the page anew, because the page's content security policy must allow the printer's
          // address.
          if (kind === 'browser') location.assign(to);
          else go(to);
        }}
      />
    </section>
  );
}

function ChooseKind({ onChoose }: { onChoose: (kind: PrinterKind) => void }) {
  return (
    <section aria-labelledby="which-kind">
      <h2 id="which-kind" className={classes.which}>
        {m.printing_office_which()}
      </h2>
      <ul className={classes.kinds}>
        {kinds.map((kind) => (
          <li key={kind} data-kind={kind}>
            <h3>{printerKindWords[kind]()}</h3>
            <p>{printerKindDescriptions[kind]()}</p>
            <Button
              variant="default"
              aria-label={`${m.printing_office_choose()}: ${printerKindWords[kind]()}`}
              onClick={() => onChoose(kind)}
            >
              {m.printing_office_choose()}
            </Button>
          </li>
        ))}
        <li>
          <h3>{m.printing_office_kind_dialog()}</h3>
          <p>{m.printing_office_kind_dialog_means()}</p>
        </li>
      </ul>
    </section>
  );
}

/** Printer kinds in list order: first those that need no other device in the shop's network. */
const kinds: readonly PrinterKind[] = ['star_cloudprnt', 'epson_sdp', 'network', 'browser', 'system'];

const perPage = 50;

function RecentPrints({ store, printers }: { store: Store; printers: readonly Printer[] }) {
  const { view, change } = useListView();
  const printerId = view.filters['of'];
  const { again } = usePrinterCalls(store.id);
  const { list } = usePagedList({
    key: [printLedgerQueryKey, store.id, printerId, view.page],
    load: (options) =>
      api(
        'GET /v1/prints',
        { store_id: store.id, page: view.page, per_page: perPage, ...(printerId && { printer_id: printerId }) },
        options,
      ),
  });
  const columns: ListColumn<LedgerPrint>[] = [
    { key: 'what', label: m.printing_office_recent_what(), cell: nameOf },
    {
      key: 'when',
      label: m.printing_office_recent_when(),
      cell: (print) => printerTimeWords(print.created_at, store),
    },
    {
      key: 'printer',
      label: m.printing_office_recent_printer(),
      cell: ({ printer }) => printer ?? m.printing_office_recent_no_printer(),
    },
    {
      key: 'state',
      label: m.printing_office_recent_state(),
      cell: (print) => <span data-print={print.status}>{printStatusWords(print, store, shopNow())}</span>,
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
      empty={<EmptyState title={m.printing_office_recent_none()} />}
    />
  );
}

function nameOf(print: LedgerPrint): string {
  const what = printTitleWords(print);
  return print.order_number === null ? what : m.printing_office_recent_order({ number: print.order_number, what });
}

function isAgainPossible(print: LedgerPrint): print is LedgerPrint & { order_id: string } {
  return print.purpose === 'receipt' && print.order_id !== null;
}
