import { useEffect } from 'react';
import { m } from '#messages';
import { useSession, wasSignedOut } from '#accounts/web/session.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { CollectFrom } from '#ordering/web/collect-from.tsx';
import { OrderActions } from '#ordering/web/order-actions.tsx';
import { OrderHeadline } from '#ordering/web/order-headline.tsx';
import { OrderReceipt } from '#ordering/web/order-receipt.tsx';
import { OrderSteps } from '#ordering/web/order-steps.tsx';
import { useLastKnown } from '#ordering/web/use-last-known.ts';
import { isWhole, useOrder } from '#ordering/web/use-order.ts';
import { whenWords } from '#ordering/web/when-words.ts';
import { ApiError } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';
import { useIsOnline } from '#platform/web/online.ts';
import { Loading, Trouble } from '#platform/web/ui/trouble.tsx';
import { useShop } from '#storefront/web/shop.ts';

/** One order, live from the kitchen: in the guest's view for whoever has its link, whole for its customer. */
export function OrderPage() {
  const id = usePath().split('/')[2] ?? '';
  const { store } = useShop();
  const { query, isPolling } = useOrder(id);
  const { error, refetch } = query;
  const { order, asOf } = useLastKnown(id, query);
  const isOnline = useIsOnline();
  const now = useNow();
  const number = order?.number;
  useEffect(() => {
    if (number) document.title = `${m.ordering_order_number({ number })} · ${store.name}`;
  }, [number, store.name]);

  if (error instanceof ApiError && error.status === 404) return <NoSuchOrder />;
  if (!order && error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!order) return <Loading />;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-6 px-4 py-6 lg:grid-cols-[1fr_24rem] lg:gap-10 lg:px-8 lg:py-10">
      <div className="grid content-start gap-6">
        <OrderHeadline order={order} store={store} asOf={asOf} />
        <p role="status" className="rounded-box bg-warn-soft px-4 py-3 font-medium empty:hidden">
          {asOf ? oldWords(whenWords(asOf, now, store.timezone), isOnline) : isPolling && m.ordering_order_poll()}
        </p>
        <SignedOutHere isWhole={isWhole(order)} />
        <CollectFrom order={order} store={store} />
        <OrderActions order={order} store={store} asOf={asOf} />
        <OrderSteps order={order} store={store} />
      </div>
      <OrderReceipt order={order} store={store} isOld={asOf !== null} />
    </div>
  );
}

/** Said here and not where it was found out: with whoever was signed in goes all that was asked in their name. */
function SignedOutHere({ isWhole: mayGoOn }: { isWhole: boolean }) {
  const { user } = useSession();
  const path = usePath();
  return (
    <p role="status" className="rounded-box bg-warn-soft px-4 py-2 font-medium empty:hidden">
      {user === null && wasSignedOut() && (
        <>
          {mayGoOn ? m.ordering_order_signed_out() : m.ordering_order_signed_out_guest_view()}{' '}
          <Link href="/login" className="link inline-flex min-h-11 items-center" onClick={() => storePath(path)}>
            {m.accounts_sign_in()}
          </Link>
        </>
      )}
    </p>
  );
}

/** That what is shown may be old, of when it is, and what stands in the way. */
function oldWords(time: string, isOnline: boolean): string {
  return isOnline ? m.ordering_order_unreachable({ time }) : m.ordering_order_offline({ time });
}

function NoSuchOrder() {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-4 px-4 py-20 text-center">
      <h1 className="text-3xl">{m.ordering_order_not_found()}</h1>
      <p className="text-ink-soft">{m.ordering_order_not_found_words()}</p>
      <Link href="/menu" className="btn btn-primary">
        {m.platform_see_menu()}
      </Link>
    </div>
  );
}
