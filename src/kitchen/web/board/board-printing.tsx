import type { Order } from '#ordering/order.ts';
import type { Printing } from '#printing/contract.ts';
import { Banner } from '#kitchen/web/board/banner-strip.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { printCopyWords, boardMomentWords } from '#kitchen/web/board-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useShift } from '#kitchen/web/board/shift.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { unreachedWords } from '#printing/web/lan/lan-answer.ts';
import { useLanPrinting } from '#printing/web/lan/use-lan-printing.ts';
import { useLocalNetworkAccess } from '#printing/web/lan/local-network.ts';
import { lanOrigin } from '#printing/lan-origin.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BoardSheet } from '#kitchen/web/board/board-panels.tsx';
import { TicketButton } from '#kitchen/web/ticket/ticket-head.tsx';
import classes from '#kitchen/web/ticket/unprinted-tickets.module.css';
import type { Print } from '#ordering/print.ts';
import { api } from '#platform/web/api.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import { notify } from '#ui/web/notify.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

/**
 * The board's printing. If the store has a printer, this code is loaded at once, so that it also works without a
 * connection.
 */
export function BoardPrinting({ printing, orders }: { printing: Printing; orders: ReadonlyMap<string, Order> }) {
  return (
    <>
      {printing.unread.length > 0 && <UnprintedTickets unread={printing.unread} orders={orders} />}
      <PrinterBanner printers={printing.printers} />
      <LanPrinting printers={printing.printers} />
    </>
  );
}

/** The banners of printers: a fault, with its start and the backup printer, or low paper. */
function PrinterBanner({ printers }: { printers: readonly Printer[] }) {
  return printers
    .filter(({ status }) => status.words !== null)
    .map((printer) => <PrinterLine key={printer.id} printer={printer} printers={printers} />);
}

function PrinterLine({ printer, printers }: { printer: Printer; printers: readonly Printer[] }) {
  const { store } = useBoardControls();
  const { name, status } = printer;
  const { fault, words, since } = status;
  const backup = fault === null ? null : workingBackup(printer, printers);
  return (
    <Banner icon="print" tone={fault === null ? 'plain' : 'bad'}>
      <span data-printer={printer.id} data-fault={fault ?? 'paper_low'}>
        <strong>{m.kitchen_printer_fault({ name, words: words ?? '' })}</strong>{' '}
        {since !== null && m.kitchen_printer_since({ time: boardMomentWords(since, shopNow(), store.timezone) })}{' '}
        {backup && m.kitchen_printer_backup({ name: backup.name })}
      </span>
    </Banner>
  );
}

function workingBackup(printer: Printer, printers: readonly Printer[]): Printer | null {
  const visited = new Set([printer.id]);
  for (let id = printer.backup_printer_id; id !== null && !visited.has(id);) {
    visited.add(id);
    const next = printers.find((other) => other.id === id);
    if (!next) return null;
    if (next.status.fault === null) return next;
    id = next.backup_printer_id;
  }
  return null;
}

/** Prints on printers in this board's network, and reports their faults. */
function LanPrinting({ printers }: { printers: readonly Printer[] }) {
  const { store } = useBoardControls();
  const { isOn } = useShift();
  const { heard, ask } = useLanPrinting(store.id, printers, isOn);
  const own = printers.filter(({ kind }) => kind === 'browser');
  const access = useLocalNetworkAccess();
  const blocked = useBlockedOrigins();
  if (!isOn || own.length === 0) return null;
  if (own.some(({ address }) => blocked.has(lanOrigin(address)))) return <ReloadBanner />;
  const silent = own.flatMap((printer) => {
    const said = heard.get(printer.id);
    return said && 'unreached' in said ? [{ printer, ...said }] : [];
  });
  const isHeard = heard.size > silent.length;
  if (access === 'prompt' && nativeShell().print === null && !isHeard) {
    return (
      <Banner
        icon="print"
        isAsking
        buttons={
          <Button variant="white" color="dark" onClick={ask}>
            {m.printing_browser_allow()}
          </Button>
        }
      >
        <span data-lan="prompt">{m.printing_browser_prompt()}</span>
      </Banner>
    );
  }
  const [first] = silent;
  if (!first) return null;
  return (
    <Banner
      icon="print"
      tone={first.unreached === 'unreached' ? 'plain' : 'bad'}
      isAsking={first.unreached !== 'unreached'}
      buttons={
        <Button variant="white" color="dark" onClick={ask}>
          {m.printing_browser_try()}
        </Button>
      }
    >
      <span data-lan={first.unreached}>
        <strong>{first.printer.name}:</strong> {unreachedWords(first.unreached, first.printer, first.detail)}
      </span>
    </Banner>
  );
}

function ReloadBanner() {
  return (
    <Banner
      icon="print"
      tone="bad"
      isAsking
      buttons={
        <Button variant="white" color="dark" onClick={() => location.reload()}>
          {m.printing_browser_reload_now()}
        </Button>
      }
    >
      <span data-lan="reload">{m.printing_browser_reload()}</span>
    </Banner>
  );
}

