import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { m } from '#messages';
import { AddPrinter } from '#printing/web/add-printer.tsx';
import { PrinterList } from '#printing/web/printer-list.tsx';
import { PrinterPanel } from '#printing/web/printer-panel.tsx';
import { RecentPrints } from '#printing/web/recent-prints.tsx';
import { useLivePrinters, usePrinters } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Empty, Trouble, Waiting } from '#ui/web/office/states.tsx';

const path = '/admin/printers';

/** The printers of a shop: their state, adding and setting up, and what they printed. */
export function PrintersPage({ store }: { store: Store }) {
  const query = usePrinters(store.id);
  useLivePrinters(store.id);
  const [params] = useSearchParams();
  const [, go] = useLocation();
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
      {query.isPending && <Waiting />}
      {query.isError && !query.data && <Trouble error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && isAdding && (
        <AddPrinter
          store={store}
          printers={query.data}
          onAdded={({ id, kind }) => {
            const to = `${path}?printer=${id}`;
            // Its address is in the policy of a new page only.
            if (kind === 'browser') location.assign(to);
            else go(to);
          }}
        />
      )}
      {query.data && opened !== null && !printer && <Empty title={m.printing_office_gone()} />}
      {query.data && printer && (
        <PrinterPanel
          key={printer.id}
          store={store}
          printer={printer}
          printers={query.data}
          onRemoved={() => go(path)}
        />
      )}
      {query.data && isList && <Overview store={store} printers={query.data} />}
    </OfficePage>
  );
}

type Shown = 'printers' | 'recent';

function Overview({ store, printers }: { store: Store; printers: Parameters<typeof PrinterList>[0]['printers'] }) {
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
