import { m } from '#messages';
import { AllergyQuestion } from '#ordering/web/menu/allergy-question.tsx';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import type { Checkout } from '#ordering/web/checkout/use-checkout.ts';
import { acceptLinePrices } from '#ordering/web/basket/basket-edits.ts';
import type { PlaceOrderState } from '#ordering/web/checkout/use-place-order.ts';
import type { OrderRequestBody } from '#ordering/web/checkout/send-order.ts';
import { formatMoney } from '#platform/money.ts';
import { Sheet } from '#ui/web/sheet.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderButtonWords } from '#ordering/web/checkout/checkout-summary.tsx';
import { api } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { focusField } from '#ui/web/error-summary.tsx';
import { formFailureOf } from '#ui/web/form-errors.ts';
import type { MouseEvent } from 'react';
import { clearUserAndToken } from '#accounts/web/session.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { saveCheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { Link } from '#platform/web/navigation.tsx';
import type { Store } from '#store/contract.ts';

export function CheckoutQuestions({ view, checkout }: { view: BasketView; checkout: Checkout }) {
  const { placing, send, setRequestedFor, orderAsGuest, allergies } = checkout;
  const { asked } = allergies;
  return (
    <>
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
        <SignedOut store={view.store} placing={placing} body={placing.signedOut} onGuest={orderAsGuest} />
      )}
      {placing.changed && (
        <PriceChanged
          view={view}
          changed={placing.changed}
          onAccept={(order) => {
            placing.dismissChange();
            send(order);
          }}
          onClose={placing.dismissChange}
        />
      )}
      {asked && (
        <AllergyQuestion
          title={m.ordering_allergy_pay_title()}
          avoided={allergies.avoided}
          dishes={allergies.concerned}
          hint={m.ordering_allergy_pay_hint()}
          yes={m.ordering_allergy_pay()}
          no={m.ordering_allergy_back()}
          onYes={() => {
            allergies.dismiss();
            send({ ...asked, allergies: [...allergies.avoided] });
          }}
          onNo={allergies.dismiss}
        />
      )}
    </>
  );
}

interface PriceChangedProps {
  view: BasketView;
  changed: NonNullable<PlaceOrderState['changed']>;
  onAccept: (order: OrderRequestBody) => void;
  onClose: () => void;
}