/**
 * The origins that the page's content security policy blocks, because the page was loaded before the printer was added.
 */
function useBlockedOrigins(): ReadonlySet<string> {
  const [origins, setOrigins] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const note = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective !== 'connect-src' || !URL.canParse(blockedURI)) return;
      const { protocol, hostname, port } = new URL(blockedURI);
      setOrigins((known) =>
        new Set(known).add(`${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`),
      );
    };
    document.addEventListener('securitypolicyviolation', note);
    return () => document.removeEventListener('securitypolicyviolation', note);
  }, []);
  return origins;
}

/**
 * A banner with the number of unprinted receipts. Its sheet shows each receipt as it would be on paper, until somebody
 * has read it.
 */
function UnprintedTickets({ unread, orders }: { unread: readonly Print[]; orders: ReadonlyMap<string, Order> }) {
  const [isOpen, setOpen] = useState(false);
  const count = m.kitchen_unprinted_count({ count: unread.length });
  return (
    <>
      <Banner
        icon="print"
        tone="bad"
        buttons={
          <Button variant="white" color="dark" onClick={() => setOpen(true)}>
            {m.kitchen_unprinted_open({ count: unread.length })}
          </Button>
        }
      >
        <span data-unprinted={unread.length}>{count}</span>
      </Banner>
      <BoardSheet title={count} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className={classes.hint}>{m.kitchen_unprinted_hint({ count: unread.length })}</p>
        <ul className={classes.unprinted}>
          {unread.map((print) => (
            <Unprinted key={print.id} print={print} order={orders.get(print.order_id ?? '')} />
          ))}
        </ul>
      </BoardSheet>
    </>
  );
}

function Unprinted({ print, order }: { print: Print; order: Order | undefined }) {
  const { openDetails, print: printAgain } = useBoardControls();
  const { isSending, read } = useReading(print);
  const copy = printCopyWords[print.copy]();
  const what = order ? `${m.kitchen_board_number({ number: order.number })} ${copy}` : copy;
  return (
    <li className={classes.ticket} data-print={print.id}>
      <div>
        {order ? (
          <button type="button" className={classes.number} onClick={() => openDetails(order)}>
            {what}
          </button>
        ) : (
          <strong>{what}</strong>
        )}
        <p>{storyOf(print)}</p>
      </div>
      <div className={classes.answers}>
        <TicketButton
          look="yes"
          disabled={isSending}
          aria-label={m.kitchen_unprinted_read_of({ what })}
          onClick={() => void read(what)}
        >
          <Icon name="check" /> {m.kitchen_unprinted_read()}
        </TicketButton>
        {order && (
          <TicketButton
            aria-label={m.kitchen_unprinted_again_of({ what })}
            onClick={() => printAgain(order, print.copy)}
          >
            {m.kitchen_board_print_again()}
          </TicketButton>
        )}
      </div>
      <Paper print={print} version={order?.version} />
    </li>
  );
}

/** A print's status as text: that the print waits for its printer, or else the printer and its error. */
function storyOf(print: Print): string {
  const { printer, status } = print;
  if (status === 'queued' && printer !== null) return m.kitchen_unprinted_waits({ printer });
  return [printer, printErrorWords(print)].filter(Boolean).join(': ');
}

function useReading({ id, store_id: storeId }: Print) {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const read = async (what: string): Promise<void> => {
    setSending(true);
    try {
      const { data } = await api('POST /v1/prints/{id}/read', { id }, { timeout: 15_000 });
      notify({ id: `read ${id}`, text: m.kitchen_unprinted_done({ what, name: data.read_by ?? '' }) });
      await client.invalidateQueries({ queryKey: ['printing', storeId] });
    } catch (error) {
      notify({ id: `read ${id}`, text: refusalWords(error), tone: 'bad' });
    } finally {
      setSending(false);
    }
  };
  return { isSending, read };
}

/** The receipt as an image, so that text of the order's notes cannot run as a script. */
function Paper({ print, version }: { print: Print; version: number | undefined }) {
  const { data, isError } = useQuery({
    queryKey: ['unprinted', print.id, version],
    queryFn: ({ signal }) => paperOf(print, signal),
    placeholderData: (shown) => shown,
  });
  if (!data) return <p className={classes.paper}>{isError ? m.platform_trouble_title() : m.platform_loading()}</p>;
  return (
    <div className={classes.paper}>
      <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.svg)}`} alt={data.text} />
    </div>
  );
}

/**
 * The receipt as it was drawn for the printer. A receipt that was never drawn is drawn from its order; null: there is
 * no order, or no such receipt.
 */
async function paperOf(print: Print, signal: AbortSignal): Promise<{ svg: string; text: string } | null> {
  const options = { signal, timeout: 15_000 };
  const { data: drawn } = await api('GET /v1/prints/{id}', { id: print.id }, options);
  if (drawn.svg !== null) return { svg: drawn.svg, text: drawn.text ?? '' };
  if (print.order_id === null) return null;
  const { data: both } = await api('GET /v1/orders/{id}/receipts', { id: print.order_id }, options);
  return both.find(({ copy }) => copy === print.copy) ?? null;
}
