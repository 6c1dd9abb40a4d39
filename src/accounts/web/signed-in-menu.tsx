import { useEffect, useRef } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { signOut } from '#accounts/web/sign-in-and-out.ts';
import { Link, navigate } from '#platform/web/navigation.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { supportedLanguage } from '#platform/language.ts';
import { api } from '#platform/web/api.ts';

const row = 'flex min-h-11 w-full items-center rounded-chip px-3 text-left hover:bg-sunken';

/**
 * The menu of a signed-in person's pages. Links to the office load a new page, because the office is another bundle.
 */
export function SignedInMenu({ user }: { user: User }) {
  const { role } = user;
  const menu = useRef<HTMLDivElement>(null);
  useStoredLanguage();
  const close = () => menu.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        popoverTarget="account-menu"
        className="flex min-h-11 items-center gap-2 rounded-full px-3 font-semibold hover:bg-sunken"
        aria-label={m.accounts_menu({ name: user.name })}
      >
        <Icon name="user" />
        <span className="max-w-40 truncate max-sm:sr-only">{user.name.split(' ')[0]}</span>
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        className="inset-auto top-16 right-4 m-0 w-60 tight:left-4 tight:w-auto rounded-box border border-line bg-surface p-2 text-ink shadow-float"
      >
        <p className="px-3 py-2 text-sm text-ink-soft">{user.email}</p>
        {role === 'customer' && (
          <Link href="/customer/orders" className={row} onClick={close}>
            {m.accounts_my_orders()}
          </Link>
        )}
        {role === 'customer' && (
          <Link href="/customer/profile" className={row} onClick={close}>
            {m.accounts_profile()}
          </Link>
        )}
        {role === 'admin' && (
          <a href="/store/orders" className={row}>
            {m.accounts_store_orders()}
          </a>
        )}
        {(role === 'admin' || role === 'store_admin') && (
          <a href="/kitchen" className={row}>
            {m.accounts_order_board()}
          </a>
        )}
        <LeaveButton onLeave={close} />
      </div>
    </>
  );
}

function LeaveButton({ onLeave }: { onLeave: () => void }) {
  const leave = () => {
    onLeave();
    void signOut();
    navigate('/');
  };
  return (
    <button type="button" className={row} onClick={leave}>
      {m.accounts_sign_out()}
    </button>
  );
}

/**
 * When the person chooses a language on the page, saves it as the language of their mails too. The call is sent while
 * the page is left; if it fails, the profile shows the old language.
 */
function useStoredLanguage(): void {
  useEffect(() => {
    const keep = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[hreflang]') : null;
      const locale = supportedLanguage(link?.hreflang);
      if (locale) api('PATCH /v1/auth/user', { locale }, { timeout: 5000, keepalive: true }).catch(() => undefined);
    };
    document.addEventListener('click', keep);
    return () => document.removeEventListener('click', keep);
  }, []);
}