function PriceChanged({ view, changed: { body, quote }, onAccept, onClose }: PriceChangedProps) {
  const money = (amount: number) => formatMoney(amount, view.store.currency);
  const lines = view.lines.flatMap(({ line }, place) => {
    const now = quote.lines[place];
    return now && now.unit_price !== line.seen_price ? [{ line, now }] : [];
  });
  const accept = () => {
    acceptLinePrices(new Map(lines.map(({ line, now }) => [line.key, { name: now.name, price: now.unit_price }])));
    onAccept({ ...body, expected_total: quote.total });
  };
  return (
    <Sheet labelledBy="price-changed-title" onClose={onClose}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="price-changed-title" className="text-2xl">
          {m.ordering_changed_title()}
        </h2>
        <p>{m.ordering_changed_total({ before: money(body.expected_total), after: money(quote.total) })}</p>
        {lines.length > 0 && (
          <ul className="num grid gap-2">
            {lines.map(({ line, now }) => (
              <li key={line.key} className="flex justify-between gap-4 rounded-chip bg-warn-soft px-3 py-2">
                <span className="font-semibold">{now.name}</span>
                <span>
                  {m.ordering_basket_price_was({ before: money(line.seen_price), after: money(now.unit_price) })}
                </span>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn btn-primary num" onClick={accept}>
            {m.ordering_changed_accept({ total: money(quote.total) })}
          </button>
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            {m.ordering_changed_back()}
          </button>
        </div>
      </div>
    </Sheet>
  );
}

interface LaterInsteadProps {
  view: BasketView;
  /** The order that was wanted as soon as possible, and that was not placed. */
  body: OrderRequestBody;
  /** Places the order with the chosen time, or without a time if "as soon as possible" is available again. */
  onAccept: (order: OrderRequestBody) => void;
  onClose: () => void;
}

/** Asks whether to order for a later time, because the shop no longer offers "as soon as possible". */
function LaterInstead({ view, body, onAccept, onClose }: LaterInsteadProps) {
  const now = useNow();
  // Only the server knows how full the slots are.
  const { data, error } = useQuery({
    // The quote is fetched again after each change of the shop. Until it arrives, the earlier one is shown.
    queryKey: ['later instead', body, view.store.version],
    placeholderData: keepPreviousData,
    queryFn: async () => (await api('POST /v1/orders/quote', body, { timeout: 15_000 })).data,
    gcTime: 0,
    retry: false,
  });
  const refusal = data?.problems.find(({ path }) => path === 'requested_for')?.message;
  const time = refusal === undefined ? null : data?.earliest_at;
  const tap = { method: body.payment_method, delivery: 'known' as const, total: body.expected_total };
  const choose = () => {
    onClose();
    // The timer waits until the closed dialog has returned the focus.
    setTimeout(() => focusField('requested_for'));
  };
  return (
    <Sheet labelledBy="later-title" onClose={onClose}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="later-title" className="text-2xl">
          {m.ordering_later_title()}
        </h2>
        <p role="status" className="num">
          {error
            ? formFailureOf(error).message
            : data
              ? (refusal ?? m.ordering_later_after_all())
              : m.platform_loading()}
        </p>
        <p>{m.ordering_later_words()}</p>
        <div className="flex flex-wrap gap-3">
          {data && time !== undefined && (refusal === undefined || time !== null) && (
            <button
              type="button"
              className="btn btn-primary num"
              onClick={() => onAccept({ ...body, requested_for: time })}
            >
              {orderButtonWords({ ...tap, requestedFor: time }, view.store, now)}
            </button>
          )}
          <button type="button" className="btn btn-quiet" onClick={choose}>
            {m.ordering_later_other()}
          </button>
        </div>
      </div>
    </Sheet>
  );
}

interface SignedOutProps {
  store: Store;
  placing: PlaceOrderState;
  body: OrderRequestBody;
  onGuest: () => void;
}

/**
 * Asks whether to sign in again or to order as a guest, because the person who filled in the form is no longer signed
 * in.
 */
function SignedOut({ store, placing, body, onGuest }: SignedOutProps) {
  const signIn = (event: MouseEvent) => {
    keep(event, '');
    saveSignInReturnPath('/checkout');
  };
  const goOn = (event: MouseEvent) => {
    // The allergy note is stored as shown, because a guest has no profile from which it could be filled in.
    keep(event, 'allergy_note');
    // The token of the ended sign-in is cleared, because the shop would refuse it again.
    clearUserAndToken();
    onGuest();
    void placing.place(body);
  };
  return (
    <Sheet labelledBy="signed-out-title" onClose={placing.dismissSignedOut}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="signed-out-title" className="text-2xl">
          {m.ordering_signed_out_title()}
        </h2>
        <p>{m.ordering_signed_out_words()}</p>
        {store.guest_checkout && <p>{m.ordering_signed_out_guest_words()}</p>}
        <div className="flex flex-wrap gap-3">
          <Link href="/login" className="btn btn-primary" onClick={signIn}>
            {m.accounts_sign_in()}
          </Link>
          {store.guest_checkout && (
            <button type="button" className="btn btn-quiet" onClick={goOn}>
              {m.ordering_signed_out_guest()}
            </button>
          )}
        </div>
      </div>
    </Sheet>
  );
}

/** Stores the form's fields, so that values from the profile remain although the sign-in has ended. */
function keep(event: MouseEvent, edited: string): void {
  const form = event.currentTarget.closest('form');
  if (form) saveCheckoutDraft(form, edited);
}
