import { type ReactNode, useState } from 'react';
import { AppOrderPush, useAppNotifications } from '#ordering/web/order/app-order-push.tsx';
import { AttachOrder, isOrderToBeAttached, useCanAttachOrder } from '#ordering/web/order/attach-order.tsx';
import { InstallOffer, useInstallOffer } from '#ordering/web/order/install-offer.tsx';
import { OrderPush } from '#ordering/web/order/order-push.tsx';
import { RateOrder } from '#ordering/web/order/rate-order.tsx';
import { type OrderPushState, useOrderPush } from '#ordering/web/order/use-order-push.ts';
import { isCalledOff, isHandedOver, isUnderWay, isAwaitingPayment } from '#ordering/order-status.ts';
import type { Order, OrderStatus } from '#ordering/order.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { Store } from '#store/contract.ts';

interface QuestionsProps {
  order: Order;
  store: Store;
}

/** The one question that the page asks the customer now, with their rating and the state of their notifications. */
export function OrderQuestions({ order, store }: QuestionsProps) {
  if (!isUnderWay(order.status)) return <Questions order={order} store={store} push={noPush} />;
  return nativeShell().app ? <InApp order={order} store={store} /> : <InBrowser order={order} store={store} />;
}

interface Push {
  /** Whether notifications can be turned on; `on`: they are on; `none`: this device shows none. */
  state: 'ask' | 'on' | 'none' | 'home_screen';
  card: ReactNode;
}

const noPush: Push = { state: 'none', card: null };

function InBrowser(props: QuestionsProps) {
  const push = useOrderPush(props.order.id);
  const { kind } = push.push;
  return <Questions {...props} push={{ state: states[kind], card: <OrderPush order={props.order} {...push} /> }} />;
}

const states: Record<OrderPushState['kind'], Push['state']> = {
  // Until the browser's permission is read, no other question may take the place of this one.
  unknown: 'ask',
  off: 'ask',
  on: 'on',
  refused: 'none',
  unable: 'none',
  needs_home_screen: 'home_screen',
};

function InApp(props: QuestionsProps) {
  const allowed = useAppNotifications(props.order);
  const state = allowed === 'unasked' ? 'ask' : allowed === 'granted' ? 'on' : 'none';
  const card = allowed === null ? null : <AppOrderPush order={props.order} allowed={allowed} />;
  return <Questions {...props} push={{ state, card }} />;
}

function Questions({ order, store, push }: QuestionsProps & { push: Push }) {
  const keep = useCanAttachOrder(order);
  const [isKeeping] = useState(() => isOrderToBeAttached(order.id));
  const install = useInstallOffer();
  const question = nextQuestion({
    status: order.status,
    isKeeping,
    rate: order.actions.includes('rating'),
    notify: push.state === 'ask',
    keep,
    install: install !== null,
  });
  // On an iPhone the explanation asks to install the shop, so it comes with that offer.
  const explains = push.state === 'none' || (push.state === 'home_screen' && question === 'install');
  return (
    <>
      {isHandedOver(order.status) && (order.rating || question === 'rate') && <RateOrder order={order} store={store} />}
      {(push.state === 'on' || question === 'notify' || explains) && push.card}
      {question === 'keep' && <AttachOrder order={order} />}
      {question === 'install' && install && <InstallOffer store={store} {...install} />}
    </>
  );
}

type OrderQuestion = 'keep' | 'rate' | 'notify' | 'install';

/** The questions of an order's page that are open for this visitor. */
interface OpenQuestions {
  status: OrderStatus;
  /** Whether the visitor has begun to put the order into their account, by signing in from this page. */
  isKeeping: boolean;
  /** Whether the order may be rated. */
  rate: boolean;
  /** Whether notifications of this order can be turned on here. */
  notify: boolean;
  /** Whether the order can be put into an account. */
  keep: boolean;
  /** Whether this browser has placed a second order and can install the shop. */
  install: boolean;
}

/** Returns the one question that an order's page asks now; null: none. */
export function nextQuestion(open: OpenQuestions): OrderQuestion | null {
  const { status, isKeeping, rate, notify, keep, install } = open;
  if (isAwaitingPayment(status) || isCalledOff(status)) return null;
  if (isKeeping && keep) return 'keep';
  if (rate) return 'rate';
  if (notify) return 'notify';
  // The question `install` comes before `keep`. `keep` stays possible until a guest's order has an account, so it would
  // otherwise always displace `install`.
  if (install) return 'install';
  return keep ? 'keep' : null;
}
