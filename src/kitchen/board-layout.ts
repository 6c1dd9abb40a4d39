import { type BoardStage, boardStages } from '#kitchen/board-columns.ts';

/** The ids of the tickets in each column, in their order on the screen. */
export type BoardLayout = Record<BoardStage, readonly string[]>;

/**
 * The layout while some columns are held: their tickets keep their places, whatever happened to the orders in the meantime,
 * and new tickets are added at the end. A ticket that stays in one of them is in no other column.
 */
export function heldLayout(shown: BoardLayout, wanted: BoardLayout, held: readonly BoardStage[]): BoardLayout {
  const kept = new Set(held.flatMap((stage) => shown[stage]));
  const layout = { ...wanted };
  for (const stage of boardStages) {
    const others = wanted[stage].filter((id) => !kept.has(id));
    if (!held.includes(stage)) layout[stage] = others;
    // The done list starts with the latest.
    else layout[stage] = stage === 'done' ? [...others, ...shown[stage]] : [...shown[stage], ...others];
  }
  return layout;
}

export function sameLayout(a: BoardLayout, b: BoardLayout): boolean {
  return boardStages.every(
    (stage) => a[stage].length === b[stage].length && a[stage].every((id, index) => id === b[stage][index]),
  );
}

/** The stages shown side by side on a wide screen; the others open over them. */
export const lanes = ['new', 'kitchen', 'ready'] as const satisfies readonly BoardStage[];

/** The width of each lane beside the others; 0: a strip. */
export type LaneShares = Record<(typeof lanes)[number], number>;

/** With more tickets than this a lane becomes wider. */
const FEW = 2;

/**
 * How the lanes share the width of the screen; 0: only a narrow strip with the lane's name, for a lane without
 * tickets. New orders have to be answered, so their lane is the widest, and is open even when empty: the next order
 * appears there. A kitchen with far more orders than are new gets its width first.
 */
export function laneShares(layout: BoardLayout): LaneShares {
  const isQuiet = lanes.every((lane) => layout[lane].length === 0);
  const share = (stage: (typeof lanes)[number], most: number): number => {
    const count = layout[stage].length;
    if (count > FEW) return most;
    return count > 0 || isQuiet || stage === 'new' ? 1 : 0;
  };
  const isCrowded = layout.kitchen.length > 2 * Math.max(FEW, layout.new.length);
  return {
    new: share('new', isCrowded ? 1 : 3),
    kitchen: share('kitchen', isCrowded ? 3 : 2),
    ready: share('ready', isCrowded ? 1 : 2),
  };
}

/**
 * A lane's track in a grid of all lanes. The buttons that answer a new order need their width on any screen: the other lanes give
 * theirs first.
 */
export function laneWidth(stage: (typeof lanes)[number], shares: LaneShares): string {
  if (shares[stage] === 0) return 'auto';
  return `minmax(${stage === 'new' ? 'min(21rem, 42.5%)' : 'min(17rem, 27%)'}, ${shares[stage]}fr)`;
}
