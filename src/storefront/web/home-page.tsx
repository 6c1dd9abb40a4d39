import { m } from '#messages';
import { avoidedAllergenAnswers } from '#menu/allergen-conflicts.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { useOfferedPrices } from '#ordering/web/basket/use-offers.ts';
import { DishPrice } from '#ordering/web/menu/dish-price.tsx';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { DeliveryZone, FulfilmentType, Store } from '#store/contract.ts';
import { offeredFulfilments, canPlaceOrder, orderingWaysWords } from '#store/web/fulfilment.ts';
import { DirectionsLink, directionsUrl } from '#store/web/directions-link.tsx';
import { HoursTable } from '#store/web/hours-table.tsx';
import { OpenSign, PhoneLink } from '#store/web/shop-parts.tsx';
import { openSignStatusAt } from '#store/web/opening-status.ts';
import { useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { PostcodeCheck } from '#ordering/web/postcode-check.tsx';
import { pickShowcaseDishes } from '#storefront/showcase-dishes.ts';
import { useShop } from '#shop/web/shop.ts';
import { Link } from '#platform/web/navigation.tsx';
import { setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import { useSoonestTimeWords } from '#ordering/web/use-soonest-time.ts';
import { formatMoney } from '#platform/money.ts';
import { addressWords } from '#store/address-words.ts';
import { useEffect, useRef, useState } from 'react';
import { readPageData } from '#platform/web/page-data.ts';

export function HomePage() {
  const { store, menus } = useShop();
  const favourites = pickShowcaseDishes(menus, 8);
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
          <p className="max-w-md text-lg text-pretty">{promise || orderingWaysWords(store)}</p>
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

/** The text of the link to the menu. This text promises no more than the shop accepts now. */
function orderWords(store: Store, now: Date): string {
  if (!canPlaceOrder(store, now)) return m.menu_see();
  return openSignStatusAt(store, now).isTaking ? m.store_home_order() : m.store_home_order_ahead();
}

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
              isFirst={index < 3}
              // Slightly below the 15rem of phones, so that screens of up to 1.75 device pixels get the bitmap, not the SVG.
              sizes="(min-width: 46rem) 18rem, 14rem"
              className="aspect-[4/3] w-full rounded-pane shadow-float"
            />
          </span>
        ))}
      </div>
    </div>
  );
}

