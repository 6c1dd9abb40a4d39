import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createPortal } from 'react-dom';
import type { PrintPreview, Receipt } from '#printing/contract.ts';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { printCopyWords } from '#kitchen/web/board-words.ts';
import panels from '#kitchen/web/board/panels.module.css';
import classes from '#kitchen/web/order/receipts.module.css';
import { shopNow } from '#platform/web/clock.ts';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import type { Order } from '#ordering/order.ts';
import type { PrintCopy } from '#ordering/print.ts';
import { api } from '#platform/web/api.ts';
import { printTitleWords, printStatusWords } from '#printing/web/printer-words.ts';

/** An order's receipts: each printed receipt with its print status, or previews if the shop has no printer. */
export function OrderReceipts({ order }: { order: Order }) {
  const hasPrinter = useHasPrinter();
  return (
    <div className={panels.stack}>
      {hasPrinter === false && (
        <p className={classes.noPrinter}>
          <strong>{m.kitchen_board_no_printer()}.</strong> {m.kitchen_board_no_printer_here()}
        </p>
      )}
      {hasPrinter ? <Copies order={order} /> : <Drawn order={order} />}
    </div>
  );
}

function Copies({ order }: { order: Order }) {
  const { print } = useBoardControls();
  // The query key changes with every print's status, so that the receipts are refetched.
  const ledger = order.prints.map(({ id, status }) => `${id} ${status}`).join();
  const query = useQuery<PrintPreview[]>({
    queryKey: ['prints', order.id, ledger],
    placeholderData: (shown) => shown,
    queryFn: async ({ signal }) =>
      (await api('GET /v1/orders/{id}/prints', { id: order.id }, { signal, timeout: 15_000 })).data,
  });
  return (
    <>
      <div className={panels.buttons}>
        <Button variant="default" leftSection={<Icon name="print" />} onClick={() => print(order, 'kitchen')}>
          {m.kitchen_board_print_kitchen()}
        </Button>
        <Button variant="default" leftSection={<Icon name="print" />} onClick={() => print(order, 'customer')}>
          {m.kitchen_board_print_customer()}
        </Button>
        <Button variant="default" leftSection={<Icon name="print" />} onClick={() => print(order, 'both')}>
          {m.kitchen_board_print_both()}
        </Button>
      </div>
      {query.isPending && <LoadingState />}
      {query.isError && !query.data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <p className={panels.empty}>{m.kitchen_board_receipts_empty()}</p>}
      {query.data?.toReversed().map((copy) => (
        <Copy key={copy.id} copy={copy} onAgain={() => print(order, copy.copy)} />
      ))}
    </>
  );
}

/** Previews of the order's present receipts, for a shop without a printer. */
function Drawn({ order }: { order: Order }) {
  const query = useQuery<Receipt[]>({
    queryKey: ['receipts', order.id, order.version],
    placeholderData: (shown) => shown,
    queryFn: async ({ signal }) =>
      (await api('GET /v1/orders/{id}/receipts', { id: order.id }, { signal, timeout: 15_000 })).data,
  });
  return (
    <>
      {query.isPending && <LoadingState />}
      {query.isError && !query.data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.map(({ copy, svg, text }) => (
        <article key={copy} className={classes.copy} data-copy={copy} data-status="drawn">
          <header>
            <h3>{printCopyWords[copy]()}</h3>
          </header>
          <Paper id={`${order.id}-${copy}`} copy={copy} svg={svg} text={text} />
          <PrintHere id={`${order.id}-${copy}`} />
        </article>
      ))}
    </>
  );
}

function Copy({ copy, onAgain }: { copy: PrintPreview; onAgain: () => void }) {
  const { store } = useBoardControls();
  const story = printStatusWords(copy, store, shopNow());
  return (
    <article className={classes.copy} data-copy={copy.copy} data-status={copy.status}>
      <header>
        <h3>{printTitleWords(copy)}</h3>
        <p className={classes.copyStatus}>
          {copy.printer === null ? story : m.kitchen_receipt_printer({ printer: copy.printer, story })}
        </p>
      </header>
      {copy.svg ? (
        <Paper id={copy.id} copy={copy.copy} svg={copy.svg} text={copy.text} />
      ) : (
        <p className={panels.empty}>{m.kitchen_board_receipt_missing()}</p>
      )}
      <div className={panels.buttons}>
        <Button variant="subtle" leftSection={<Icon name="undo" />} onClick={onAgain}>
          {m.kitchen_board_print_again()}
        </Button>
        {copy.svg && <PrintHere id={copy.id} />}
      </div>
    </article>
  );
}

/** The receipt as an image, so that a script in an order's note cannot run. */
function Paper({ id, copy, svg, text }: { id: string; copy: PrintCopy; svg: string; text: string | null }) {
  const source = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, [svg]);
  const alt = m.kitchen_board_receipt_alt({ copy: printCopyWords[copy]() });
  return (
    <>
      <div className={classes.paper}>
        <img src={source} alt={alt} aria-describedby={`text-${id}`} />
      </div>
      <pre id={`text-${id}`} className="visually-hidden">
        {text}
      </pre>
      {createPortal(<img className={classes.printPage} data-print-page={id} src={source} alt="" />, document.body)}
    </>
  );
}

function PrintHere({ id }: { id: string }) {
  return (
    <Button variant="subtle" leftSection={<Icon name="print" />} onClick={() => printHere(id)}>
      {m.kitchen_board_print_here()}
    </Button>
  );
}

function printHere(id: string): void {
  const page = document.querySelector<HTMLElement>(`[data-print-page="${id}"]`);
  if (!page) return;
  page.dataset['printing'] = '';
  addEventListener('afterprint', () => delete page.dataset['printing'], { once: true });
  window.print();
}
