import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { reloadUser } from '#accounts/web/session.ts';
import type { Quote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import { findOrder, useArrived } from '#ordering/web/lost-answer.ts';
import { rememberDetails } from '#ordering/web/remember-details.ts';
import { keepOrdered, settleWaiting } from '#ordering/web/waiting-order.ts';
import { api, ApiError, type Input, readToken } from '#platform/web/api.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { failureOf, type FormFailure, noFailure, withoutField } from '#ui/web/form-errors.ts';
import { useShopStore } from '#shop/web/shop.ts';

/** A page's order always says what was shown as its price. */
export type OrderBody = Input<'POST /v1/orders'> & { expected_total: number };

export interface PlacingOrder {
  isBusy: boolean;
  failure: FormFailure;
  /** Counts the attempts, made or refused here. */
  attempt: number;
  /** What the server asks now, when that is not what was shown. */
  changed: { body: OrderBody; quote: Quote } | null;
  /** What was not sent, or not taken, because its customer is not signed in any more. */
  signedOut: OrderBody | null;
  /** What was to be made as soon as possible, and is not any more. */
  tooLate: OrderBody | null;
  place(body: OrderBody): Promise<void>;
  fail(failure: FormFailure): void;
  /** Takes back what was said about a field and its parts. */
  clearError(name: string): void;
  dismissChange(): void;
  /** Has its customer say, before anything is sent, in whose name it is ordered. */
  askWho(body: OrderBody): void;
  dismissSignedOut(): void;
  /** Has its customer say, before anything is sent, whether it is to be for later. */
  askWhen(body: OrderBody): void;
  dismissTooLate(): void;
}

const timeout = 30_000;

/**
 * Places an order, once: while a call is under way a second is not made, and after one that got no answer the next is
 * the same order to the server, because its session is.
 */
export function usePlaceOrder(currency: string): PlacingOrder {
  const shop = useShopStore();
  const isCalling = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState(noFailure);
  const { setChanged, setSignedOut, setTooLate, clear, ...questions } = useQuestions();
  const [attempt, setAttempt] = useState(0);
  const [unanswered, setUnanswered] = useState<string | null>(null);
  const arrived = useArrived(unanswered);

  useComeBack(() => {
    isCalling.current = false;
    setBusy(false);
  });
  useEffect(() => {
    if (arrived && unanswered !== null) finish(arrived, unanswered, currency);
  }, [arrived, unanswered, currency]);
  if (arrived === null && unanswered !== null) {
    setUnanswered(null);
    setFailure({ errors: {}, message: m.ordering_checkout_not_arrived() });
  }

  const place = async (body: OrderBody) => {
    if (isCalling.current) return;
    setAttempt((count) => count + 1);
    clear();
    if (!navigator.onLine) {
      // Of an earlier try that got no answer it is still not known whether it arrived.
      if (unanswered === null) setFailure({ errors: {}, message: m.ordering_not_sent() });
      return;
    }
    isCalling.current = true;
    setBusy(true);
    setFailure(noFailure);
    setUnanswered(null);
    const isNamed = readToken() !== null;
    try {
      const { data: order } = await api('POST /v1/orders', body, { timeout });
      finish(order, body.session, currency);
      // The page is on its way out: the button stays as it is.
      return;
    } catch (error) {
      const asks = { shop, currency, setFailure, setUnanswered, setChanged, setSignedOut, setTooLate };
      await answerRefusal(error, body, isNamed, asks);
    }
    isCalling.current = false;
    setBusy(false);
  };

  return {
    isBusy,
    failure,
    attempt,
    place,
    fail(found) {
      setAttempt((count) => count + 1);
      setFailure(found);
    },
    clearError: (name) => setFailure((held) => withoutField(held, name)),
    ...questions,
    askWho: setSignedOut,
    askWhen: setTooLate,
  };
}

interface RefusalAsks {
  shop: Pick<ReturnType<typeof useShopStore>, 'reload'>;
  currency: string;
  setFailure: (failure: FormFailure) => void;
  setUnanswered: (session: string) => void;
  setChanged: (changed: PlacingOrder['changed']) => void;
  setSignedOut: (body: OrderBody) => void;
  setTooLate: (body: OrderBody) => void;
}

/** Why an order was not taken: asked of its customer where there is something to choose, and said otherwise. */
async function answerRefusal(
  error: unknown,
  body: OrderBody,
  isNamed: boolean,
  { shop, currency, setFailure, setUnanswered, setChanged, setSignedOut, setTooLate }: RefusalAsks,
): Promise<void> {
  /** Nobody waits for it: what is asked may be answered at once. */
  const refreshShop = () => void shop.reload().then(noop, noop);
  if (!(error instanceof ApiError)) return setFailure(failureOf(error));
  if (error.code === 'price_changed') {
    // The quote is the server's own, as its contract has it.
    setChanged({ body, quote: error.body['quote'] as Quote });
    return refreshShop();
  }
  if (error.code === 'session_reused') {
    const order = await findOrder(body.session);
    if (order) return finish(order, body.session, currency);
  }
  if (error.code === 'illegal_transition') {
    // The order that this one would have stood in for has been paid meanwhile.
    const paid = body.replaces ? await findOrder(body.replaces) : null;
    if (paid) return showPaid(paid);
  }
  if (error.code === 'offline') {
    setUnanswered(body.session);
    return setFailure({ errors: {}, message: m.ordering_checkout_no_answer() });
  }
  if (error.status === 401) {
    await reloadUser();
    if (isNamed) return setSignedOut(body);
    // A guest, whom the shop takes no orders of any more.
    await shop.reload().then(noop, noop);
  }
  if (isTooLate(error, body)) {
    setTooLate(body);
    return refreshShop();
  }
  setFailure(failureOf(error));
  if (Object.keys(error.errors).some((path) => path.startsWith('lines'))) await shop.reload().then(noop, noop);
}

/** What its customer is to say before the order is sent, or sent again. */
function useQuestions() {
  const [changed, setChanged] = useState<PlacingOrder['changed']>(null);
  const [signedOut, setSignedOut] = useState<OrderBody | null>(null);
  const [tooLate, setTooLate] = useState<OrderBody | null>(null);
  const dismissChange = () => setChanged(null);
  const dismissSignedOut = () => setSignedOut(null);
  const dismissTooLate = () => setTooLate(null);
  return {
    changed,
    setChanged,
    dismissChange,
    signedOut,
    setSignedOut,
    dismissSignedOut,
    tooLate,
    setTooLate,
    dismissTooLate,
    clear() {
      dismissChange();
      dismissSignedOut();
      dismissTooLate();
    },
  };
}

/** Back from the payment page the browser may show this page as it was left. */
function useComeBack(onReturn: () => void): void {
  const latest = useEffectEvent(onReturn);
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) latest();
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, []);
}

/** Keeps the order's secret, and leads to the payment or to the order. */
function finish(order: Order, session: string, currency: string): void {
  rememberDetails(order);
  keepOrdered(order, session, currency);
  const { redirect_url: payAt } = order.payment;
  if (payAt && order.status === 'pending_payment') location.assign(payAt);
  else navigate(`/orders/${order.id}`);
}

/** Instead of a second order. */
function showPaid(order: Order): void {
  settleWaiting(order);
  navigate(`/orders/${order.id}`);
}

/** Whether all that stands in an order's way is that it was to be made as soon as possible. */
function isTooLate({ code, errors }: ApiError, body: OrderBody): boolean {
  const fields = Object.keys(errors);
  return code === 'order_refused' && !body.requested_for && fields.length === 1 && fields[0] === 'requested_for';
}

function noop(): void {}
