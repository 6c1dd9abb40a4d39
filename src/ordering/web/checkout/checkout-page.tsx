import '#ordering/web/checkout/checkout.css';
import { useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { hasUserLookupFailed, reloadUser, useSession, wasSignedOutByServer } from '#accounts/web/session.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { LazySheets } from '#ordering/web/menu/lazy-sheets.tsx';
import { useBasketView } from '#ordering/web/basket/basket-view.ts';
import { CheckoutForm } from '#ordering/web/checkout/checkout-form.tsx';
import { EmptyBasket } from '#ordering/web/basket/empty-basket.tsx';
import { OpenOrderLink, OpenOrderLinks } from '#ordering/web/order/open-orders.tsx';
import { readUnpaidOrder } from '#ordering/web/checkout/unpaid-order.ts';
import { Link } from '#platform/web/navigation.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { ApiError } from '#platform/web/api.ts';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';
import { ClosedBanner } from '#store/web/shop-parts.tsx';

export function CheckoutPage() {
  const view = useBasketView();
  const session = useSession();
  const { user } = session;
  const owner = useOwner(user);
  if (!session.initialized) return <LoadingSkeleton />;
  if (!view.quote) return <NothingToOrder />;
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-1 lg:px-8">
      <div className="checkout-head flex flex-wrap items-center justify-between gap-x-4">
        <h1 className="text-3xl font-extrabold lg:text-5xl">{m.ordering_checkout()}</h1>
        <Link href="/menu" className="link inline-flex min-h-11 items-center gap-1">
          <Icon name="chevronLeft" className="size-4" />
          {m.ordering_checkout_back()}
        </Link>
      </div>
      <WaitingHere />
      <div className="mb-5 empty:hidden">
        <ClosedBanner store={view.store} />
      </div>
      {owner || view.store.guest_checkout ? (
        <CheckoutForm
          key={owner?.id ?? 'guest'}
          view={view}
          user={owner}
          isSignedOut={user === null && (owner !== null || wasSignedOutByServer())}
        />
      ) : (
        <SignInFirst isAsking={!hasUserLookupFailed(session)} />
      )}
      <LazySheets />
    </div>
  );
}

/**
 * The person for whom the form was opened. After their sign-in ends, the form is still theirs, so that their input is
 * not lost.
 */
function useOwner(user: User | null): User | null {
  const [owner, setOwner] = useState(user);
  if (user && user !== owner) setOwner(user);
  return user ?? owner;
}

function WaitingHere() {
  const unpaid = readUnpaidOrder();
  return (
    <div role="status" className="mb-5 empty:hidden">
      {unpaid && <OpenOrderLink id={unpaid.id} hint={m.ordering_waiting_here()} />}
    </div>
  );
}

/** The page for an empty basket. Open and unpaid orders are shown first. */
function NothingToOrder() {
  return (
    <>
      <div role="status">
        <OpenOrderLinks />
      </div>
      <div className="mx-auto grid max-w-md justify-items-center px-4 py-16">
        <h1 className="text-3xl">{m.ordering_basket()}</h1>
        <EmptyBasket />
        <Link href="/menu" className="btn btn-primary">
          {m.menu_see()}
        </Link>
      </div>
    </>
  );
}

/**
 * Asks for a sign-in in shops that require an account; the basket is not lost. If the session could not be looked up,
 * offers a retry instead.
 */
function SignInFirst({ isAsking }: { isAsking: boolean }) {
  if (!isAsking) return <LoadFailure error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return (
    <section className="card grid max-w-xl justify-items-start gap-4 p-6">
      <h2 className="text-2xl">{m.ordering_checkout_who()}</h2>
      <p className="text-ink-soft">{m.ordering_checkout_who_why()}</p>
      <div className="flex flex-wrap gap-3">
        <Link href="/register" className="btn btn-primary" onClick={() => saveSignInReturnPath('/checkout')}>
          {m.accounts_register()}
        </Link>
        <Link href="/login" className="btn btn-quiet" onClick={() => saveSignInReturnPath('/checkout')}>
          {m.accounts_sign_in()}
        </Link>
      </div>
    </section>
  );
}
