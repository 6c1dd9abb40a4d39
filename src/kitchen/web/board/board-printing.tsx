import { UnprintedTickets } from '#kitchen/web/ticket/unprinted-tickets.tsx';
import type { Order } from '#ordering/order.ts';
import type { Printing } from '#printing/contract.ts';
import { Banner } from '#kitchen/web/board/banner.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { momentWords } from '#kitchen/web/board-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useShift } from '#kitchen/web/board/shift.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { unreachedWords } from '#printing/web/lan/unreached-words.ts';
import { useLanPrinting } from '#printing/web/lan/use-lan-printing.ts';
import { useLocalAccess } from '#printing/web/lan/local-network.ts';
import { lanOrigin } from '#printing/lan-origin.ts';

interface BoardPrintingProps {
  printing: Printing;
  orders: ReadonlyMap<string, Order>;
}

/** The board's part of printing. It is loaded as soon as there is one, before anything is wrong with it. */
export function BoardPrinting({ printing, orders }: BoardPrintingProps) {
  return (
    <>
      {printing.unread.length > 0 && <UnprintedTickets unread={printing.unread} orders={orders} />}
      <PrinterBanner printers={printing.printers} />
      <LanPrinting printers={printing.printers} />
    </>
  );
}

/** A printer's fault, since when, and who prints for it; milder, that its paper is nearly out. */
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
        {since !== null && m.kitchen_printer_since({ time: momentWords(since, shopNow(), store.timezone) })}{' '}
        {backup && m.kitchen_printer_backup({ name: backup.name })}
      </span>
    </Banner>
  );
}

/** The next printer along the backups that prints. */
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

/** Prints from this board, and names the obstacles. */
function LanPrinting({ printers }: { printers: readonly Printer[] }) {
  const { store } = useBoardControls();
  const { isOn } = useShift();
  const { heard, ask } = useLanPrinting(store.id, printers, isOn);
  const own = printers.filter(({ kind }) => kind === 'browser');
  const access = useLocalAccess();
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
  // Another board may reach it: the printer's own banner says when none does.
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

/** The origins that the page's own policy kept it from: it is older than the printer. */
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
