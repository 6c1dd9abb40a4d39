import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import { CheckoutAddress, initialAddress } from '#ordering/web/checkout/checkout-address.tsx';
import { CheckoutContact, StoredGuestDetailsNotice } from '#ordering/web/checkout/checkout-contact.tsx';
import { initialAllergyNote, initialContact } from '#ordering/web/checkout/checkout-field-values.ts';
import { saveCheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { type Checkout, isTimeFieldProblem, useCheckout } from '#ordering/web/checkout/use-checkout.ts';
import { CheckoutQuestions } from '#ordering/web/checkout/checkout-questions.tsx';
import { CheckoutPayment, CheckoutTip } from '#ordering/web/checkout/checkout-payment.tsx';
import {
  FoldableCheckoutPart,
  type CheckoutParts,
  CheckoutSection,
  useCheckoutParts,
} from '#ordering/web/checkout/checkout-parts.tsx';
import { CheckoutTime, fulfilmentPauseWords } from '#ordering/web/checkout/checkout-when.tsx';
import { CheckoutSummary } from '#ordering/web/checkout/checkout-summary.tsx';
import { Link } from '#platform/web/navigation.tsx';
import { ErrorSummary, focusField } from '#ui/web/error-summary.tsx';
import { FieldErrorText, fieldId, TextAreaField } from '#ui/web/field.tsx';
import { addressWords } from '#store/address-words.ts';
import { findZone } from '#store/delivery-zones.ts';
import { normalisePostcode, parsePostcode } from '#store/postcodes.ts';
import type { Store } from '#store/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { FulfilmentSwitch } from '#ordering/web/basket/fulfilment-switch.tsx';
import { useState } from 'react';
import { useNow } from '#platform/web/clock.ts';
import { wishWords } from '#ordering/order-words.ts';
import type { SoldOutWish } from '#ordering/order.ts';
import { minAgeOf } from '#ordering/min-age.ts';

interface CheckoutFormProps {
  view: BasketView;
  /** The person who was signed in when the form was opened; null: a guest. */
  user: User | null;
  /** Whether the sign-in of `user` has ended since the form was opened. */
  isSignedOut: boolean;
}

/** The whole checkout as one form. Its fields have the names of the request, so that every error finds its field. */
export function CheckoutForm({ view, user, isSignedOut }: CheckoutFormProps) {
  const { store, fulfilment, held } = view;
  const checkout = useCheckout(view, user, isSignedOut);
  const { placing, isTaking, quote, earliest, isTimeAsked, errors, requestedFor, method } = checkout;
  const { address, setTyped } = useTypedAddress(view, user, checkout);
  const parts = useFormParts(view, checkout, address);
  return (
    <form
      noValidate
      className={`grid gap-3 lg:gap-6 ${isTaking ? 'lg:grid-cols-[1fr_24rem] lg:gap-10' : 'max-w-2xl'}`}
      onSubmit={checkout.submit}
      onInput={(event) => {
        const edited = 'name' in event.target && typeof event.target.name === 'string' ? event.target.name : '';
        saveCheckoutDraft(event.currentTarget, edited);
        placing.clearError(edited);
        checkout.readTyped(event.currentTarget);
      }}
    >
      {/* While the shop takes no orders, the fields are hidden and not removed, so that the input is not lost. */}
      <div className="grid min-w-0 content-start gap-2" hidden={!isTaking}>
        <ErrorSummary message={placing.failure.message} errors={errors} attempt={placing.attempt} />
        <Bought view={view} />
        <div className="card divide-y divide-line">
          <Where view={view} user={user} checkout={checkout} parts={parts} address={address} onTyped={setTyped} />
          <CheckoutTime
            parts={parts}
            store={store}
            fulfilment={fulfilment}
            earliest={earliest}
            postcode={view.zone ? (normalisePostcode(held.postcode) ?? '') : ''}
            prepMinutes={quote.prep_minutes}
            value={requestedFor}
            onChange={checkout.chooseTime}
            onNone={checkout.setNoTime}
            errors={errors['requested_for']}
            askedBecause={isTimeAsked ? (quote.problems.find(isTimeFieldProblem)?.message ?? '') : null}
          />
          <Contact user={user} checkout={checkout} parts={parts} />
          <Notes user={user} checkout={checkout} parts={parts} />
          <CheckoutAge view={view} errors={errors['age_confirmed']} />
          <Paying view={view} checkout={checkout} parts={parts} />
        </div>
      </div>
      <CheckoutSummary
        view={view}
        user={user}
        price={quote}
        method={method}
        requestedFor={requestedFor}
        isTimeAsked={isTimeAsked && earliest !== null}
        earliest={earliest}
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

function useFormParts(view: BasketView, checkout: Checkout, address: DeliveryAddress): CheckoutParts {
  const { store, fulfilment } = view;
  const { earliest, isTimeAsked, requestedFor, errors, typed, placing } = checkout;
  const isPaused = fulfilmentPauseWords(store, fulfilment, useNow()) !== null;
  // If a time must be chosen, its part opens at once, even if the address part before it is incomplete.
  const mustChoose = checkout.hasNoTime || (requestedFor === null && (isTimeAsked || isPaused));
  return useCheckoutParts(
    {
      where: fulfilment === 'collection' || isDeliverable(address, store),
      when: requestedFor !== null || earliest?.isSoon === true,
      who: Boolean(typed.contact.name.trim() && typed.contact.phone.trim()),
      notes: true,
      pay: checkout.methods.length > 0,
    },
    mustChoose ? { ...errors, requested_for: [] } : errors,
    placing.attempt,
  );
}

function Paying({ view, checkout, parts }: Pick<PartProps, 'checkout' | 'parts'> & { view: BasketView }) {
  const { errors } = checkout;
  return (
    <>
      <CheckoutPayment
        parts={parts}
        methods={checkout.methods}
        total={checkout.total}
        view={view}
        value={checkout.method}
        onChange={checkout.chooseMethod}
        errors={errors['payment_method']}
      />
      <CheckoutTip
        currency={view.store.currency}
        value={checkout.tip}
        onChange={checkout.chooseTip}
        problem={checkout.tipProblem}
        errors={errors['tip']}
      />
    </>
  );
}

function useTypedAddress({ store, held }: BasketView, user: User | null, { draft }: Checkout) {
  const [typed, setTyped] = useState(() => initialAddress({ draft, user, postcode: held.postcode }).typed);
  // The basket may have no postcode until the address stored on this device fills it in.
  const postcode = held.postcode || typed.postcode;
  return { address: { ...typed, city: typed.city || store.address.city, postcode }, setTyped };
}

function isDeliverable({ line1, city, postcode }: DeliveryAddress, { delivery_zones: zones }: Store): boolean {
  const parsed = parsePostcode(postcode);
  return Boolean(line1.trim() && city.trim() && parsed && findZone(zones, parsed));
}

/** The dishes in one line, for phones, with a link to the basket below the form. */
function Bought({ view }: { view: BasketView }) {
  const dishes = view.lines.map(({ line, now }) => `${line.quantity}\u00a0× ${now?.name ?? line.name}`).join(', ');
  return (
    <a
      href={`#${fieldId('lines')}`}
      className="num flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1 lg:hidden"
      onClick={(event) => {
        event.preventDefault();
        focusField('lines');
      }}
    >
      <span className="line-clamp-2 min-w-0 flex-[1_1_8rem] leading-snug wrap-anywhere">{dishes}</span>
      <span className="link font-semibold">{m.ordering_part_change()}</span>
    </a>
  );
}

interface PartProps {
  user: User | null;
  checkout: Checkout;
  parts: CheckoutParts;
}

interface WhereProps extends PartProps {
  view: BasketView;
  address: DeliveryAddress;
  onTyped: (typed: DeliveryAddress) => void;
}

function Where({ view, user, checkout, parts, address, onTyped }: WhereProps) {
  const { store, fulfilment, held } = view;
  const { draft, forgotten, placing, errors, quote } = checkout;
  const isDelivery = fulfilment === 'delivery';
  const words = isDelivery
    ? address.line1 && m.ordering_where_delivery({ address: addressWords(address) })
    : m.ordering_where_collection({ address: addressWords(store.address) });
  return (
    <FoldableCheckoutPart name="where" parts={parts} title={m.ordering_checkout_how()} summary={words || null}>
      <FulfilmentSwitch store={store} isWide />
      {isDelivery ? (
        <CheckoutAddress
          key={forgotten}
          store={store}
          draft={draft}
          user={user}
          postcode={held.postcode}
          onPostcode={(postcode) => setBasketFulfilment({ postcode })}
          onTyped={onTyped}
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
    </FoldableCheckoutPart>
  );
}

function Contact({ user, checkout, parts }: PartProps) {
  const { draft, forgotten, errors } = checkout;
  const { name, phone, email } = checkout.typed.contact;
  const words = [name, phone, email].filter(Boolean).join(', ');
  return (
    <FoldableCheckoutPart name="who" parts={parts} title={m.ordering_checkout_contact()} summary={words || null}>
      {!user && (
        <p className="text-ink-soft">
          {m.accounts_have_account()}{' '}
          <Link
            href="/login"
            className="link inline-flex min-h-11 items-center"
            onClick={() => saveSignInReturnPath('/checkout')}
          >
            {m.accounts_sign_in()}
          </Link>
        </p>
      )}
      <CheckoutContact key={forgotten} start={initialContact(draft, user)} errors={errors} />
      {!user && <StoredGuestDetailsNotice onForget={checkout.forget} />}
    </FoldableCheckoutPart>
  );
}

function Notes({ user, checkout: { draft, errors, typed }, parts }: PartProps) {
  const { allergies, note } = typed;
  const words = [allergies && m.ordering_notes_allergies({ allergies }), note, ...wishWords(typed)]
    .filter(Boolean)
    .join('. ');
  return (
    <FoldableCheckoutPart name="notes" parts={parts} title={m.ordering_checkout_notes()} summary={words || null}>
      <TextAreaField
        name="allergy_note"
        label={m.ordering_checkout_allergy()}
        optional={m.platform_optional()}
        hint={m.ordering_checkout_allergy_hint()}
        maxLength={500}
        defaultValue={initialAllergyNote(draft, user)}
        errors={errors['allergy_note']}
      />
      <TextAreaField
        name="note"
        label={m.ordering_checkout_note()}
        optional={m.platform_optional()}
        maxLength={500}
        defaultValue={draft['note'] ?? ''}
        errors={errors['note']}
      />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-semibold">{m.ordering_checkout_sold_out()}</legend>
        <SoldOutChoice value="ring" wish={typed.if_sold_out}>
          {m.ordering_sold_out_ring()}
        </SoldOutChoice>
        <SoldOutChoice value="remove" wish={typed.if_sold_out}>
          {m.ordering_sold_out_remove()}
        </SoldOutChoice>
      </fieldset>
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          name="cutlery"
          defaultChecked={typed.cutlery}
          className="size-6 shrink-0 accent-accent-edge"
        />
        {m.ordering_checkout_cutlery()}
      </label>
    </FoldableCheckoutPart>
  );
}

interface SoldOutChoiceProps {
  value: SoldOutWish;
  wish: SoldOutWish;
  children: string;
}

function SoldOutChoice({ value, wish, children }: SoldOutChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="radio"
        name="if_sold_out"
        value={value}
        defaultChecked={wish === value}
        className="size-5 shrink-0 accent-accent-edge"
      />
      {children}
    </label>
  );
}

const name = 'age_confirmed';

/** Asks the customer to confirm their age, in each order anew; renders nothing if no dish requires an age. */
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
