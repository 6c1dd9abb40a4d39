import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { isAwaitingPayment } from '#ordering/order-status.ts';
import { readSession, reloadUser, setUser } from '#accounts/web/session.ts';
import type { BasketQuote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import {
  fetchOrderOfSession,
  acceptLowerPrice,
  type OrderRequestBody,
  sendOrder,
  useOrderWithoutResponse,
} from '#ordering/web/checkout/send-order.ts';
import { recordPlacedOrder, recordIsBeingReplaced, syncUnpaidOrder } from '#ordering/web/checkout/unpaid-order.ts';
import { api, ApiError, readToken } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { formFailureOf, type FormFailure, noFormFailure, withoutFieldErrors } from '#ui/web/form-errors.ts';
import { useShopLoader } from '#shop/web/shop.ts';
import { isSameAddress } from '#accounts/addresses.ts';
import { readAddressSaveChoice } from '#ordering/web/checkout/checkout-draft.ts';
import { saveGuestDetails } from '#ordering/web/checkout/guest-details.ts';
import { notify } from '#ui/web/notify.ts';
import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import type { PaymentMethod } from '#store/contract.ts';

export interface PlaceOrderState {
  isBusy: boolean;
  /** Whether the order is being sent again, because the first attempt got no response. */
  isRetrying: boolean;
  failure: FormFailure;
  /** The number of attempts to order, including attempts that the page itself refused. */
  attempt: number;
  /** The server's new price, if it differs from the price that the page showed; otherwise null. */
  changed: { body: OrderRequestBody; quote: BasketQuote } | null;
  /** The order that was not sent or not placed because its customer is no longer signed in; otherwise null. */
  signedOut: OrderRequestBody | null;
  /**
   * The order that was wanted as soon as possible, and was not sent or not placed, because the shop no longer offers
   * that time; otherwise null.
   */
  tooLate: OrderRequestBody | null;
  place(body: OrderRequestBody): Promise<void>;
  fail(failure: FormFailure): void;
  clearError(name: string): void;
  dismissChange(): void;
  /** Asks the customer, before the order is sent, whether to sign in or to order as a guest. */
  askWho(body: OrderRequestBody): void;
  dismissSignedOut(): void;
  /** Asks the customer, before the order is sent, whether to order for later. */
  askWhen(body: OrderRequestBody): void;
  dismissTooLate(): void;
}

/** The timeout of a call, in milliseconds. */
const timeout = 30_000;

/**
 * Places an order only once: while a call runs, no other is made. If a call got no response, the next one has the same
 * session, by which the server recognises the order.
 */
export function usePlaceOrder(currency: string): PlaceOrderState {
  const shop = useShopLoader();
  const isCalling = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [isRetrying, setRetrying] = useState(false);
  const [failure, setFailure] = useState(noFormFailure);
  const { setChanged, setSignedOut, setTooLate, clear, ...questions } = useQuestions();
  const [attempt, setAttempt] = useState(0);
  const [unanswered, setUnanswered] = useState<string | null>(null);
  const arrived = useOrderWithoutResponse(unanswered);

  useComeBack(() => {
    isCalling.current = false;
    setBusy(false);
    setRetrying(false);
  });
  useEffect(() => {
    if (arrived && unanswered !== null) finish(arrived, unanswered, currency);
  }, [arrived, unanswered, currency]);
  if (arrived === null && unanswered !== null) {
    setUnanswered(null);
    setFailure({ errors: {}, message: m.ordering_checkout_not_arrived() });
  }

  const place = async (body: OrderRequestBody) => {
    if (isCalling.current) return;
    setAttempt((count) => count + 1);
    clear();
    if (!navigator.onLine) {
      // If an earlier attempt got no response, its order may have arrived, so the message about that attempt stays.
      if (unanswered === null) setFailure({ errors: {}, message: m.ordering_not_sent() });
      return;
    }
    isCalling.current = true;
    setBusy(true);
    setFailure(noFormFailure);
    setUnanswered(null);
    const isNamed = readToken() !== null;
    recordIsBeingReplaced(body.replaces, true);
    try {
      const order = await sendOrder(body, timeout, () => setRetrying(true));
      finish(order, body.session, currency);
      // The button stays busy, because the browser is about to leave the page.
      return;
    } catch (error) {
      const lower = acceptLowerPrice(error, body, currency);
      if (lower) {
        void shop.reload().then(noop, noop);
        isCalling.current = false;
        return place(lower);
      }
      const asks = { shop, currency, setFailure, setUnanswered, setChanged, setSignedOut, setTooLate };
      await answerRefusal(error, body, isNamed, asks);
      // After a lost response the replacement stays recorded, because the new order may have arrived and replaced the
      // unpaid order.
      if (error instanceof ApiError && !error.isLost) recordIsBeingReplaced(body.replaces, false);
    }
    isCalling.current = false;
    setBusy(false);
    setRetrying(false);
  };

  return {
    isBusy,
    isRetrying,
    failure,
    attempt,
    place,
    fail(found) {
      setAttempt((count) => count + 1);
      setFailure(found);
    },
    clearError: (name) => setFailure((held) => withoutFieldErrors(held, name)),
    ...questions,
    askWho: setSignedOut,
    askWhen: setTooLate,
  };
}

interface RefusalAsks {
  shop: Pick<ReturnType<typeof useShopLoader>, 'reload'>;
  currency: string;
  setFailure: (failure: FormFailure) => void;
  setUnanswered: (session: string) => void;
  setChanged: (changed: PlaceOrderState['changed']) => void;
  setSignedOut: (body: OrderRequestBody) => void;
  setTooLate: (body: OrderRequestBody) => void;
}

/** Handles the refusal of an order: asks the customer a question if there is a choice, otherwise shows the error. */
async function answerRefusal(
  error: unknown,
  body: OrderRequestBody,
  isNamed: boolean,
  { shop, currency, setFailure, setUnanswered, setChanged, setSignedOut, setTooLate }: RefusalAsks,
): Promise<void> {
  /** Refetches the shop in the background, so that the page asks the customer its question without delay. */
  const refreshShop = () => void shop.reload().then(noop, noop);
  if (!(error instanceof ApiError)) return setFailure(formFailureOf(error));
  if (error.code === 'price_changed') {
    // By the contract, this error contains the server's quote.
    setChanged({ body, quote: error.body['quote'] as BasketQuote });
    return refreshShop();
  }
  if (error.code === 'session_reused') {
    const order = await fetchOrderOfSession(body.session);
    if (order) return finish(order, body.session, currency);
  }
  if (error.code === 'payment_unavailable') {
    // The shop has this order already, and it waits for its payment. The next attempt, by card or in cash, replaces it.
    const unpaid = await fetchOrderOfSession(body.session);
    if (unpaid) recordPlacedOrder(unpaid, body.session, currency);
  }
  if (error.code === 'illegal_transition') {
    // The unpaid order that was to be replaced has been paid in the meantime.
    const paid = body.replaces ? await fetchOrderOfSession(body.replaces) : null;
    if (paid) return showPaid(paid);
  }
  if (error.isLost) {
    setUnanswered(body.session);
    return setFailure({ errors: {}, message: m.ordering_checkout_no_answer() });
  }
  if (error.status === 401) {
    await reloadUser();
    if (isNamed) return setSignedOut(body);
    // A guest was refused, so the shop now requires an account, and its new settings are fetched.
    await shop.reload().then(noop, noop);
  }
  if (isTooLate(error, body)) {
    setTooLate(body);
    return refreshShop();
  }
  setFailure(formFailureOf(error));
  if (Object.keys(error.errors).some((path) => path.startsWith('lines'))) await shop.reload().then(noop, noop);
}

function useQuestions() {
  const [changed, setChanged] = useState<PlaceOrderState['changed']>(null);
  const [signedOut, setSignedOut] = useState<OrderRequestBody | null>(null);
  const [tooLate, setTooLate] = useState<OrderRequestBody | null>(null);
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

/** Calls `onReturn` when the browser restores this page from its cache, as after Back from the payment page. */
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

function finish(order: Order, session: string, currency: string): void {
  rememberDetails(order);
  recordPlacedOrder(order, session, currency);
  const { redirect_url: payAt } = order.payment;
  const shell = nativeShell();
  const mustPay = payAt !== null && isAwaitingPayment(order.status);
  if (mustPay) shell.openPage(payAt);
  // The app opens the payment page over this page, and then returns to the order.
  if (!mustPay || shell.app) navigate(`/orders/${order.id}`);
}

function showPaid(order: Order): void {
  syncUnpaidOrder(order);
  navigate(`/orders/${order.id}`);
}

/** Whether the shop refused an order only because it was wanted "as soon as possible". */
function isTooLate({ code, errors }: ApiError, body: OrderRequestBody): boolean {
  const fields = Object.keys(errors);
  return code === 'order_refused' && !body.requested_for && fields.length === 1 && fields[0] === 'requested_for';
}

function noop(): void {}

/**
 * Stores the payment method of a placed order on this device. A guest's contact and address are stored here too; a
 * customer's address is stored in their account if they want that.
 */
function rememberDetails(order: Pick<Order, 'contact' | 'address' | 'payment_method'>): void {
  const { contact, address, payment_method: method } = order;
  storeLastMethod(method);
  const { user } = readSession();
  if (!user) return saveGuestDetails({ contact, address });
  const { isWanted, replaces } = readAddressSaveChoice();
  if (!address || !isWanted || user.addresses.some((each) => isSameAddress(each, address))) return;
  // The browser may leave for the payment page at once, so the call must outlive the page.
  api('POST /v1/auth/user/addresses', { address, ...(replaces && { replaces }) }, { keepalive: true }).then(
    ({ data }) => setUser(data),
    () => notify({ text: m.ordering_address_not_saved() }),
  );
}

const storageKey = personalStorageKeys.lastMethod;

/**
 * Returns how this browser's last order was paid; null before the first order. Unlike the draft, it survives the
 * closing of the tab.
 */
export function readLastPaymentMethod(): PaymentMethod | null {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === 'card' || kept === 'cash' ? kept : null;
  } catch {
    return null;
  }
}

function storeLastMethod(method: PaymentMethod): void {
  try {
    localStorage.setItem(storageKey, method);
  } catch {
    // If the storage is blocked or full, the next checkout preselects the default payment method.
  }
}
