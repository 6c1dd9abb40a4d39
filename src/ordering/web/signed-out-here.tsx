import { m } from '#messages';
import { useSession, wasSignedOut } from '#accounts/web/session.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';

/** Rendered here, because everything that was requested in the person's name disappears when they are signed out. */
export function SignedOutHere({ isWhole: mayGoOn }: { isWhole: boolean }) {
  const { user, initialized } = useSession();
  const path = usePath();
  return (
    <p role="status" className="rounded-box bg-warn-soft px-4 py-2 font-medium empty:hidden">
      {initialized && user === null && wasSignedOut() && (
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
