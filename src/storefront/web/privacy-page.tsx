import { m } from '#messages';
import { Link } from '#platform/web/navigation.tsx';
import { useStore } from '#shop/web/shop.ts';
import { LegalText } from '#storefront/web/legal-text.tsx';

/** The privacy notice, which puts articles 13 and 15 to 21 of the UK GDPR in plain words. */
export function PrivacyPage() {
  const store = useStore();
  const { keep_guest_days: days, keep_idle_account_months: months } = store;
  const contact = store.email || store.phone;
  const kept = days ? m.store_privacy_keep_guests({ days }) : m.store_privacy_keep_text();
  const idle = months && m.store_privacy_keep_idle({ months });
  const howLong = [kept, idle, m.store_privacy_keep_complaints()].filter(Boolean).join('\n');
  return (
    <LegalText
      store={store}
      title={m.store_privacy_title()}
      intro={m.store_privacy_intro({ name: store.legal_name || store.name })}
      parts={[
        [m.store_privacy_what(), m.store_privacy_what_text()],
        [m.store_privacy_why(), m.store_privacy_why_text()],
        [m.store_privacy_allergy(), m.store_privacy_allergy_text()],
        [m.store_privacy_who(), m.store_privacy_who_text()],
        [m.store_privacy_keep(), howLong],
        [m.store_privacy_cookies(), m.store_privacy_cookies_text()],
        [m.store_privacy_rights(), m.store_privacy_rights_text({ contact })],
      ]}
    >
      <p>
        <Link href="/complaint" className="link inline-flex min-h-11 items-center">
          {m.complaints_link()}
        </Link>
      </p>
    </LegalText>
  );
}
