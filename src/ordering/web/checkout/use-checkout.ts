import { type FormEvent, useEffect, useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import type { Basket, BasketProblem, BasketQuote, BasketToQuote } from '#ordering/basket.ts';
import { linesWithConflicts, useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { isServerPriced } from '#ordering/web/basket/server-price.ts';
import { type BasketView, isPriceHigher, quoteCheckout } from '#ordering/web/basket/basket-view.ts';
import {
  type ContactFields,
  readOrderPreferences,
  useCheckoutFieldValues,
} from '#ordering/web/checkout/checkout-field-values.ts';
import { type CheckoutDraft, saveDraftChoices, readCheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { type PlaceOrderState, readLastPaymentMethod, usePlaceOrder } from '#ordering/web/checkout/use-place-order.ts';
import type { OrderRequestBody } from '#ordering/web/checkout/send-order.ts';
import { readTip, initialTip } from '#ordering/web/checkout/tip-choice.ts';
import { prepareCheckoutDraft, readUnpaidOrder } from '#ordering/web/checkout/unpaid-order.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { shopNow, useNow } from '#platform/web/clock.ts';
import type { PaymentMethod } from '#store/contract.ts';
import { deliveryZoneState } from '#ordering/web/basket/totals.tsx';
import { offeredPaymentMethods } from '#store/card-provider.ts';
import { findSoonestReadyTime, canPlaceOrder } from '#store/web/fulfilment.ts';
import { formFieldPlainText, browserFormErrors, formFieldText } from '#ui/web/form-errors.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';
import { useShopLoader } from '#shop/web/shop.ts';

export type Checkout = ReturnType<typeof useCheckout>;

export function useCheckout(view: BasketView, user: User | null, isSignedOut: boolean) {
  const { store, fulfilment, held } = view;
  const now = useNow();
  const { requestedFor, setRequestedFor, tip, setTip, wantedMethod, setMethod, ...fields } = useChosen(user);
  const placing = usePlaceOrder(store.currency);
  const [isGuest, setGuest] = useState(false);
  const allergies = useAllergyQuestion(view, user);
  const { amount, problem: tipProblem } = readTip(tip, view.subtotal, store.currency);
  // The total of a delivery is unknown until its zone is known, because the zone decides the fee.
  const total = view.quote && deliveryZoneState(view) !== 'open' ? view.quote.total + amount : null;
  const methods = offeredPaymentMethods(store, fulfilment, total);
  const method = methods.includes(wantedMethod) ? wantedMethod : (methods[0] ?? wantedMethod);
  const quote = quoteCheckout(view, { requestedFor, tip: amount, paymentMethod: method, now });
  const { basket, problems, price } = useBasketProblems(view, quote, requestedFor, fields.typed.contact);
  const soonest = (at: Date) => findSoonestReadyTime(store, fulfilment, held.postcode, at, quote.prep_minutes);
  const earliest = soonest(now);
  const isTimeAsked = useLostWish(earliest?.isSoon === true, requestedFor);
  const { asked, errors, askNow } = useLineQuestions(view, problems, placing);
  const [noTime, setNoTime] = useState(false);
  const hasNoTime = noTime && requestedFor === null;
  /** Wraps the setter of a choice. The new setter also removes the error of the choice's field. */
  const clearing =
    <T>(field: string, choose: (chosen: T) => void) =>
    (chosen: T) => {
      choose(chosen);
      placing.clearError(field);
    };
  const send = (order: OrderRequestBody) => {
    if (allergies.mustAsk(order)) allergies.ask(order);
    else if (isSignedOut && !isGuest) placing.askWho(order);
    else void placing.place(order);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // Complete parts fold now, and a field in which the customer pressed Enter would lose the focus to the page.
    form.querySelector<HTMLElement>('[type="submit"]')?.focus({ preventScroll: true });
    const found: FieldErrors = browserFormErrors(form);
    if (tipProblem) found['tip'] = [tipProblem];
    // A null `requestedFor` means "as soon as possible". The earliest time is then computed anew, because the page's
    // time may be a minute old. If the kitchen can no longer start at once (`isTooLate`), the page offers a later time,
    // once the form has no errors.
    const first = requestedFor === null ? soonest(new Date(shopNow())) : null;
    const isTooLate = first !== null && !first.isSoon;
    for (const { path, message } of fieldProblemsOf(problems, first !== null)) found[path] ??= [message];
    if (hasNoTime) found['requested_for'] = [m.ordering_when_none_words()];
    // From now on the page shows the questions about lines, even if this attempt does not send the order.
    askNow();
    if (Object.keys({ ...found, ...asked }).length > 0) return placing.fail({ errors: found });
    const order = toOrder(new FormData(form), basket, held.session, method, price.total);
    if (isTooLate) placing.askWhen(order);
    else send(order);
  };
  return {
    ...fields,
    placing,
    isTaking: canPlaceOrder(store, now),
    quote: price,
    earliest,
    isTimeAsked,
    errors,
    asked: dishesWithQuestions(view, asked),
    hasNoTime,
    setNoTime,
    submit,
    send,
    allergies,
    orderAsGuest: () => setGuest(true),
    requestedFor,
    setRequestedFor,
    chooseTime: clearing('requested_for', setRequestedFor),
    tip,
    tipProblem,
    chooseTip: clearing('tip', setTip),
    total,
    methods,
    method,
    chooseMethod: clearing('payment_method', setMethod),
  };
}

/**
 * Returns the questions about the basket's lines as `asked`. `askNow` adds the questions to `errors` at the next
 * attempt to order. A question stays until the customer answers it; a field's error disappears once the field changes.
 */
function useLineQuestions(view: BasketView, problems: readonly BasketProblem[], placing: PlaceOrderState) {
  const [askedAt, setAskedAt] = useState<number | null>(null);
  const asked = questionsByLine(view, problems);
  const errors = askedAt === placing.attempt ? { ...placing.failure.errors, ...asked } : placing.failure.errors;
  return { asked, errors, askNow: () => setAskedAt(placing.attempt + 1) };
}

function useChosen(user: User | null) {
  const [draft, setDraft] = useState(prepareCheckoutDraft);
  const [forgotten, setForgotten] = useState(0);
  const [typed, readTyped] = useCheckoutFieldValues({ draft, forgotten }, user);
  const [requestedFor, setRequestedFor] = useState<string | null>(draft['requested_for'] || null);
  const [tip, setTip] = useState(() => initialTip(draft));
  const [wantedMethod, setMethod] = useState(() => startMethod(draft));
  useEffect(() => {
    saveDraftChoices({ requested_for: requestedFor ?? '', payment_method: wantedMethod });
  }, [requestedFor, wantedMethod]);

  return {
    draft,
    typed,
    readTyped,
    /** The number of times that the guest's details were deleted. Each time the fields start empty. */
    forgotten,
    forget() {
      setDraft(readCheckoutDraft());
      setForgotten(forgotten + 1);
    },
    requestedFor,
    setRequestedFor,
    tip,
    setTip,
    wantedMethod,
    setMethod,
  };
}

function startMethod({ payment_method: chosen }: CheckoutDraft): PaymentMethod {
  if (chosen === 'card' || chosen === 'cash') return chosen;
  return readLastPaymentMethod() ?? 'card';
}

/** The question about dishes with allergens that the customer avoids. It is asked before an order is sent. */
function useAllergyQuestion(view: BasketView, user: User | null) {
  const avoided = useAvoidedAllergens(user);
  const [asked, setAsked] = useState<OrderRequestBody | null>(null);
  const concerned = linesWithConflicts(view.lines, avoided);
  return {
    avoided,
    concerned,
    asked,
    mustAsk: (order: OrderRequestBody) => !order.allergies && concerned.length > 0,
    ask: setAsked,
    dismiss: () => setAsked(null),
  };
}

/** The basket that will be ordered, with the problems that the page and the server have found. */
function useBasketProblems(
  { store }: BasketView,
  quote: ReturnType<typeof quoteCheckout>,
  requestedFor: string | null,
  typed: ContactFields,
) {
  const replaced = readUnpaidOrder()?.session;
  // This quote takes the age as confirmed, because the age's own field shows whether the confirmation is missing.
  const basket = {
    ...quote.basket,
    requested_for: requestedFor,
    age_confirmed: true,
    ...(replaced && { replaces: replaced }),
  };
  const isAsked = isServerPriced(basket, store);
  const contact = { phone: typed.phone, email: typed.email };
  const confirmed = useConfirmedQuote({ ...basket, ...(isAsked && { contact }) }, store.version, quote);
  const problems = [
    ...quote.problems,
    ...(confirmed?.problems ?? []).filter(({ code }) => !quote.problems.some((own) => own.code === code)),
  ];
  const { discounts, total, vat, offers } = confirmed && isAsked ? confirmed : quote;
  return {
    basket,
    problems,
    price: { ...quote, problems, discounts, total, vat, ...(offers && { offers }) },
  };
}

/**
 * Whether the customer wants the order as soon as possible, although that is no longer possible, and has chosen no
 * other time.
 */
function useLostWish(canBeSoon: boolean, requestedFor: string | null): boolean {
  const [wasWanted, setWanted] = useState(false);
  const isWanted = requestedFor === null && (canBeSoon || wasWanted);
  if (isWanted !== wasWanted) setWanted(isWanted);
  return isWanted && !canBeSoon;
}

function toOrder(
  form: FormData,
  basket: Basket,
  session: string,
  method: PaymentMethod,
  total: number,
): OrderRequestBody {
  const isDelivery = basket.fulfilment_type === 'delivery';
  return {
    ...basket,
    ...(nativeShell().app && { channel: 'app' as const }),
    session,
    contact: {
      name: formFieldPlainText(form, 'contact.name'),
      phone: formFieldText(form, 'contact.phone'),
      email: formFieldText(form, 'contact.email'),
    },
    address: isDelivery
      ? {
          line1: formFieldText(form, 'address.line1'),
          line2: formFieldText(form, 'address.line2'),
          city: formFieldText(form, 'address.city'),
          postcode: formFieldText(form, 'address.postcode'),
          instructions: formFieldText(form, 'address.instructions'),
        }
      : null,
    payment_method: method,
    note: formFieldText(form, 'note'),
    allergy_note: formFieldText(form, 'allergy_note'),
    ...readOrderPreferences(form),
    age_confirmed: form.has('age_confirmed'),
    expected_total: total,
  };
}

const pause = 600;

/**
 * The server's quote of the debounced basket, because only the server knows, for example, how full a slot is. If its
 * price without discounts differs from the page's, the menu is stale and is fetched again.
 */
function useConfirmedQuote(basket: BasketToQuote, version: number, shown: BasketQuote): BasketQuote | undefined {
  const shop = useShopLoader();
  const asked = useRested(JSON.stringify(basket));
  const { data: quote } = useQuery({
    // The quote is fetched again after each change of the shop, because a problem such as a pause may have ended.
    queryKey: ['quote', asked, version],
    // The cast is safe: the text is the JSON of the debounced basket.
    queryFn: async () => (await api('POST /v1/orders/quote', JSON.parse(asked) as Basket, { timeout: 15_000 })).data,
    staleTime: 30_000,
    retry: false,
  });
  const isOurs = asked === JSON.stringify(basket);
  const isStale = isOurs && quote !== undefined && fullPrice(quote) !== fullPrice(shown);
  useEffect(() => {
    if (isStale) shop.reload().catch(() => undefined);
  }, [isStale, shop]);
  return isOurs ? quote : undefined;
}

function fullPrice({ total, discounts }: Pick<BasketQuote, 'total' | 'discounts'>): number {
  return discounts.reduce((sum, { amount }) => sum + amount, total);
}

/** Debounces a text: returns its last value that stayed unchanged for `pause` milliseconds. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

export function isTimeFieldProblem({ path }: BasketProblem): boolean {
  return path === 'requested_for';
}

/**
 * Returns the problems to correct before the order is sent. Problems of lines are left out, because the page shows them
 * as questions. `isSoonWanted`: the customer wants the order as soon as possible. The page then asks about a later
 * time, so a problem of the time is left out.
 */
export function fieldProblemsOf(problems: readonly BasketProblem[], isSoonWanted: boolean): BasketProblem[] {
  return problems.filter(
    (problem) => !lineOfProblemPath(problem.path) && !(isSoonWanted && isTimeFieldProblem(problem)),
  );
}

/** The questions that the customer must answer before the order can be placed, by the path of the line concerned. */
export function questionsByLine(view: BasketView, problems: readonly BasketProblem[]): FieldErrors {
  const asked: FieldErrors = {};
  for (const { path, message } of problems) {
    const line = lineOfProblemPath(path);
    if (line) asked[line] ??= [message];
  }
  for (const [place, shown] of view.lines.entries()) {
    if (isPriceHigher(shown)) asked[`lines.${place}`] ??= [m.ordering_basket_price_ask({ name: shown.line.name })];
  }
  return asked;
}

export function dishesWithQuestions({ lines }: BasketView, asked: FieldErrors): string[] {
  return lines.flatMap(({ line, now }, place) => (asked[`lines.${place}`] ? [now?.name ?? line.name] : []));
}

/** Returns the path of the line to which a problem's path belongs; undefined if it belongs to no line. */
export function lineOfProblemPath(path: string): string | undefined {
  return /^lines\.\d+/.exec(path)?.[0];
}
