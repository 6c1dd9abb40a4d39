import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { backupsQuery } from '#backup/web/backups-query.ts';
import { m } from '#messages';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { nextOrderTimeWords, nextTasks, shopUrlsForPhones } from '#office/web/guided-set-up/after-live.ts';
import { focusTitle } from '#office/web/guided-set-up/step-frame.tsx';
import { useOnboarding } from '#office/web/guided-set-up/steps.ts';
import { shopNow } from '#platform/web/clock.ts';
import { readPageData } from '#platform/web/page-data.ts';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { QrCode } from '#ui/web/qr-code.tsx';

/** The end of the set-up, with the shop's addresses and recommended next tasks. */
export function ShopIsLive() {
  const { draft, onboarding } = useOnboarding();
  // Until the response comes, the page assumes a second backup location, so that it does not recommend a finished task.
  const hasSecondPlace = useQuery(backupsQuery).data?.data.has_second_place ?? true;
  const { addresses, reach } = shopUrlsForPhones(
    readPageData().config.publicUrl,
    location.origin,
    onboarding.local_addresses,
  );
  const [first] = addresses;
  const tasks = nextTasks(onboarding, draft.store, hasSecondPlace);
  return (
    <section className={classes.step} aria-labelledby="live">
      <header>
        <h2 id="live" ref={focusTitle} tabIndex={-1}>
          {m.office_setup_is_live({ name: draft.store.name })}
        </h2>
        <p>
          <strong>{nextOrderTimeWords(draft.store, onboarding.has_customer_order, new Date(shopNow()))}</strong>{' '}
          {m.office_setup_is_live_now()}
        </p>
      </header>
      {first === undefined ? (
        <p>
          {m.office_setup_no_network()} <a href="/">{m.office_to_storefront()}</a>
        </p>
      ) : (
        <div className={classes.code}>
          <QrCode text={`${first}/`} label={m.office_setup_qr({ address: `${first}/` })} />
          <div>
            <h3>{reach === 'local' ? m.office_setup_address_local() : m.office_setup_address()}</h3>
            {addresses.map((address) => (
              <p key={address}>
                <a href={`${address}/`}>{`${address}/`}</a>
              </p>
            ))}
            <p>{m.office_setup_scan()}</p>
            {reach === 'local' && <p>{m.office_setup_plain_http()}</p>}
            {reach === 'http' && <p>{m.office_setup_plain_internet()}</p>}
          </div>
        </div>
      )}
      {reach === 'https' && first !== undefined ? (
        <>
          <h3>{m.office_setup_links()}</h3>
          <CopyField label={m.office_setup_link_google()} value={`${first}/menu`} />
          <CopyField label={m.office_setup_link_instagram()} value={`${first}/`} />
          <CopyField label={m.office_setup_link_facebook()} value={`${first}/menu`} />
        </>
      ) : (
        <Alert color="warm" variant="light" title={m.office_setup_internet()}>
          <p>{reach === 'http' ? m.office_setup_internet_name() : m.office_setup_internet_needs()}</p>
          <p>{m.office_setup_internet_links()}</p>
        </Alert>
      )}
      {tasks.length > 0 && <h3>{m.office_setup_next()}</h3>}
      <ul className={classes.plain}>
        {tasks.map(({ path, words, minutes }) => (
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
