import { m } from '#messages';
import { hasLines, useSettledPart } from '#ordering/web/basket-store.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';
import { LanguageSwitch } from '#storefront/web/language-switch.tsx';
import { useStoreIfLoaded } from '#shop/web/shop.ts';

/** Who the customer deals with: the law wants the business's name and address where people order. */
export function Footer() {
  const store = useStoreIfLoaded();
  // The basket's bar lies over the end of the menu.
  const isMenu = usePath() === '/menu';
  const hasBar = useSettledPart(hasLines) && isMenu;
  if (!store) return null;
  const place = [store.address.line1, store.address.line2, store.address.city, store.address.postcode]
    .filter(Boolean)
    .join(', ');
  const links = [
    ['/menu', m.menu_title()],
    ['/allergens', m.store_allergens_title()],
    ['/terms', m.store_terms_title()],
    ['/privacy', m.store_privacy_title()],
    ['/complaint', m.complaints_title()],
    ['/app', m.app_release_page_title()],
  ] as const;
  const contacts = [
    [`tel:${store.phone.replaceAll(' ', '')}`, store.phone],
    [`mailto:${store.email}`, store.email],
  ].filter(([, words]) => words);
  return (
    <footer className={`border-t border-line bg-sunken ${hasBar ? 'pb-28 lg:pb-0' : ''}`}>
      <div className="mx-auto grid max-w-page gap-x-6 gap-y-4 px-4 py-8 text-sm sm:grid-cols-[1fr_auto] lg:px-8">
        <div className="grid content-start gap-1">
          <p className="display text-lg">{store.name}</p>
          {store.legal_name && store.legal_name !== store.name && <p>{m.store_run_by({ name: store.legal_name })}</p>}
          {place && <p>{place}</p>}
          {store.company_number && <p>{m.store_company_number({ number: store.company_number })}</p>}
          {store.vat_number && <p>{m.store_vat_number({ number: store.vat_number })}</p>}
          <p className="num flex flex-wrap gap-x-6">
            {contacts.map(([href, words]) => (
              <a key={href} href={href} className={linkLook}>
                {words}
              </a>
            ))}
          </p>
        </div>
        <nav aria-label={m.storefront_footer_navigation()} className="flex flex-wrap content-start gap-x-6">
          {links.map(([href, words]) => (
            <Link key={href} href={href} className={linkLook}>
              {words}
            </Link>
          ))}
        </nav>
        <LanguageSwitch />
      </div>
    </footer>
  );
}

const linkLook = 'link inline-flex min-h-11 items-center';
