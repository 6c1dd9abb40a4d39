import { m } from '#messages';
import { AllergyQuestion } from '#ordering/web/allergy-question.tsx';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { LaterInstead } from '#ordering/web/later-instead.tsx';
import { PriceChanged } from '#ordering/web/price-changed.tsx';
import { SignedOut } from '#ordering/web/signed-out.tsx';
import type { Checkout } from '#ordering/web/use-checkout.ts';

/** Questions before an order is sent, or after the shop refused it. */
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
