import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPageLayout, BackToAppLink } from '#accounts/web/account-form.tsx';
import { isAwaitingProvider } from '#payment/awaiting-provider.ts';
import { readStoredOrderSession, orderSessionHeader } from '#ordering/web/order/stored-order-sessions.ts';
import { type AnyOrder, orderQueryKey } from '#ordering/web/order/use-order.ts';
import { useUnpaidOrderSync } from '#ordering/web/checkout/unpaid-order.ts';
import { api, ApiError, readToken } from '#platform/web/api.ts';
import { Link, navigate, usePath } from '#platform/web/navigation.tsx';
import { orderChannelName } from '#ordering/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';

/** Milliseconds between two calls that ask for the payment's state. */
const askEvery = 3000;
/** Milliseconds after which the page says that the payment takes long. */
const timeout = 45_000;

/**
 * The page to which a payer returns from the provider. The page reconciles the payment, because the webhook may be late
 * or lost, and then leads to the order's page. Loading the page again, by a refresh, Back or a second tab, changes
 * nothing.
 */
export function PaymentCallbackPage() {
  const id = usePath().split('/')[2] ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: ['reconcile', id],
    queryFn: async () =>
      (
        await api(
          'POST /v1/orders/{id}/payment/reconcile',
          { id },
          { headers: orderSessionHeader(id), timeout: 20_000 },
        )
      ).data,
    enabled: () => mayAsk(id),
    refetchInterval: askEvery,
    refetchOnWindowFocus: true,
    retry: false,
    gcTime: 0,
  });
  useChannel(orderChannelName(id), { 'order.updated': () => void refetch() });

  useUnpaidOrderSync(data);
  const queries = useQueryClient();
  const isDecided = data !== undefined && !isAwaitingProvider(data);
  const status = error instanceof ApiError ? error.status : 0;
  // 403, 404: the visitor has no access, and is redirected to the order page's public view. 401: the sign-in has ended,
  // so the next call uses the stored order session, if there is one.
  const isRefused = [403, 404].includes(status) || (status === 401 && readStoredOrderSession(id) === null);
  const isOver = isDecided || isRefused || !mayAsk(id);
  const [isFromApp] = useState(() => isOfApp(id));
  useEffect(() => {
    if (!isOver || isFromApp) return;
    // The order's page begins with this answer, so that it does not wait for the same order again.
    if (data) queries.setQueryData<AnyOrder>(orderQueryKey(id), data);
    navigate(`/orders/${id}`, { replace: true });
  }, [isOver, isFromApp, id, data, queries]);
  const takesLong = useLater(timeout);
  if (isFromApp) return <LeadToApp id={id} />;
  return (
    <div className="mx-auto grid max-w-md flex-1 content-center justify-items-center gap-4 px-4 py-24 text-center">
      <svg
        viewBox="0 0 48 48"
        className="size-14 animate-spin text-accent-text motion-reduce:animate-none"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="5"
        strokeLinecap="round"
      >
        <circle cx="24" cy="24" r="19" opacity=".2" />
        <path d="M24 5a19 19 0 0 1 19 19" />
      </svg>
      <div role="status" className="grid gap-2">
        <h1 className="text-3xl">{takesLong ? m.ordering_callback_slow() : m.ordering_callback_checking()}</h1>
        <p className="text-ink-soft">{takesLong ? m.ordering_callback_slow_words() : m.ordering_callback_words()}</p>
      </div>
      <Link href={`/orders/${id}`} className="link inline-flex min-h-11 items-center">
        {m.ordering_callback_to_order()}
      </Link>
    </div>
  );
}

/** Leads a payer back to the app. This browser has no session for the order, so it cannot show the order. */
function LeadToApp({ id }: { id: string }) {
  return (
    <AccountPageLayout title={m.payment_back_title()} intro={<p role="status">{m.payment_back_words()}</p>}>
      <div className="grid gap-3">
        <BackToAppLink path={`orders/${id}/payment/callback`} />
        <Link href={`/orders/${id}`} className="btn btn-quiet">
          {m.ordering_callback_to_order()}
        </Link>
      </div>
    </AccountPageLayout>
  );
}

/** Whether the order was placed in the app, which opened this browser for the payment. */
function isOfApp(id: string): boolean {
  return readStoredOrderSession(id) === null && new URLSearchParams(location.search).get('from') === 'app';
}

/** Whether this browser has an order session or a sign-in; without either the call would be refused. */
function mayAsk(id: string): boolean {
  return readStoredOrderSession(id) !== null || readToken() !== null;
}

function useLater(milliseconds: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isLater;
}
