import { type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react';
import {
  type BoardLayout,
  type BoardStage,
  boardStages,
  isColumnFrozen,
  type LaneShares,
  boardWithoutFrozenLanes,
  boardAfterRelease,
  nextThawAt,
  boardAfterPress,
  advanceFreezableBoard,
  createFreezableBoard,
  type FreezableBoard,
} from '#kitchen/board-layout.ts';

/** The board reacts to the end of a touch only after this time (ms), because the tap's own work comes first. */
const afterTap = 100;

/** The frozen columns' row heights, as `grid-template-rows`. */
export type FrozenRowHeights = Partial<Record<BoardStage, string>>;

interface Held {
  board: FreezableBoard;
  rows: FrozenRowHeights;
}

type Touch = (event: SyntheticEvent) => void;

/**
 * Returns the layout to show, which is frozen during a touch and for a while after it. `rows` fixes the row heights of
 * frozen columns, because a ticket that changes its height would move the tickets below it.
 */
export function useFrozenLayout(wanted: BoardLayout): {
  layout: BoardLayout;
  shares: LaneShares;
  rows: FrozenRowHeights;
  touch: Record<'onPointerDownCapture' | 'onPointerUpCapture' | 'onPointerCancelCapture' | 'onKeyDownCapture', Touch>;
} {
  const [held, setHeld] = useState<Held>(() => ({ board: createFreezableBoard(wanted), rows: {} }));
  const next = advance(held, wanted);
  if (next !== held) setHeld(next);

  useEffect(() => {
    const end = nextThawAt(held.board, performance.now());
    if (end === null) return undefined;
    const timer = setTimeout(() => setHeld((shown) => ({ ...shown })), Math.max(0, end - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [held]);

  const touched = useRef<readonly BoardStage[]>([]);
  const touch = useMemo(() => {
    const hold: Touch = ({ target }) => {
      touched.current = stagesAt(target);
      setHeld((shown) => ({ ...shown, board: boardAfterPress(shown.board, performance.now()) }));
    };
    const release: Touch = ({ target }) => {
      const at = performance.now();
      const stages = touched.current;
      const end = isTab(target)
        ? boardWithoutFrozenLanes
        : (shown: FreezableBoard) => boardAfterRelease(shown, stages, at);
      setTimeout(() => setHeld((shown) => ({ ...shown, board: end(shown.board) })), afterTap);
    };
    return {
      onPointerDownCapture: hold,
      onPointerUpCapture: release,
      onPointerCancelCapture: release,
      onKeyDownCapture: (event: SyntheticEvent) => {
        if (isInDialog(event.target)) return;
        hold(event);
        release(event);
      },
    };
  }, []);
  return { layout: next.board.layout, shares: next.board.shares, rows: next.rows, touch };
}

/** The layout to show now; the same object if nothing changed. */
function advance(held: Held, wanted: BoardLayout): Held {
  const now = performance.now();
  const board = advanceFreezableBoard(held.board, wanted, now);
  const rows = freezeRows(held.rows, (stage) => isColumnFrozen(board, stage, now));
  return board === held.board && rows === held.rows ? held : { board, rows };
}

/**
 * The column of the touched element, as a list. For a touch in a ticket's menu, it is the ticket's column. Empty: the
 * touch is outside of the columns.
 */
function stagesAt(target: EventTarget): readonly BoardStage[] {
  if (!(target instanceof Element)) return [];
  const menu = target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const touched = (menu && document.getElementById(menu)) || target;
  const column = touched.closest<HTMLElement>('[data-column]')?.dataset['column'];
  return boardStages.filter((stage) => stage === column);
}

/** Whether the touch is on a tab, after which a phone shows another column. */
function isTab(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role="tab"]') !== null;
}

/** Whether the target is in a dialog, where typing does not count as a touch of the board. */
function isInDialog(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}

/** The frozen columns' row heights, read before the screen changes; the same object if nothing changed. */
function freezeRows(kept: FrozenRowHeights, isHeld: (stage: BoardStage) => boolean): FrozenRowHeights {
  if (boardStages.every((stage) => isHeld(stage) === (kept[stage] !== undefined))) return kept;
  const rows: FrozenRowHeights = {};
  for (const stage of boardStages) if (isHeld(stage)) rows[stage] = kept[stage] ?? readRows(stage);
  return rows;
}

function readRows(stage: BoardStage): string {
  const column = document.querySelector(`[data-column="${stage}"]`);
  return column === null ? 'none' : getComputedStyle(column).gridTemplateRows;
}
