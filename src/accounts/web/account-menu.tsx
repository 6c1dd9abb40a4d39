import { lazy, Suspense } from 'react';
import { m } from '#messages';
import { hasUserLookupFailed, useSession } from '#accounts/web/session.ts';
import { Link } from '#platform/web/navigation.tsx';
import { Icon } from '#ui/web/icon.tsx';

/**
 * The menu of a signed-in person. It is loaded lazily, because most visitors are not signed in. If loading fails, a
 * link to the account page is shown instead.
 */
const SignedInMenu = lazy(() =>
  import('#accounts/web/signed-in-menu.tsx').then(
    ({ SignedInMenu: Menu }) => ({ default: Menu }),
    () => ({ default: OwnPage }),
  ),
);

export function AccountMenu() {
  const session = useSession();
  const { user } = session;
  if (hasUserLookupFailed(session)) return <OwnPage />;
  if (!user) {
    return (
      <Link href="/login" className={look}>
        <Icon name="user" />
        <span className="max-sm:sr-only">{m.accounts_sign_in()}</span>
      </Link>
    );
  }
  return (
    <Suspense fallback={<OwnPage />}>
      <SignedInMenu user={user} />
    </Suspense>
  );
}

function OwnPage() {
  return (
    <Link href="/customer/profile" className={look} aria-label={m.accounts_profile()}>
      <Icon name="user" />
    </Link>
  );
}

const look = 'flex min-h-11 items-center gap-2 rounded-full px-3 font-semibold hover:bg-sunken';
