import { type FormEvent, useEffect, useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import type { Basket, Problem } from '#ordering/basket.ts';
import { allergyNote } from '#ordering/web/allergy-note.ts';
import { setFulfilment } from '#ordering/web/basket-store.ts';
import { type BasketView, quoteFor } from '#ordering/web/basket-view.ts';
import { CheckoutAge } from '#ordering/web/checkout-age.tsx';
import { CheckoutAddress } from '#ordering/web/checkout-address.tsx';
import { CheckoutContact } from '#ordering/web/checkout-contact.tsx';
import { keepChoices, keepDraft, readDraft } from '#ordering/web/checkout-draft.ts';
import { CheckoutPayment } from '#ordering/web/checkout-payment.tsx';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { CheckoutSummary } from '#ordering/web/checkout-summary.tsx';
import { CheckoutTip } from '#ordering/web/checkout-tip.tsx';
import { CheckoutWhen } from '#ordering/web/checkout-when.tsx';
import { GuestNote } from '#ordering/web/guest-note.tsx';
import { LaterInstead } from '#ordering/web/later-instead.tsx';
import { type OrderBody, usePlaceOrder } from '#ordering/web/place-order.ts';
import { PriceChanged } from '#ordering/web/price-changed.tsx';
import { SignedOut } from '#ordering/web/signed-out.tsx';
import { readTip, startTip } from '#ordering/web/tip-choice.ts';
import { useConfirmedProblems } from '#ordering/web/use-confirmed-problems.ts';
import { startDraft, waitingOrder } from '#ordering/web/waiting-order.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link } from '#platform/web/navigation.tsx';
import { ErrorSummary } from '#ui/web/error-summary.tsx';
import { TextField } from '#ui/web/field.tsx';
import { nativeErrors, textOf } from '#ui/web/form-errors.ts';
import { addressWords } from '#store/address-words.ts';
import type { PaymentMethod } from '#store/contract.ts';
import { normalisePostcode } from '#store/delivery-zones.ts';
import { soonestReady, takesOrders } from '#store/web/fulfilment.ts';
import { FulfilmentSwitch } from '#store/web/fulfilment-switch.tsx';
import { offeredMethods } from '#store/offered-methods.ts';

interface CheckoutFormProps {
  view: BasketView;
  /** Whom it was opened for; null: a guest. */
  user: User | null;
  /** Their sign-in has ended since. */
  isSignedOut: boolean;
}

/** The whole checkout as one form. Its fields are named as in the request, so that every refusal finds its field. */
export function CheckoutForm({ view, user, isSignedOut }: CheckoutFormProps) {
  const { store, fulfilment, held } = view;
  const now = useNow();
  const [draft, setDraft] = useState(startDraft);
  const [forgotten, setForgotten] = useState(0);
  const [requestedFor, setRequestedFor] = useState<string | null>(draft['requested_for'] || null);
  const [tip, setTip] = useState(() => startTip(draft));
  const [wantedMethod, setMethod] = useState<PaymentMethod>(draft['payment_method'] === 'cash' ? 'cash' : 'card');
  const methods = offeredMethods(store, fulfilment);
  const method = methods.includes(wantedMethod) ? wantedMethod : (methods[0] ?? wantedMethod);
  const placing = usePlaceOrder(store.currency);
  const [isGuest, setGuest] = useState(false);
  const isTaking = takesOrders(store, now);
  const { amount, problem: tipProblem } = readTip(tip, view.subtotal, store.currency);
  const quote = quoteFor(view, { requestedFor, tip: amount, paymentMethod: method, now });
  const replaced = waitingOrder()?.session;
  // The age is asked beside its own field.
  const basket = {
    ...quote.basket,
    requested_for: requestedFor,
    age_confirmed: true,
    ...(replaced && { replaces: replaced }),
  };
  const prepMinutes = quote.prep_minutes;
  const confirmed = useConfirmedProblems(basket, quote.total);
  const problems = [
    ...quote.problems,
    ...confirmed.filter(({ code }) => !quote.problems.some((own) => own.code === code)),
  ];
  const soonest = (at: Date) => soonestReady(store, fulfilment, held.postcode, at, prepMinutes);
  const earliest = soonest(now);
  const isTimeAsked = useLostWish(earliest?.isSoon === true, requestedFor);
  // What is asked about a line is asked until it is answered; what else was found, until its field is changed.
  const [linesAskedAt, setLinesAskedAt] = useState<number | null>(null);
  const asked = askLines(view, problems);
  const errors = linesAskedAt === placing.attempt ? { ...placing.failure.errors, ...asked } : placing.failure.errors;

  useEffect(() => {
    keepChoices({ requested_for: requestedFor ?? '', payment_method: wantedMethod });
  }, [requestedFor, wantedMethod]);

  const send = (order: OrderBody) => {
    if (isSignedOut && !isGuest) placing.askWho(order);
    else void placing.place(order);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const found: FieldErrors = nativeErrors(form);
    if (tipProblem) found['tip'] = [tipProblem];
    // The clock of the page may be a minute behind. A time that can be had instead is asked for last.
    const first = requestedFor === null ? soonest(new Date()) : null;
    const isTooLate = first !== null && !first.isSoon;
    for (const problem of problems) {
      const { path, message } = problem;
      if (!lineOf(path) && !(isTooLate && isOfTime(problem))) found[path] ??= [message];
    }
    // Also where the server refuses: what has changed meanwhile is asked beside it.
    setLinesAskedAt(placing.attempt + 1);
    if (Object.keys({ ...found, ...asked }).length > 0) return placing.fail({ errors: found });
    const order = toOrder(new FormData(form), basket, held.session, method, quote.total);
    if (isTooLate) placing.askWhen(order);
    else send(order);
  };
  return (
    <form
      noValidate
      className={`grid gap-6 ${isTaking ? 'lg:grid-cols-[1fr_24rem] lg:gap-10' : 'max-w-2xl'}`}
      onSubmit={submit}
      onInput={(event) => {
        const edited = 'name' in event.target && typeof event.target.name === 'string' ? event.target.name : '';
        keepDraft(event.currentTarget, edited);
        placing.mend(edited);
      }}
    >
      {/* While the shop takes no orders it waits unseen, so that what was typed is there when it does again. */}
      <div className="grid min-w-0 content-start gap-6" hidden={!isTaking}>
        <ErrorSummary message={placing.failure.message} errors={errors} attempt={placing.attempt} />
        <CheckoutSection title={m.ordering_checkout_how()}>
          <FulfilmentSwitch store={store} isWide itemsPrepMinutes={prepMinutes} />
          {fulfilment === 'delivery' ? (
            <CheckoutAddress
              key={forgotten}
              store={store}
              draft={draft}
              user={user}
              postcode={held.postcode}
              onPostcode={(postcode) => setFulfilment({ postcode })}
              prepMinutes={prepMinutes}
              onCollect={() => placing.mend('address')}
              errors={errors}
            />
          ) : (
            <p className="flex-1 text-lg">
              <span className="block text-sm text-ink-soft">{m.ordering_checkout_collect_from()}</span>
              {addressWords(store.address)}
            </p>
          )}
        </CheckoutSection>
        <CheckoutWhen
          store={store}
          fulfilment={fulfilment}
          earliest={earliest}
          postcode={view.zone ? (normalisePostcode(held.postcode) ?? '') : ''}
          prepMinutes={prepMinutes}
          value={requestedFor}
          onChange={(chosen) => {
            setRequestedFor(chosen);
            placing.mend('requested_for');
          }}
          errors={errors['requested_for']}
          askedBecause={isTimeAsked ? (quote.problems.find(isOfTime)?.message ?? '') : null}
        />
        <CheckoutSection title={m.ordering_checkout_contact()}>
          {!user && (
            <p className="text-ink-soft">
              {m.accounts_have_account()}{' '}
              <Link
                href="/login"
                className="link inline-flex min-h-11 items-center"
                onClick={() => storePath('/checkout')}
              >
                {m.accounts_sign_in()}
              </Link>
            </p>
          )}
          <CheckoutContact key={forgotten} draft={draft} user={user} errors={errors} />
          {!user && (
            <GuestNote
              onForget={() => {
                setDraft(readDraft());
                setForgotten(forgotten + 1);
              }}
            />
          )}
        </CheckoutSection>
        <CheckoutSection title={m.ordering_checkout_notes()}>
          <TextField
            name="allergy_note"
            label={m.ordering_checkout_allergy()}
            optional={m.platform_optional()}
            hint={m.ordering_checkout_allergy_hint()}
            maxLength={500}
            defaultValue={draft['allergy_note'] ?? (user ? allergyNote(user) : '')}
            errors={errors['allergy_note']}
          />
          <TextField
            name="note"
            label={m.ordering_checkout_note()}
            optional={m.platform_optional()}
            maxLength={500}
            defaultValue={draft['note'] ?? ''}
            errors={errors['note']}
          />
        </CheckoutSection>
        <CheckoutAge view={view} errors={errors['age_confirmed']} />
        <CheckoutTip
          currency={store.currency}
          value={tip}
          onChange={(chosen) => {
            setTip(chosen);
            placing.mend('tip');
          }}
          problem={tipProblem}
          errors={errors['tip']}
        />
        <CheckoutPayment
          methods={methods}
          fulfilment={fulfilment}
          value={method}
          onChange={(chosen) => {
            setMethod(chosen);
            placing.mend('payment_method');
          }}
          errors={errors['payment_method']}
        />
      </div>
      <CheckoutSummary
        view={view}
        price={quote}
        method={method}
        requestedFor={requestedFor}
        isTimeAsked={isTimeAsked && earliest !== null}
        isBusy={placing.isBusy}
        onAnswer={() => placing.mend('lines')}
      />
      {placing.tooLate && (
        <LaterInstead
          view={view}
          body={placing.tooLate}
          onAccept={(order) => {
            placing.dismissTooLate();
            setRequestedFor(order.requested_for ?? null);
            send(order);
          }}
          onClose={placing.dismissTooLate}
        />
      )}
      {placing.signedOut && (
        <SignedOut store={store} placing={placing} body={placing.signedOut} onGuest={() => setGuest(true)} />
      )}
      {placing.changed && <PriceChanged view={view} placing={placing} changed={placing.changed} />}
    </form>
  );
}

/** Whether somebody who wanted it as soon as possible cannot have it so any more, and has chosen no time yet. */
function useLostWish(canBeSoon: boolean, requestedFor: string | null): boolean {
  const [wasWanted, setWanted] = useState(false);
  const isWanted = requestedFor === null && (canBeSoon || wasWanted);
  if (isWanted !== wasWanted) setWanted(isWanted);
  return isWanted && !canBeSoon;
}

function isOfTime({ path }: Problem): boolean {
  return path === 'requested_for';
}

/** What has to be answered before the order can be placed, by line. */
function askLines(view: BasketView, problems: readonly Problem[]): FieldErrors {
  const asked: FieldErrors = {};
  for (const { path, message } of problems) {
    const line = lineOf(path);
    if (line) asked[line] ??= [message];
  }
  for (const [place, { line, now, changedFrom }] of view.lines.entries()) {
    if (changedFrom !== null && now) asked[`lines.${place}`] ??= [m.ordering_basket_price_ask({ name: line.name })];
  }
  return asked;
}

/** What is amiss with part of a line is shown at the line. */
function lineOf(path: string): string | undefined {
  return /^lines\.\d+/.exec(path)?.[0];
}

function toOrder(form: FormData, basket: Basket, session: string, method: PaymentMethod, total: number): OrderBody {
  const isDelivery = basket.fulfilment_type === 'delivery';
  return {
    ...basket,
    session,
    contact: {
      name: textOf(form, 'contact.name'),
      phone: textOf(form, 'contact.phone'),
      email: textOf(form, 'contact.email'),
    },
    address: isDelivery
      ? {
          line1: textOf(form, 'address.line1'),
          line2: textOf(form, 'address.line2'),
          city: textOf(form, 'address.city'),
          postcode: textOf(form, 'address.postcode'),
          instructions: textOf(form, 'address.instructions'),
        }
      : null,
    payment_method: method,
    note: textOf(form, 'note'),
    allergy_note: textOf(form, 'allergy_note'),
    age_confirmed: form.has('age_confirmed'),
    expected_total: total,
  };
}
