import { useState } from 'react';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { noPushExplanationWords } from '#ordering/web/order/use-order.ts';
import type { useOrderPush } from '#ordering/web/order/use-order-push.ts';
import { Icon } from '#ui/web/icon.tsx';

/**
 * Offers to turn on notifications of an order on this device. They also arrive while the page is closed. The browser
 * asks for permission only after the customer taps the button.
 */
export function OrderPush({
  order,
  push,
  isBusy,
  failure,
  turnOn,
  turnOff,
}: ReturnType<typeof useOrderPush> & { order: Order }) {
  const [all, setAll] = useState(false);
  if (push.kind === 'unknown') return null;
  return (
    <section aria-labelledby="push-title" className="card grid gap-4 p-5 sm:p-6" data-push={push.kind}>
      <div className="grid gap-1">
        <h2 id="push-title" className="flex items-center gap-2 text-xl">
          <Icon name="bell" />
          {titles[push.kind]()}
        </h2>
        <p>{explanations[push.kind]()}</p>
        {(push.kind === 'needs_home_screen' || push.kind === 'unable' || push.kind === 'refused') && (
          <p>{noPushExplanationWords(order)}</p>
        )}
      </div>
      {push.kind === 'off' && (
        <>
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              checked={all}
              onChange={(event) => setAll(event.target.checked)}
              className="size-6 shrink-0 accent-accent-edge"
            />
            <span>{m.ordering_push_all()}</span>
          </label>
          <div>
            <button type="button" className="btn btn-primary" aria-disabled={isBusy} onClick={() => void turnOn(all)}>
              {isBusy ? m.ordering_push_turning_on() : m.ordering_push_turn_on()}
            </button>
          </div>
        </>
      )}
      {push.kind === 'on' && (
        <div>
          <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={() => void turnOff()}>
            {m.ordering_push_turn_off()}
          </button>
        </div>
      )}
      <p role="alert" className="font-semibold text-bad-text empty:hidden">
        {failure}
      </p>
    </section>
  );
}

const titles = {
  off: m.ordering_push_offer_title,
  on: m.ordering_push_on_title,
  refused: m.ordering_push_blocked_title,
  needs_home_screen: m.ordering_push_blocked_title,
  unable: m.ordering_push_blocked_title,
};
const explanations = {
  off: m.ordering_push_offer,
  on: m.ordering_push_on,
  refused: m.ordering_push_refused_here,
  needs_home_screen: m.ordering_push_home_screen,
  unable: m.ordering_push_unable,
};
