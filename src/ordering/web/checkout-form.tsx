import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { startNote } from '#ordering/web/allergy-note.ts';
import { setFulfilment } from '#ordering/web/basket-store.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { CheckoutAge } from '#ordering/web/checkout-age.tsx';
import { CheckoutAddress } from '#ordering/web/checkout-address.tsx';
import { CheckoutContact } from '#ordering/web/checkout-contact.tsx';
import { keepDraft } from '#ordering/web/checkout-draft.ts';
import { isOfTime } from '#ordering/web/checkout-problems.ts';
import { CheckoutQuestions } from '#ordering/web/checkout-questions.tsx';
import { CheckoutPayment } from '#ordering/web/checkout-payment.tsx';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { CheckoutSummary } from '#ordering/web/checkout-summary.tsx';
import { CheckoutTip } from '#ordering/web/checkout-tip.tsx';
import { CheckoutWhen } from '#ordering/web/checkout-when.tsx';
import { GuestNote } from '#ordering/web/guest-note.tsx';
import { type Checkout, useCheckout } from '#ordering/web/use-checkout.ts';
import { Link } from '#platform/web/navigation.tsx';
import { ErrorSummary } from '#ui/web/error-summary.tsx';
import { TextField } from '#ui/web/field.tsx';
import { addressWords } from '#store/address-words.ts';
import { normalisePostcode } from '#store/postcodes.ts';
import { FulfilmentSwitch } from '#ordering/web/fulfilment-switch.tsx';

interface CheckoutFormProps {
  view: BasketView;
  /** The person signed in when it was opened; null: a guest. */
  user: User | null;
  /** Their sign-in has ended since. */
  isSignedOut: boolean;
}

/** The whole checkout as one form. Its fields have the names of the request, so that every error finds its field. */
export function CheckoutForm({ view, user, isSignedOut }: CheckoutFormProps) {
  const { store, fulfilment, held } = view;
  const checkout = useCheckout(view, user, isSignedOut);
  const { placing, isTaking, quote, earliest, isTimeAsked, errors, requestedFor, method } = checkout;
  const prepMinutes = quote.prep_minutes;
  return (
    <form
      noValidate
      className={`grid gap-6 ${isTaking ? 'lg:grid-cols-[1fr_24rem] lg:gap-10' : 'max-w-2xl'}`}
      onSubmit={checkout.submit}
      onInput={(event) => {
        const edited = 'name' in event.target && typeof event.target.name === 'string' ? event.target.name : '';
        keepDraft(event.currentTarget, edited);
        placing.clearError(edited);
      }}
    >
      {/* While the shop takes no orders it waits unseen, so that the input is there when it does again. */}
      <div className="grid min-w-0 content-start gap-6" hidden={!isTaking}>
        <ErrorSummary message={placing.failure.message} errors={errors} attempt={placing.attempt} />
        <How view={view} user={user} checkout={checkout} />
        <CheckoutWhen
          store={store}
          fulfilment={fulfilment}
          earliest={earliest}
          postcode={view.zone ? (normalisePostcode(held.postcode) ?? '') : ''}
          prepMinutes={prepMinutes}
          value={requestedFor}
          onChange={checkout.chooseTime}
          onNone={checkout.setNoTime}
          errors={errors['requested_for']}
          askedBecause={isTimeAsked ? (quote.problems.find(isOfTime)?.message ?? '') : null}
        />
        <Contact user={user} checkout={checkout} />
        <Notes user={user} checkout={checkout} />
        <CheckoutAge view={view} errors={errors['age_confirmed']} />
        <CheckoutTip
          currency={store.currency}
          value={checkout.tip}
          onChange={checkout.chooseTip}
          problem={checkout.tipProblem}
          errors={errors['tip']}
        />
        <CheckoutPayment
          methods={checkout.methods}
          total={checkout.total}
          view={view}
          value={method}
          onChange={checkout.chooseMethod}
          errors={errors['payment_method']}
        />
      </div>
      <CheckoutSummary
        view={view}
        user={user}
        price={quote}
        method={method}
        requestedFor={requestedFor}
        isTimeAsked={isTimeAsked && earliest !== null}
        asked={checkout.asked}
        hasNoTime={checkout.hasNoTime}
        isBusy={placing.isBusy}
        isRetrying={placing.isRetrying}
        onAnswer={() => placing.clearError('lines')}
      />
      <CheckoutQuestions view={view} checkout={checkout} />
    </form>
  );
}

interface PartProps {
  user: User | null;
  checkout: Checkout;
}

/** Delivery with its address, or collection. */
function How({ view, user, checkout }: PartProps & { view: BasketView }) {
  const { store, fulfilment, held } = view;
  const { draft, forgotten, placing, errors, quote } = checkout;
  return (
    <CheckoutSection title={m.ordering_checkout_how()}>
      <FulfilmentSwitch store={store} isWide />
      {fulfilment === 'delivery' ? (
        <CheckoutAddress
          key={forgotten}
          store={store}
          draft={draft}
          user={user}
          postcode={held.postcode}
          onPostcode={(postcode) => setFulfilment({ postcode })}
          prepMinutes={quote.prep_minutes}
          onCollect={() => placing.clearError('address')}
          errors={errors}
        />
      ) : (
        <p className="flex-1 text-lg">
          <span className="block text-sm text-ink-soft">{m.ordering_checkout_collect_from()}</span>
          {addressWords(store.address)}
        </p>
      )}
    </CheckoutSection>
  );
}

function Contact({ user, checkout }: PartProps) {
  const { draft, forgotten, errors } = checkout;
  return (
    <CheckoutSection title={m.ordering_checkout_contact()}>
      {!user && (
        <p className="text-ink-soft">
          {m.accounts_have_account()}{' '}
          <Link href="/login" className="link inline-flex min-h-11 items-center" onClick={() => storePath('/checkout')}>
            {m.accounts_sign_in()}
          </Link>
        </p>
      )}
      <CheckoutContact key={forgotten} draft={draft} user={user} errors={errors} />
      {!user && <GuestNote onForget={checkout.forget} />}
    </CheckoutSection>
  );
}

function Notes({ user, checkout: { draft, errors } }: PartProps) {
  return (
    <CheckoutSection title={m.ordering_checkout_notes()}>
      <TextField
        name="allergy_note"
        label={m.ordering_checkout_allergy()}
        optional={m.platform_optional()}
        hint={m.ordering_checkout_allergy_hint()}
        maxLength={500}
        defaultValue={startNote(draft, user)}
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
  );
}
