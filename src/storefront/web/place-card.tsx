import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/icon.tsx';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';
import { directionsTo } from '#store/directions.ts';
import { readPageData } from '#platform/web/page-data.ts';

/**
 * Where the shop is, once that is confirmed. A drawing that leads to directions; where the owner has chosen whose maps to show, a map takes its
 * place as it comes near, and its code with it.
 */
export function PlaceCard({ store }: { store: Store }) {
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
          href={directionsTo(store) ?? undefined}
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

/** Streets of no town in particular, and a pin. */
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
