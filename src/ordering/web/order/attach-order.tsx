import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { useSession } from '#accounts/web/session.ts';
import { SocialSignInButtons } from '#accounts/web/provider-sign-in.tsx';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import type { Order } from '#ordering/order.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import {
  readStoredOrderSessions,
  readStoredOrderSession,
  orderSessionHeader,
} from '#ordering/web/order/stored-order-sessions.ts';
import { orderQueryKey } from '#ordering/web/order/use-order.ts';
import { api } from '#platform/web/api.ts';
import { Link } from '#platform/web/navigation.tsx';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

/**
 * Whether the visitor can put this order into an account: it was placed in this browser without one, no account has it,
 * and it was not called off.
 */
export function useCanAttachOrder(order: Order): boolean {
  const { user, role, initialized } = useSession();
  const isPlacedHere =
    readStoredOrderSession(order.id) !== null && order.placed_by === null && order.placed_at !== null;
  if (!initialized || order.has_account || !isPlacedHere || isCalledOff(order.status)) return false;
  return user === null || role === 'customer';
}

/** Offers to put an order into an account: the visitor's own, or a new one. */
export function AttachOrder({ order }: { order: Order }) {
  const { user } = useSession();
  return user === null ? <MakeAccount order={order} /> : <AddToAccount order={order} user={user} />;
}

function MakeAccount({ order }: { order: Order }) {
  const title = 'keep-order-title';
  // The path is stored, so that the sign-in leads back to this page, which then attaches the order to the account.
  const comeBack = () => {
    saveSignInReturnPath(`/orders/${order.id}`);
    wishToAttach(order.id);
  };
  return (
    <section aria-labelledby={title} className="card grid gap-4 p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 id={title} className="text-2xl">
          {m.ordering_keep_title()}
        </h2>
        <p className="text-ink-soft">{m.ordering_keep_words()}</p>
      </div>
      {pickByMailServer(order.contact.email, null) ? (
        <MailedLink order={order} />
      ) : (
        <Link href="/register" className="btn btn-primary" onClick={comeBack}>
          {m.accounts_register()}
        </Link>
      )}
      <SocialSignInButtons onLeave={comeBack} isAfterForm />
      <p>
        {m.accounts_have_account()}{' '}
        <Link href="/login" className="link inline-flex min-h-11 items-center" onClick={comeBack}>
          {m.accounts_sign_in()}
        </Link>
      </p>
    </section>
  );
}

/**
 * Mails a link to the order's email address. The account's password is chosen on the link's page, so that nobody can
 * create an account with another person's address.
 */
function MailedLink({ order }: { order: Order }) {
  const ask = useMutation({
    mutationFn: () =>
      api(
        'POST /v1/orders/{id}/account-link',
        { id: order.id, sessions: readStoredOrderSessions() },
        { headers: orderSessionHeader(order.id), timeout: 20_000 },
      ),
  });
  return (
    <div className="grid gap-2">
      {ask.data ? (
        <div role="status" tabIndex={-1} ref={takeFocus} className="rounded-box bg-good-soft p-4 outline-none">
          <p className="font-semibold">{m.accounts_forgot_sent()}</p>
          <p>{ask.data.message}</p>
        </div>
      ) : (
        <button type="button" className="btn btn-primary" aria-disabled={ask.isPending} onClick={() => ask.mutate()}>
          {m.ordering_keep_by_mail()}
        </button>
      )}
      {!ask.data && (
        <p className="text-sm wrap-anywhere text-ink-soft">
          {m.ordering_keep_by_mail_to({ email: order.contact.email })}
        </p>
      )}
      <Failure error={ask.error} />
    </div>
  );
}

function AddToAccount({ order, user }: { order: Order; user: User }) {
  const queries = useQueryClient();
  const [isWished] = useState(() => isOrderToBeAttached(order.id));
  const attach = useMutation({
    mutationFn: () => api('POST /v1/auth/user/orders', { sessions: readStoredOrderSessions() }, { timeout: 20_000 }),
    onSuccess: ({ data }) => {
      if (data.some(({ id }) => id === order.id)) notify({ text: m.ordering_keep_added() });
      void queries.invalidateQueries({ queryKey: ['orders'] });
      return queries.invalidateQueries({ queryKey: orderQueryKey(order.id) });
    },
  });
  const { mutate } = attach;
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isWished || isBegun.current) return;
    isBegun.current = true;
    forgetWish();
    mutate();
  }, [isWished, mutate]);
  if (attach.isPending && isWished) return <p role="status">{m.ordering_keep_adding()}</p>;
  return (
    <section aria-label={m.ordering_keep_add()} className="card grid gap-3 p-5 sm:p-6">
      <p>{m.ordering_keep_add_words({ email: user.email })}</p>
      <div>
        <button type="button" className="btn btn-primary" aria-disabled={attach.isPending} onClick={() => mutate()}>
          {m.ordering_keep_add()}
        </button>
      </div>
      <Failure error={attach.error} />
    </section>
  );
}

function Failure({ error }: { error: unknown }) {
  return (
    <p role="alert" className="font-semibold text-bad-text empty:hidden">
      {error ? formFailureOf(error).message : null}
    </p>
  );
}

/** Focuses the message, because the button that had the focus was removed. */
function takeFocus(words: HTMLElement | null): void {
  words?.focus({ preventScroll: true });
}

const key = 'attach_wish';

/** Records in this tab that the order is to be attached to the account that signs in next. */
function wishToAttach(orderId: string): void {
  sessionStorage.setItem(key, orderId);
}

export function isOrderToBeAttached(orderId: string): boolean {
  return sessionStorage.getItem(key) === orderId;
}

function forgetWish(): void {
  sessionStorage.removeItem(key);
}
