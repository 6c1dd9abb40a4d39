import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import { useStore } from '#shop/web/shop.ts';
import { LegalText } from '#storefront/web/legal-text.tsx';

export function TermsPage() {
  const store = useStore();
  const contact = store.phone || store.email;
  const cash =
    store.cash_max === null ? '' : ` ${m.store_terms_cash({ amount: formatMoney(store.cash_max, store.currency) })}`;
  const delivery = store.delivery_enabled ? m.store_terms_delivery_text() : m.store_terms_collection_text();
  return (
    <LegalText
      store={store}
      title={m.store_terms_title()}
      intro={m.store_terms_intro({ name: store.legal_name || store.name })}
      parts={[
        [m.store_terms_order(), m.store_terms_order_text({ minutes: store.answer_minutes })],
        [m.store_terms_price(), m.store_terms_price_text() + cash],
        [m.store_terms_delivery(), delivery],
        [m.store_terms_change(), m.store_terms_change_text()],
        [m.store_terms_wrong(), m.store_terms_wrong_text({ contact })],
        [m.store_terms_allergens(), m.store_terms_allergens_text()],
        [m.store_terms_age(), m.store_terms_age_text()],
        [m.store_terms_law(), m.store_terms_law_text()],
      ]}
    />
  );
}
