import { m } from '#messages';
import { dishConflicts } from '#menu/allergen-conflicts.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import { ConflictMarks } from '#menu/web/conflict-marks.tsx';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';
import { takesOrders, waysPromise } from '#store/web/fulfilment.ts';
import { DirectionsLink } from '#store/web/directions-link.tsx';
import { HoursTable } from '#store/web/hours-table.tsx';
import { PhoneLink } from '#store/web/phone-link.tsx';
import { OpenSign } from '#store/web/open-sign.tsx';
import { signOf } from '#store/web/sign-of.ts';
import { useAvoided } from '#ordering/web/avoided.ts';
import { PostcodeCheck } from '#ordering/web/postcode-check.tsx';
import { pickFavourites } from '#storefront/favourites.ts';
import { PlaceCard } from '#storefront/web/place-card.tsx';
import { useShop } from '#shop/web/shop.ts';
import { WaysToOrder } from '#storefront/web/ways-to-order.tsx';
import { Link } from '#platform/web/navigation.tsx';

export function HomePage() {
  const { store, menus } = useShop();
  const favourites = pickFavourites(menus, 8);
  return (
    <>
      <Hero store={store} promise={menus[0]?.description ?? ''} dishes={favourites} />
      <div className="mx-auto grid w-full max-w-page grid-cols-1 gap-14 px-4 py-12 lg:gap-20 lg:px-8 lg:py-20">
        <WaysToOrder store={store} />
        {favourites.length > 0 && <Favourites store={store} dishes={favourites} />}
        <Visit store={store} />
      </div>
    </>
  );
}

function Hero({ store, promise, dishes }: { store: Store; promise: string; dishes: readonly Item[] }) {
  const now = useNow();
  return (
    <section className="overflow-hidden bg-hero text-hero-ink">
      <div className="mx-auto grid max-w-page items-center gap-8 px-4 pt-8 pb-0 md:grid-cols-[1.1fr_1fr] md:py-0 lg:px-8">
        <div className="grid justify-items-start gap-5 md:py-16 lg:py-24">
          <OpenSign store={store} />
          <h1 className="text-[min(clamp(2.75rem,9vw,6rem),17vw)] leading-[0.92] font-extrabold tracking-tight">
            {store.name}
          </h1>
          <p className="max-w-md text-lg text-pretty">{promise || waysPromise(store)}</p>
          <Link
            href="/menu"
            className="btn min-h-13 bg-hero-ink px-7 text-lg text-hero hover:opacity-90 focus-visible:outline-hero-ink"
          >
            {orderWords(store, now)}
            <Icon name="chevronRight" />
          </Link>
        </div>
        {store.cover ? <Cover src={store.cover} /> : <Table dishes={dishes} />}
      </div>
    </section>
  );
}

/** What the way to the menu promises: never more than the shop takes. */
function orderWords(store: Store, now: Date): string {
  if (!takesOrders(store, now)) return m.menu_see();
  return signOf(store, now).isTaking ? m.store_home_order() : m.store_home_order_ahead();
}

/** The owner's own picture. */
function Cover({ src }: { src: string }) {
  return (
    <img
      src={src}
      alt=""
      fetchPriority="high"
      className="aspect-[4/3] w-full rounded-t-pane object-cover md:my-10 md:rounded-pane"
    />
  );
}

/** A laid table, seen from above and cut off by the edges. */
function Table({ dishes }: { dishes: readonly Item[] }) {
  const shown = dishes.slice(0, 6);
  if (shown.length < 4) return null;
  return (
    <div aria-hidden="true" className="relative -mx-4 h-56 sm:h-72 md:mx-0 md:h-full md:min-h-[30rem]">
      <div className="absolute top-0 left-1/2 grid w-[46rem] -translate-x-1/2 -rotate-6 grid-cols-3 gap-3 md:top-1/2 md:left-0 md:w-[54rem] md:translate-x-0 md:-translate-y-1/2">
        {shown.map((dish, index) => (
          <span key={dish.id} className="odd:translate-y-6">
            <DishPicture
              src={dish.image}
              isFirst={index < 6}
              sizes="(min-width: 40rem) 18rem, 50vw"
              className="aspect-[4/3] w-full rounded-pane shadow-float"
            />
          </span>
        ))}
      </div>
    </div>
  );
}

function Favourites({ store, dishes }: { store: Store; dishes: readonly Item[] }) {
  const avoided = useAvoided();
  return (
    <section aria-labelledby="favourites">
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <h2 id="favourites" className="text-3xl lg:text-4xl">
          {m.store_home_favourites()}
        </h2>
        <Link href="/menu" className="link inline-flex min-h-11 items-center gap-1">
          {m.storefront_whole_menu()}
          <Icon name="chevronRight" className="size-4" />
        </Link>
      </div>
      <ul className="grid grid-cols-2 tight:grid-cols-1 gap-x-4 gap-y-7 md:grid-cols-4 lg:gap-x-6">
        {dishes.map((dish) => (
          <li key={dish.id}>
            <Link href={`/menu?item=${dish.id}`} className="group grid gap-3 rounded-box">
              <span className="overflow-hidden rounded-box">
                <DishPicture
                  src={dish.image}
                  sizes="(min-width: 40rem) 20rem, 100vw"
                  className="aspect-[4/3] w-full transition-transform duration-300 group-hover:scale-105"
                />
              </span>
              <span className="grid gap-0.5">
                <span className="display text-lg">{dish.name}</span>
                <span className="num text-ink-soft">{startingPriceWords(dish, store.currency)}</span>
                <ConflictMarks conflicts={dishConflicts(dish, avoided)} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Visit({ store }: { store: Store }) {
  const { address } = store;
  const lines = [address.line1, address.line2, address.city, address.postcode].filter(Boolean);
  return (
    <section
      aria-labelledby="visit"
      className="grid grid-cols-1 gap-8 md:grid-cols-[1fr_1.2fr] lg:grid-cols-2 lg:gap-16"
    >
      <div className="grid grid-cols-1 content-start gap-5">
        <h2 id="visit" className="text-3xl lg:text-4xl">
          {m.store_home_find_us()}
        </h2>
        <address className="text-lg not-italic">
          {lines.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
        <div className="flex flex-wrap gap-3">
          <DirectionsLink store={store} />
          <PhoneLink store={store} />
        </div>
        {store.location_confirmed && <PlaceCard store={store} />}
      </div>
      <div className="grid grid-cols-1 content-start gap-6">
        <div className="card grid grid-cols-1 content-start gap-4 p-5 lg:p-6">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="text-2xl">{m.store_home_hours()}</h2>
            <OpenSign store={store} />
          </div>
          <HoursTable store={store} />
        </div>
        {store.delivery_enabled && store.delivery_zones.length > 0 && <PostcodeCheck store={store} />}
        {store.google_review_url && <Review url={store.google_review_url} />}
      </div>
    </section>
  );
}

/** Shown to everyone alike: asking only those who are pleased is forbidden by the law and by Google. */
function Review({ url }: { url: string }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p>{m.store_home_review_words()}</p>
      <a href={url} className="link inline-flex min-h-11 items-center gap-1" target="_blank" rel="noreferrer">
        {m.store_home_review()}
        <Icon name="chevronRight" className="size-4" />
      </a>
    </div>
  );
}
