import { m } from '#messages';
import type { Problem } from '#ordering/basket.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { formatMoney } from '#platform/money.ts';

/** "£2.30 to go": to the zone's minimum, or while the address is not known to the lowest there is. */
export function MinimumWords({ view, problems }: { view: BasketView; problems: readonly Problem[] }) {
  const { toLowestMinimum: missing, store } = view;
  const problem = problems.find(({ code }) => code === 'below_minimum');
  if (!problem && missing === 0) return null;
  return (
    <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold">
      {problem?.message ?? m.ordering_below_any_minimum({ amount: formatMoney(missing, store.currency) })}
    </p>
  );
}
