import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { savePathForSignIn } from '#accounts/web/stored-path.ts';
import { setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import { CheckoutAddress } from '#ordering/web/checkout/checkout-address.tsx';
import { type CheckoutDraft, saveCheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { type Checkout, isTimeProblem, useCheckout } from '#ordering/web/checkout/use-checkout.ts';
import { CheckoutQuestions } from '#ordering/web/checkout/checkout-questions.tsx';
import { CheckoutPayment, CheckoutTip } from '#ordering/web/checkout/checkout-payment.tsx';
import { CheckoutSection, CheckoutTime } from '#ordering/web/checkout/checkout-when.tsx';
import { CheckoutSummary } from '#ordering/web/checkout/checkout-summary.tsx';
import { Link } from '#platform/web/navigation.tsx';
import { ErrorSummary } from '#ui/web/error-summary.tsx';
import { FieldErrorText, fieldId, TextField } from '#ui/web/field.tsx';
import { addressWords } from '#store/address-words.ts';
import { normalisePostcode } from '#store/postcodes.ts';
import { FulfilmentSwitch } from '#ordering/web/basket/fulfilment-switch.tsx';
import { allergenNameEntries } from '#menu/allergen-words.ts';
import { useState } from 'react';
import { forgetGuestDetails, readGuestDetails } from '#ordering/web/checkout/guest-details.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { EmailField, NameField, PhoneField } from '#accounts/web/account-fields.tsx';
import { mailPromiseText } from '#mail/web/mail-promise.ts';
import type { FieldErrors } from '#platform/errors.ts';

interface CheckoutFormProps {
  view: BasketView;
  /** The person who was signed in when the form was opened; null: a guest. */
  user: User | null;
  /** Whether that person's sign-in has ended since. */
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
        saveCheckoutDraft(event.currentTarget, edited);
        placing.clearError(edited);
      }}
    >
      {/* While the shop takes no orders, the fields are hidden and not removed, so that the input is not lost. */}
      <div className="grid min-w-0 content-start gap-6" hidden={!isTaking}>
        <ErrorSummary message={placing.failure.message} errors={errors} attempt={placing.attempt} />
        <How view={view} user={user} checkout={checkout} />
        <CheckoutTime
          store={store}
          fulfilment={fulfilment}
          earliest={earliest}
          postcode={view.zone ? (normalisePostcode(held.postcode) ?? '') : ''}
          prepMinutes={prepMinutes}
          value={requestedFor}
          onChange={checkout.chooseTime}
          onNone={checkout.setNoTime}
          errors={errors['requested_for']}
          askedBecause={isTimeAsked ? (quote.problems.find(isTimeProblem)?.message ?? '') : null}
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
          onPostcode={(postcode) => setBasketFulfilment({ postcode })}
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
          <Link
            href="/login"
            className="link inline-flex min-h-11 items-center"
            onClick={() => savePathForSignIn('/checkout')}
          >
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
        defaultValue={initialAllergyNote(draft, user)}
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

/** The initial allergy note: as the customer edited it, even if empty; otherwise from their profile. */
export function initialAllergyNote(draft: CheckoutDraft, user: Pick<User, 'allergies'> | null): string {
  return draft['allergy_note'] ?? (user ? allergyNote(user) : '');
}

/** The profile's allergies as a note for the kitchen: `Milk, peanuts`. */
export function allergyNote({ allergies }: Pick<User, 'allergies'>): string {
  const words = allergenNameEntries.filter(([code]) => allergies.includes(code)).map(([, name]) => name());
  const note = words.join(', ');
  return note.charAt(0).toUpperCase() + note.slice(1);
}

/** A note about the guest's data on this device, with a button that deletes it. */
function GuestNote({ onForget }: { onForget: () => void }) {
  const [state, setState] = useState<'none' | 'kept' | 'forgotten'>(() => (readGuestDetails() ? 'kept' : 'none'));
  const forget = () => {
    forgetGuestDetails();
    setState('forgotten');
    onForget();
  };
  return (
    <div className="text-sm text-ink-soft">
      <p role="status" tabIndex={-1} ref={state === 'forgotten' ? takeFocus : null} className="outline-none">
        {state === 'forgotten' ? m.ordering_guest_forgotten() : m.ordering_guest_kept()}
      </p>
      {state === 'kept' && (
        <button type="button" className="link min-h-11" onClick={forget}>
          {m.ordering_guest_forget()}
        </button>
      )}
    </div>
  );
}

/** Focuses the message, because the button that had the focus was removed. */
function takeFocus(words: HTMLElement | null): void {
  words?.focus({ preventScroll: true });
}

const name = 'age_confirmed';

/** Asks the customer to confirm the required age, for each order anew; renders nothing if no dish requires one. */
function CheckoutAge({ view, errors }: { view: BasketView; errors: readonly string[] | undefined }) {
  const age = minAgeOf(view.quote?.lines ?? []);
  if (age === null) return null;
  const id = fieldId(name);
  return (
    <CheckoutSection title={m.ordering_age_title({ age })}>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="flex min-h-11 items-center gap-3 font-semibold">
          <input
            type="checkbox"
            id={id}
            name={name}
            required
            data-missing={m.ordering_age_unconfirmed({ age })}
            aria-describedby={`${id}-hint ${id}-error`}
            aria-invalid={errors ? true : undefined}
            className="size-6 shrink-0 accent-accent-edge"
          />
          {m.ordering_age_confirm({ age })}
        </label>
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {m.ordering_age_hint()}
        </p>
        <FieldErrorText id={`${id}-error`} errors={errors} />
      </div>
    </CheckoutSection>
  );
}

function CheckoutContact({ draft, user, errors }: { draft: CheckoutDraft; user: User | null; errors: FieldErrors }) {
  const [kept] = useState(() => (user ? null : readGuestDetails()));
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NameField
        name="contact.name"
        defaultValue={draft['contact.name'] || (user ?? kept)?.name}
        errors={errors['contact.name']}
      />
      <PhoneField
        name="contact.phone"
        defaultValue={draft['contact.phone'] || (user ?? kept)?.phone}
        errors={errors['contact.phone']}
      />
      <div className="sm:col-span-2">
        <EmailField
          name="contact.email"
          optional={m.platform_optional()}
          hint={mailPromiseText(m.ordering_checkout_email_hint(), m.ordering_checkout_email_unsent())}
          maxLength={120}
          defaultValue={draft['contact.email'] || user?.email}
          errors={errors['contact.email']}
        />
      </div>
    </div>
  );
}
