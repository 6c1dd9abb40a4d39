import { type BoardStage, boardStages } from '#kitchen/board-columns.ts';

/** The ids of the tickets in each column, in their order on the screen. */
export type BoardLayout = Record<BoardStage, readonly string[]>;

/**
 * The layout while somebody touches the board: every ticket keeps its place, whatever happened to its order in
 * the meantime, and new tickets are added at the end of their column.
 */
export function heldLayout(shown: BoardLayout, wanted: BoardLayout): BoardLayout {
  const placed = new Set(boardStages.flatMap((stage) => shown[stage]));
  const held = { ...shown };
  for (const stage of boardStages) {
    const arrivals = wanted[stage].filter((id) => !placed.has(id));
    // The done list starts with the latest.
    if (arrivals.length > 0)
      held[stage] = stage === 'done' ? [...arrivals, ...shown[stage]] : [...shown[stage], ...arrivals];
  }
  return held;
}

export function sameLayout(a: BoardLayout, b: BoardLayout): boolean {
  return boardStages.every(
    (stage) => a[stage].length === b[stage].length && a[stage].every((id, index) => id === b[stage][index]),
  );
}

/** The stages shown side by side on a wide screen; the others open over them. */
export const lanes = ['new', 'kitchen', 'ready'] as const satisfies readonly BoardStage[];

/** With more tickets than this a lane becomes wider. */
const FEW = 2;

/**
 * How the lanes share the width of the screen; 0: only a narrow strip with the lane's name, for a lane without
 * tickets. New orders have to be answered, so their lane is the widest, and is open even when empty: the next order
 * appears there.
 */
export function laneShares(layout: BoardLayout): Record<(typeof lanes)[number], number> {
  const isQuiet = lanes.every((lane) => layout[lane].length === 0);
  const share = (stage: (typeof lanes)[number], most: number): number => {
    const count = layout[stage].length;
    if (count > FEW) return most;
    return count > 0 || isQuiet || stage === 'new' ? 1 : 0;
  };
  return { new: share('new', 3), kitchen: share('kitchen', 2), ready: share('ready', 2) };
}
