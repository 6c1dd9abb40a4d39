import { m } from '#messages';
import { isCalledOff, isUnpaid } from '#ordering/order-status.ts';
import { trackerSteps, type TrackerStep } from '#ordering/tracker.ts';
import type { ShownOrder } from '#ordering/web/use-order.ts';
import { whenWords } from '#ordering/web/when-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';

/** The way of the order, step by step. One that came to nothing, or is not paid, has none. */
export function OrderSteps({ order, store }: { order: ShownOrder; store: Store }) {
  const now = useNow();
  if (isUnpaid(order.status) || isCalledOff(order.status)) return null;
  return (
    <section aria-label={m.ordering_order_steps()} className="card p-5 sm:p-6">
      <ol className="grid">
        {trackerSteps(order, store, now).map((step) => (
          <Step key={step.status} step={step} now={now} timeZone={store.timezone} />
        ))}
      </ol>
    </section>
  );
}

const marks: Record<TrackerStep['state'], string> = {
  // Where colours are forced, only borders and drawings are left of it.
  done: 'border-2 border-transparent bg-good text-good-ink',
  now: 'border-2 border-accent-edge bg-accent text-accent-ink',
  ahead: 'border-2 border-line-strong',
};

function Step({ step: { name, at, state }, now, timeZone }: { step: TrackerStep; now: Date; timeZone: string }) {
  return (
    <li aria-current={state === 'now' ? 'step' : undefined} className="group flex gap-4">
      <span className="flex flex-col items-center">
        <span className={`grid size-8 shrink-0 place-items-center rounded-full ${marks[state]}`}>
          {state === 'done' && <Icon name="check" />}
          {state === 'now' && <span className="rounded-full border-5 border-current" />}
        </span>
        <span className={`min-h-5 w-0.5 flex-1 group-last:hidden ${state === 'done' ? 'bg-good' : 'bg-line'}`} />
      </span>
      <span className="flex flex-1 flex-wrap justify-between gap-x-4 pt-1 pb-5 group-last:pb-0">
        <span className={state === 'ahead' ? 'text-ink-soft' : 'font-semibold'}>
          {name}
          {state === 'done' && <span className="sr-only">, {m.ordering_step_done()}</span>}
        </span>
        {at && <span className="num text-right text-ink-soft">{whenWords(at, now, timeZone)}</span>}
      </span>
    </li>
  );
}
