import { createElement, memo, type ReactNode, Suspense, useRef, useState } from 'react';
import { m } from '#messages';
import { everyOrderFeesWords } from '#ordering/fee-words.ts';
import { useBasketPart } from '#ordering/web/basket/basket-store.ts';
import { FulfilmentSwitch } from '#ordering/web/basket/fulfilment-switch.tsx';
import { AllergensButton } from '#ordering/web/menu/allergens-button.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { findZone } from '#store/delivery-zones.ts';
import { parsePostcode } from '#store/postcodes.ts';
import { chosenFulfilment } from '#store/web/fulfilment.ts';
import { ClosedBanner, OpenSign } from '#store/web/shop-parts.tsx';
import { lazyPart } from '#ui/web/lazy-part.ts';

export const MenuHead = memo(function MenuHead({ store }: { store: Store }) {
  const fees = everyOrderFeesWords(store);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-4xl font-extrabold lg:text-5xl">{m.menu_title()}</h1>
        <OpenSign store={store} onlyOpen />
      </div>
      <FulfilmentSwitch store={store} />
      <ClosedBanner store={store} />
      {fees && <p className="num w-full text-ink-soft">{fees}</p>}
      <div className="-my-4 flex w-full flex-wrap items-center gap-x-6 needs-script lg:order-last lg:my-0 lg:w-auto">
        <DeliveryTerms store={store}>
          <AllergensButton look="link shrink-0" />
        </DeliveryTerms>
      </div>
    </>
  );
});

const postcodeCheck = lazyPart(
  async () => (await import('#ordering/web/postcode-check.tsx')).PostcodeCheck,
  () => (
    <p role="status" className="text-sm">
      {m.platform_offline()}
    </p>
  ),
);

/**
 * The terms of a delivery to the basket's postcode; until there is a postcode, the question for it. The height and, on
 * wide screens, the width never depend on the text, so that the dishes below do not shift when the stored postcode is
 * known.
 */
function DeliveryTerms({ store, children }: { store: Store; children: ReactNode }) {
  const fulfilment_type = useBasketPart((held) => held.fulfilment_type);
  const postcode = useBasketPart((held) => held.postcode);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The button takes the focus from the field before it closes, and a screen reader then reads the terms.
  const close = () => {
    button.current?.focus();
    setOpen(false);
  };
  if (chosenFulfilment(store, { fulfilment_type }) !== 'delivery') {
    // A field that opened again by itself would take the focus.
    if (isOpen) setOpen(false);
    return (
      <>
        <span className="flex-1" />
        {children}
      </>
    );
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="link num min-h-11 flex-[1_1_8rem] text-left text-sm leading-tight max-[24rem]:min-h-14 lg:w-60 lg:flex-none"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {deliveryTermsWords(store, postcode) ?? m.ordering_zone_ask()}
      </button>
      {children}
      {isOpen && <LazyPostcodeCheck store={store} onDelivered={close} />}
    </>
  );
}

function LazyPostcodeCheck(props: { store: Store; onDelivered: () => void }) {
  return (
    <div className="w-full pb-2">
      <Suspense fallback={<div className="skeleton h-28" />}>{createElement(postcodeCheck(), props)}</Suspense>
    </div>
  );
}

/** The fee and the minimum order of a delivery to a postcode, in words; null without a whole postcode. */
function deliveryTermsWords({ delivery_zones: zones, currency }: Store, postcode: string): string | null {
  const parsed = parsePostcode(postcode);
  if (!parsed) return null;
  const zone = findZone(zones, parsed);
  if (!zone) return m.ordering_outside_zones({ outward: parsed.outward });
  const { fee, free_over: freeOver } = zone;
  const words = {
    postcode: `${parsed.outward} ${parsed.inward}`,
    fee:
      fee === 0
        ? m.store_delivery_free()
        : freeOver === null
          ? formatMoney(fee, currency)
          : m.ordering_zone_fee_until({ fee: formatMoney(fee, currency), free: formatMoney(freeOver, currency) }),
  };
  if (zone.minimum_order === 0) return m.ordering_zone_terms_any(words);
  return m.ordering_zone_terms({ ...words, minimum: formatMoney(zone.minimum_order, currency) });
}
