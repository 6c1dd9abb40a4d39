import type { MouseEvent } from 'react';
import { m } from '#messages';
import { forgetUser } from '#accounts/web/session.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { keepDraft } from '#ordering/web/checkout-draft.ts';
import type { PlacingOrder } from '#ordering/web/place-order.ts';
import type { OrderBody } from '#ordering/web/send-order.ts';
import { Link } from '#platform/web/navigation.tsx';
import { Sheet } from '#ui/web/sheet.tsx';
import type { Store } from '#store/contract.ts';

interface SignedOutProps {
  store: Store;
  placing: PlacingOrder;
  body: OrderBody;
  /** From now on this form orders for a guest. */
  onGuest: () => void;
}

/** The person who filled in the form is no longer signed in: they choose in whose name to order. */
export function SignedOut({ store, placing, body, onGuest }: SignedOutProps) {
  const signIn = (event: MouseEvent) => {
    keep(event, '');
    storePath('/checkout');
  };
  const goOn = (event: MouseEvent) => {
    // A guest has no profile for the allergy note to follow: it stays as it is filled in.
    keep(event, 'allergy_note');
    // A dead token would be refused again.
    forgetUser();
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

/** Fields filled in from the profile are stored like typed ones. */
function keep(event: MouseEvent, edited: string): void {
  const form = event.currentTarget.closest('form');
  if (form) keepDraft(form, edited);
}
