import { createElement, type ReactNode, Suspense } from 'react';
import { isUnderWay } from '#ordering/order-status.ts';
import { CardRefused } from '#ordering/web/card-refused.tsx';
import { CollectFrom } from '#ordering/web/collect-from.tsx';
import { OrderActions } from '#ordering/web/order-actions.tsx';
import { OrderHeadline } from '#ordering/web/order-headline.tsx';
import { OrderReceipt } from '#ordering/web/order-receipt.tsx';
import { OrderSteps } from '#ordering/web/order-steps.tsx';
import { SignedOutHere } from '#ordering/web/signed-out-here.tsx';
import { isWhole, type ShownOrder } from '#ordering/web/use-order.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { Store } from '#store/contract.ts';
import { latePart } from '#ui/web/late-part.ts';

const keepOrder = latePart(
  async () => (await import('#ordering/web/keep-order.tsx')).KeepOrder,
  () => null,
);

const orderPush = latePart(
  async () =>
    nativeShell().app
      ? (await import('#ordering/web/app-order-push.tsx')).AppOrderPush
      : (await import('#ordering/web/order-push.tsx')).OrderPush,
  () => null,
);

interface OrderViewProps {
  order: ShownOrder;
  store: Store;
  /** Of when it is, while the shop cannot be reached. */
  asOf: Date | null;
  /** The notice about the connection to the shop, if any. */
  notice?: ReactNode;
  /** Whether the shop has answered who looks: until then nobody is told that they may see no more than this. */
  isAnswered: boolean;
}

/** An order's page, on the server and in the browser. */
export function OrderView({ order, store, asOf, notice, isAnswered }: OrderViewProps) {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-6 px-4 py-6 lg:grid-cols-[1fr_24rem] lg:gap-10 lg:px-8 lg:py-10">
      <div className="grid content-start gap-6">
        <CardRefused order={order} store={store} />
        <OrderHeadline order={order} store={store} asOf={asOf} />
        <p role="status" className="rounded-box bg-warn-soft px-4 py-3 font-medium empty:hidden">
          {notice}
        </p>
        <SignedOutHere isWhole={isWhole(order)} />
        <CollectFrom order={order} store={store} />
        <OrderActions order={order} store={store} asOf={asOf} />
        <OrderSteps order={order} store={store} />
        {isAnswered && isWhole(order) && <Suspense>{createElement(keepOrder(), { order })}</Suspense>}
        {isAnswered && isWhole(order) && isUnderWay(order.status) && (
          <Suspense>{createElement(orderPush(), { order })}</Suspense>
        )}
      </div>
      <OrderReceipt order={order} store={store} isAnswered={isAnswered} isOld={asOf !== null} />
    </div>
  );
}
