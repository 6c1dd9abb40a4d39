import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { AccountForm, AccountPageLayout } from '#accounts/web/account-form.tsx';
import { useMailedToken } from '#accounts/web/mailed-token.ts';
import { NewPasswordField } from '#accounts/web/account-fields.tsx';
import { useSession } from '#accounts/web/session.ts';
import { deviceHeaders, completeSignIn } from '#accounts/web/sign-in-and-out.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import type { AccountLink } from '#ordering/contract.ts';
import { formatMoney } from '#platform/money.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link, navigate } from '#platform/web/navigation.tsx';
import { formFailureOf, formFieldText } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';

export function AccountLinkPage() {
  const token = useMailedToken();
  const [isUseless, setUseless] = useState(token === '');
  const [isAdded, setAdded] = useState(false);
  const link = useQuery({
    queryKey: ['account-link', token],
    queryFn: async ({ signal }) =>
      (await api('POST /v1/account-links/read', { token }, { signal, timeout: 20_000 })).data,
    enabled: token !== '' && !isAdded,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (isAdded) return <Added />;
  if (isUseless || isRefused(link.error)) return <Useless />;
  if (link.error) return <LoadFailure error={link.error} onRetry={() => void link.refetch()} />;
  if (!link.data) return <LoadingSkeleton />;

  const use = async (password?: string): Promise<void> => {
    try {
      const body = { token, ...(password !== undefined && { password }) };
      const { data } = await api('POST /v1/account-links/use', body, {
        timeout: 20_000,
        headers: deviceHeaders(),
      });
      history.replaceState(null, '', location.pathname);
      if (!data.signed_in) return setAdded(true);
      await completeSignIn(data.signed_in);
      navigate('/customer/orders', { replace: true });
      notify({ text: m.ordering_keep_added() });
    } catch (error) {
      if (!isRefused(error)) throw error;
      setUseless(true);
    }
  };
  return link.data.has_account ? (
    <AddThem link={link.data} onAdd={() => use()} />
  ) : (
    <ChoosePassword link={link.data} onChoose={use} />
  );
}

function ChoosePassword({ link, onChoose }: { link: AccountLink; onChoose: (password: string) => Promise<void> }) {
  return (
    <AccountPageLayout title={m.ordering_link_title()} intro={<p>{m.ordering_link_choose()}</p>}>
      <Orders link={link} />
      <AccountForm
        submitLabel={m.ordering_link_submit()}
        onSubmit={(form) => onChoose(formFieldText(form, 'password'))}
      >
        {(errors) => (
          <>
            {/* Password managers store this address as the user name. */}
            <p>
              <span className="font-semibold">{m.accounts_email()}</span>
              <br />
              <span className="wrap-anywhere">{link.email}</span>
            </p>
            <input type="text" autoComplete="username" value={link.email} readOnly hidden />
            <NewPasswordField name="password" errors={errors['password']} />
          </>
        )}
      </AccountForm>
    </AccountPageLayout>
  );
}

function AddThem({ link, onAdd }: { link: AccountLink; onAdd: () => Promise<void> }) {
  return (
    <AccountPageLayout title={m.ordering_link_title()} intro={<p>{m.ordering_link_known({ email: link.email })}</p>}>
      <Orders link={link} />
      <AccountForm submitLabel={m.ordering_keep_add()} onSubmit={onAdd}>
        {() => null}
      </AccountForm>
    </AccountPageLayout>
  );
}

function Orders({ link: { orders } }: { link: AccountLink }) {
  return (
    <ul className="mb-6 grid gap-1">
      {orders.map(({ id, number, total, currency }) => (
        <li key={id} className="num flex justify-between gap-4 border-b border-line py-2">
          <span>{m.ordering_order_number({ number })}</span>
          <span>{formatMoney(total, currency)}</span>
        </li>
      ))}
    </ul>
  );
}

function Added() {
  const { user } = useSession();
  return (
    <AccountPageLayout
      title={m.ordering_keep_added()}
      intro={!user && <p role="status">{m.ordering_link_sign_in()}</p>}
    >
      <Link
        href={user ? '/customer/orders' : '/login'}
        className="btn btn-primary min-h-13 w-full text-lg"
        onClick={() => !user && saveSignInReturnPath('/customer/orders')}
      >
        {user ? m.accounts_my_orders() : m.accounts_sign_in()}
      </Link>
    </AccountPageLayout>
  );
}

function Useless() {
  return (
    <AccountPageLayout title={m.accounts_link_useless()} intro={<p role="alert">{m.ordering_link_refused()}</p>}>
      <div className="flex flex-wrap gap-3">
        <Link href="/login" className="btn btn-primary" onClick={() => saveSignInReturnPath('/customer/orders')}>
          {m.accounts_sign_in()}
        </Link>
        <Link href="/menu" className="btn btn-quiet">
          {m.menu_see()}
        </Link>
      </div>
    </AccountPageLayout>
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && formFailureOf(error).errors['token'] !== undefined;
}
