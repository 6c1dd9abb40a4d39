import { Alert, Button } from '@mantine/core';
import { Link } from 'wouter';
import { m } from '#messages';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { focusTitle } from '#office/web/guided-set-up/step-frame.tsx';
import { useOnboarding } from '#office/web/guided-set-up/steps.ts';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { isReachableByOthers, shopAddress } from '#platform/web/shop-address.ts';
import type { StaffStore } from '#store/contract.ts';
import { openStateAt } from '#store/opening-hours.ts';
import { findEarliest } from '#store/slot-rules.ts';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { QrCode } from '#ui/web/qr-code.tsx';

/** The end of the set-up: the shop's addresses, and recommended next tasks. */
export function ShopIsLive() {
  const { draft, onboarding } = useOnboarding();
  const isPublic = isReachableByOthers(shopAddress());
  const addresses = isPublic ? [`${shopAddress()}/`] : localShopAddresses(onboarding.local_addresses);
  const [first] = addresses;
  return (
    <section className={classes.step} aria-labelledby="live">
      <header>
        <h2 id="live" ref={focusTitle} tabIndex={-1}>
          {m.office_setup_is_live({ name: draft.store.name })}
        </h2>
        <p>
          <strong>{firstOrderWords(draft.store, new Date(shopNow()))}</strong> {m.office_setup_is_live_now()}
        </p>
      </header>
      {first === undefined ? (
        <p>
          {m.office_setup_no_network()} <a href="/">{m.office_to_storefront()}</a>
        </p>
      ) : (
        <div className={classes.code}>
          <QrCode text={first} label={m.office_setup_qr({ address: first })} />
          <div>
            <h3>{isPublic ? m.office_setup_address() : m.office_setup_address_local()}</h3>
            {addresses.map((address) => (
              <p key={address}>
                <a href={address}>{address}</a>
              </p>
            ))}
            <p>{m.office_setup_scan()}</p>
            {!isPublic && <p>{m.office_setup_plain_http()}</p>}
          </div>
        </div>
      )}
      {isPublic ? (
        <>
          <h3>{m.office_setup_links()}</h3>
          <CopyField label={m.office_setup_link_google()} value={`${shopAddress()}/menu`} />
          <CopyField label={m.office_setup_link_instagram()} value={`${shopAddress()}/`} />
          <CopyField label={m.office_setup_link_facebook()} value={`${shopAddress()}/menu`} />
        </>
      ) : (
        <Alert color="warm" variant="light" title={m.office_setup_internet()}>
          <p>{m.office_setup_internet_needs()}</p>
          <p>{m.office_setup_internet_links()}</p>
        </Alert>
      )}
      <h3>{m.office_setup_next()}</h3>
      <ul className={classes.plain}>
        {nextThings(onboarding, draft.store.card_provider !== null).map(({ path, words, minutes }) => (
          <li key={path}>
            <Link href={path}>{words}</Link> · {m.office_setup_about({ minutes })}
          </li>
        ))}
      </ul>
      <Button component={Link} href="/store/orders" mt="md" className={classes.start}>
        {m.office_setup_test_board()}
      </Button>
    </section>
  );
}

/** When the first order can come, in words. */
function firstOrderWords(store: StaffStore, now: Date): string {
  const { is_open: isOpen, opens_at: opensAt } = openStateAt(store, now);
  if (isOpen) return m.office_setup_first_order_now();
  if (opensAt === null) return m.office_setup_first_order_never();
  const when = openingWords(opensAt, now, store.timezone);
  const ways = (['collection', 'delivery'] as const).filter((way) => store[`${way}_enabled`]);
  return ways.some((way) => findEarliest(store, way, now) !== null)
    ? m.office_setup_first_order_ahead({ when })
    : m.office_setup_first_order_at({ when });
}

function openingWords(opensAt: string, now: Date, zone: string): string {
  const [day, time] = [dayWords(opensAt, now, zone), timeWords(opensAt, zone)];
  return m.office_setup_opens({ day, time });
}

function nextThings(
  { steps, sends_mail: sendsMail, has_second_factor: hasFactor }: ReturnType<typeof useOnboarding>['onboarding'],
  hasCards: boolean,
): { path: string; words: string; minutes: number }[] {
  const isOpen = (step: string): boolean => steps.some(({ name, state }) => name === step && state !== 'done');
  return [
    ...(hasCards ? [] : [{ path: '/admin/payments/setup', words: m.office_setup_next_cards(), minutes: 10 }]),
    ...(isOpen('paper') ? [{ path: '/admin/printers', words: m.office_setup_paper_printer(), minutes: 5 }] : []),
    ...(sendsMail ? [] : [{ path: '/admin/mail', words: m.office_setup_next_mail(), minutes: 10 }]),
    ...(hasFactor ? [] : [{ path: '/kitchen/my-sign-in', words: m.office_setup_next_factor(), minutes: 2 }]),
    { path: '/store/manage?section=look', words: m.office_setup_next_look(), minutes: 3 },
    { path: '/admin/backups', words: m.office_setup_next_backups(), minutes: 5 },
  ];
}

/** The shop's addresses in the local network: the page's own, unless it is open on the shop's computer itself. */
function localShopAddresses(local: readonly string[]): string[] {
  const { protocol, hostname, port, origin } = location;
  if (!/^(localhost|127\.)|\[::1\]/.test(hostname)) return [`${origin}/`];
  return local.map((address) => `${protocol}//${address}${port && `:${port}`}/`);
}