function Favourites({ store, dishes }: { store: Store; dishes: readonly Item[] }) {
  const avoided = useAvoidedAllergens();
  const offered = useOfferedPrices();
  return (
    // Below the screen the dishes skip layout, so that the first view does not wait for them. The heights are estimates.
    <section
      aria-labelledby="favourites"
      className="[content-visibility:auto] [contain-intrinsic-block-size:auto_64rem] [overflow-clip-margin:0.75rem] md:[contain-intrinsic-block-size:auto_40rem]"
    >
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
                  sizes="(min-width: 46rem) 20rem, (min-width: 20rem) 50vw, 100vw"
                  className="aspect-[4/3] w-full transition-transform duration-300 group-hover:scale-105"
                />
              </span>
              <span className="grid gap-0.5">
                <span className="display text-lg">{dish.name}</span>
                <span className="num text-ink-soft">
                  <DishPrice item={dish} currency={store.currency} offered={offered?.get(dish.id)} />
                </span>
                <ConflictMarks conflicts={avoidedAllergenAnswers(dish, avoided)} />
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

/** A request for a review. Everyone sees it, because law and Google forbid asking only pleased customers. */
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

/**
 * Collection and delivery side by side, each with its earliest time and its address or price, because the customer has
 * not chosen yet.
 */
function WaysToOrder({ store }: { store: Store }) {
  const soonest = useSoonestTimeWords();
  const offered = offeredFulfilments(store);
  const cheapest = store.delivery_zones.toSorted((a, b) => a.fee - b.fee)[0];
  return (
    <section aria-label={m.store_ways()} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:gap-6">
      {offered.includes('collection') && (
        <Way
          type="collection"
          title={m.store_collection()}
          time={soonest('collection')}
          detail={addressWords({ line1: store.address.line1, postcode: store.address.postcode })}
        />
      )}
      {offered.includes('delivery') && cheapest && (
        <Way
          type="delivery"
          title={m.store_delivery()}
          time={soonest('delivery')}
          detail={deliveryWords(cheapest, store.currency)}
        />
      )}
    </section>
  );
}

function deliveryWords(zone: DeliveryZone, currency: string): string {
  const fee = formatMoney(zone.fee, currency);
  if (zone.minimum_order === 0) {
    return zone.fee === 0 ? m.store_delivery_free_any() : m.store_delivery_from_any({ fee });
  }
  const minimum = formatMoney(zone.minimum_order, currency);
  return zone.fee === 0 ? m.store_delivery_free_from({ minimum }) : m.store_delivery_from({ fee, minimum });
}

function Way({ type, title, time, detail }: { type: FulfilmentType; title: string; time: string; detail: string }) {
  return (
    <Link
      href="/menu"
      onClick={() => setBasketFulfilment({ fulfilment_type: type })}
      className="card group flex flex-wrap items-center gap-4 p-5 transition-colors hover:border-accent-text lg:p-6"
    >
      <span className="grid size-14 shrink-0 place-items-center rounded-full bg-warm text-warm-ink">
        <Icon name={type} className="size-7" />
      </span>
      <span className="grid min-w-0 flex-[1_1_8rem] gap-0.5">
        <span className="display text-xl lg:text-2xl">{title}</span>
        <span className="num font-semibold first-letter:uppercase">{time}</span>
        <span className="num text-ink-soft">{detail}</span>
      </span>
      <Icon
        name="chevronRight"
        className="size-6 text-accent-text tight:hidden transition-transform group-hover:translate-x-1"
      />
    </Link>
  );
}

/**
 * The shop's confirmed location: a drawing that links to directions. If the owner has a map service, a map replaces the
 * drawing once it is near the screen.
 */
function PlaceCard({ store }: { store: Store }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isMap, setIsMap] = useState(false);
  const { latitude, longitude } = store.location;
  useEffect(() => {
    const element = frame.current;
    const { map: tiles } = readPageData().config;
    if (!element || !tiles) return;
    let remove = () => {};
    const show = async () => {
      const { showMap } = await import('#store/web/map.ts');
      if (!frame.current) return;
      setIsMap(true);
      const at = { latitude, longitude };
      remove = showMap(element, { at, tiles, label: m.store_home_map_at({ name: store.name }) }).remove;
    };
    const near = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        near.disconnect();
        void show().catch(() => setIsMap(false));
      },
      { rootMargin: '200px' },
    );
    near.observe(element);
    return () => {
      near.disconnect();
      remove();
    };
  }, [latitude, longitude, store.name]);
  return (
    <div className="relative isolate h-64 overflow-hidden rounded-pane border border-line bg-sunken">
      {!isMap && (
        <a
          href={directionsUrl(store) ?? undefined}
          target="_blank"
          rel="noreferrer"
          className="group absolute inset-0 grid"
        >
          <Streets />
          <span className="chip m-4 self-end justify-self-start bg-surface py-2 text-base text-ink shadow-lift group-hover:bg-ink group-hover:text-paper">
            <Icon name="pin" className="size-4" />
            {addressWords({ line1: store.address.line1, postcode: store.address.postcode })}
          </span>
        </a>
      )}
      <div ref={frame} className="absolute inset-0 -z-10" />
    </div>
  );
}

function Streets() {
  return (
    <svg
      viewBox="0 0 600 256"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 -z-10 size-full"
      aria-hidden="true"
    >
      <path d="M0 190Q90 160 150 256H0ZM430 0q20 70 170 60V0Z" className="fill-good-soft" />
      <g fill="none" strokeLinecap="round">
        <g className="stroke-line" strokeWidth="15">
          <path d="M-10 60 610 20M-10 150Q200 120 320 128T610 190M90-10 60 270M210-10l-20 280M330-10l-14 280M470-10q-30 150 40 280M200 215l330 30" />
        </g>
        <g className="stroke-surface" strokeWidth="10">
          <path d="M-10 60 610 20M-10 150Q200 120 320 128T610 190M90-10 60 270M210-10l-20 280M330-10l-14 280M470-10q-30 150 40 280M200 215l330 30" />
        </g>
      </g>
      <g transform="translate(300 66)">
        <ellipse cx="22" cy="64" rx="13" ry="4" opacity=".25" />
        <path d="M22 62S0 40 0 22a22 22 0 0 1 44 0c0 18-22 40-22 40Z" className="fill-accent" />
        <circle cx="22" cy="22" r="8" className="fill-accent-ink" />
      </g>
    </svg>
  );
}
