import { LanPrinting } from '#kitchen/web/board/lan-banner.tsx';
import { PrinterBanner } from '#kitchen/web/board/printer-banner.tsx';
import { UnprintedTickets } from '#kitchen/web/ticket/unprinted-tickets.tsx';
import type { Order } from '#ordering/order.ts';
import type { Printing } from '#printing/contract.ts';

interface BoardPrintingProps {
  printing: Printing;
  orders: ReadonlyMap<string, Order>;
}

/** What a board does about a shop's printers. It is loaded as soon as there is one, before anything is wrong with it. */
export function BoardPrinting({ printing, orders }: BoardPrintingProps) {
  return (
    <>
      {printing.unread.length > 0 && <UnprintedTickets unread={printing.unread} orders={orders} />}
      <PrinterBanner printers={printing.printers} />
      <LanPrinting printers={printing.printers} />
    </>
  );
}
