import { m } from '#messages';
import { latePart } from '#ui/web/late-part.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { MissingPart } from '#ui/web/office/states.tsx';

const code = {
  doneList: () => import('#kitchen/web/ticket/done-list.tsx'),
  orderDetails: () => import('#kitchen/web/order/order-details.tsx'),
  receipts: () => import('#kitchen/web/order/receipts.tsx'),
  soldOut: () => import('#kitchen/web/board/sold-out.tsx'),
  orderHistory: () => import('#kitchen/web/order/order-history.tsx'),
  newOrder: () => import('#kitchen/web/till/new-order.tsx'),
  takeOff: () => import('#kitchen/web/order/take-off-dialog.tsx'),
  reason: () => import('#kitchen/web/order/reason-dialog.tsx'),
  paid: () => import('#kitchen/web/order/paid-dialog.tsx'),
};

/** Panels over the board or in one of its tabs, which are no part of the first view. */
export const latePanels = {
  doneList: latePart(async () => (await code.doneList()).DoneList, MissingPart),
  orderDetails: latePart(async () => (await code.orderDetails()).OrderDetails, MissingPart),
  receipts: latePart(async () => (await code.receipts()).Receipts, MissingPart),
  soldOut: latePart(async () => (await code.soldOut()).SoldOut, MissingPart),
  orderHistory: latePart(async () => (await code.orderHistory()).OrderHistory, MissingPart),
  newOrder: latePart(async () => (await code.newOrder()).NewOrder, MissingDialog),
  takeOff: latePart(async () => (await code.takeOff()).TakeOffDialog, MissingDialog),
  reason: latePart(async () => (await code.reason()).ReasonDialog, MissingDialog),
  paid: latePart(async () => (await code.paid()).PaidDialog, MissingDialog),
};

/** Loads all of it, so that everything opens while the board has no connection. */
export function loadPanels(): void {
  for (const load of Object.values(code)) load().catch(() => undefined);
}

function MissingDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={m.platform_trouble_title()}>
      <MissingPart />
    </Dialog>
  );
}
