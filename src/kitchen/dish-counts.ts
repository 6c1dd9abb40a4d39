import type { Line, Order } from '#ordering/order.ts';
import { isInKitchen, isUnanswered } from '#ordering/order-status.ts';
import { stationKey } from '#ordering/order-words.ts';

/** The unticked pieces of a dish or choice: `toCook` in accepted orders, `unanswered` in orders without an answer. */
export interface DishCount {
  name: string;
  toCook: number;
  unanswered: number;
}

/** A station's dishes and choices, the most pieces first. `station` is empty for dishes without a station. */
export interface StationCounts {
  station: string;
  dishes: DishCount[];
  choices: DishCount[];
}

/**
 * Counts the dishes and choices that are still to cook, by station. A deal without a station is not counted itself; its
 * dishes and choices are.
 */
export function countOpenDishes(
  orders: Iterable<{ status: Order['status']; lines: readonly CountedLine[] }>,
): StationCounts[] {
  const stations = new Map<string, { station: string; dishes: Counts; choices: Counts }>();
  for (const { status, lines } of orders) {
    const state = isInKitchen(status) ? 'toCook' : isUnanswered(status) ? 'unanswered' : null;
    if (state === null) continue;
    for (const { kind, station, name, quantity } of lines.flatMap(piecesOf)) {
      const key = stationKey(station);
      const counts = stations.get(key) ?? { station: (station ?? '').trim(), dishes: new Map(), choices: new Map() };
      stations.set(key, counts);
      const known = counts[kind].get(name) ?? { name, toCook: 0, unanswered: 0 };
      counts[kind].set(name, { ...known, [state]: known[state] + quantity });
    }
  }
  return [...stations]
    .toSorted(([a], [b]) => Number(a === '') - Number(b === '') || a.localeCompare(b))
    .map(([, { station, dishes, choices }]) => ({ station, dishes: mostFirst(dishes), choices: mostFirst(choices) }));
}

type Counts = Map<string, DishCount>;
type CountedLine = Pick<Line, 'name' | 'kitchen_name' | 'station' | 'quantity' | 'options' | 'done_at'>;

function piecesOf({
  name,
  kitchen_name: kitchenName,
  station = null,
  quantity,
  options,
  done_at: doneAt,
}: CountedLine) {
  if (doneAt) return [];
  const chosen = options.map((option) => ({
    kind: option.item_id ? ('dishes' as const) : ('choices' as const),
    station: option.item_id ? (option.station ?? null) : station,
    name: option.kitchen_name ?? option.name,
    quantity: quantity * option.quantity,
  }));
  const isDealAlone = station === null && chosen.some(({ kind }) => kind === 'dishes');
  const dish = { kind: 'dishes' as const, station, name: kitchenName ?? name, quantity };
  return isDealAlone ? chosen : [dish, ...chosen];
}

function mostFirst(counts: Counts): DishCount[] {
  return [...counts.values()].toSorted(
    (a, b) => b.toCook - a.toCook || b.unanswered - a.unanswered || a.name.localeCompare(b.name),
  );
}
