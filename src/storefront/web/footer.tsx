import { m } from '#messages';
import { useShopIfLoaded } from '#storefront/web/shop.ts';
import { useBasket } from '#ordering/web/basket-store.ts';
import { LanguageSwitch } from '#storefront/web/language-switch.tsx';
import { Link, usePath } from '#platform/web/navigation.tsx';

/** Who the customer deals with: the law wants the business's name and address where people order. */
export function Footer() {
  const shop = useShopIfLoaded();
  // The basket's bar lies over the end of the menu.
  const isMenu = usePath() === '/menu';
  const hasBar = useBasket().lines.length > 0 && isMenu;
  if (!shop) return null;
  const { store } = shop;
  const place = [store.address.line1, store.address.line2, store.address.city, store.address.postcode]
    .filter(Boolean)
    .join(', ');
  return (
    <footer className={`border-t border-line bg-sunken ${hasBar ? 'pb-28 lg:pb-0' : ''}`}>
      <div className="mx-auto grid max-w-page gap-6 px-4 py-8 text-sm sm:grid-cols-[1fr_auto] lg:px-8">
        <div className="grid gap-1">
          <p className="display text-lg">{store.name}</p>
          {store.legal_name && store.legal_name !== store.name && <p>{m.store_run_by({ name: store.legal_name })}</p>}
          {place && <p>{place}</p>}
          {store.vat_number && <p>{m.store_vat_number({ number: store.vat_number })}</p>}
        </div>
        <ul className="flex flex-wrap items-start gap-x-6 gap-y-1">
          <li>
            <Link href="/menu" className="link inline-flex min-h-11 items-center">
              {m.platform_menu()}
            </Link>
          </li>
          {store.phone && (
            <li>
              <a href={`tel:${store.phone.replaceAll(' ', '')}`} className="link num inline-flex min-h-11 items-center">
                {store.phone}
              </a>
            </li>
          )}
          {store.email && (
            <li>
              <a href={`mailto:${store.email}`} className="link inline-flex min-h-11 items-center">
                {store.email}
              </a>
            </li>
          )}
        </ul>
        <LanguageSwitch />
      </div>
    </footer>
  );
}
