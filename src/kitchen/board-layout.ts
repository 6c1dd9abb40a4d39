import { type BoardStage, boardStages } from '#kitchen/board-columns.ts';

/** The ids of the tickets in each column, in their order on the screen. */
export type BoardLayout = Record<BoardStage, readonly string[]>;

/**
 * The layout while somebody's finger is on the board: every ticket keeps its place, whatever happened to its order in
 * the meantime, and new tickets join at the end of their column.
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
