import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { BoardStage } from '#kitchen/board-columns.ts';
import { type BoardLayout, heldLayout, sameLayout } from '#kitchen/board-layout.ts';

/** After a touch the tickets stay in place this long, so that a second tap cannot hit another order. */
const SETTLE = 700;

/** The heights of each column's rows of tickets, as `grid-template-rows` has them. */
export type HeldRows = Partial<Record<BoardStage, string>>;

/**
 * The layout to show: it never changes during a touch, nor right after one. `rows` are not null then: a ticket whose words
 * change would move those below it.
 */
export function useHeldLayout(wanted: BoardLayout): {
  layout: BoardLayout;
  rows: HeldRows | null;
  touch: Record<
    'onPointerDownCapture' | 'onPointerUpCapture' | 'onPointerCancelCapture' | 'onKeyDownCapture',
    () => void
  >;
} {
  const [rows, setRows] = useState<HeldRows | null>(null);
  const [shown, setShown] = useState(wanted);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const next = rows ? heldLayout(shown, wanted) : wanted;
  if (!sameLayout(shown, next)) setShown(next);

  const hold = useCallback(() => {
    clearTimeout(timer.current);
    setRows(readRows());
  }, []);
  const release = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setRows(null), SETTLE);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  const touch = useMemo(
    () => ({
      onPointerDownCapture: hold,
      onPointerUpCapture: release,
      onPointerCancelCapture: release,
      onKeyDownCapture: () => {
        hold();
        release();
      },
    }),
    [hold, release],
  );
  return { layout: shown, rows, touch };
}

function readRows(): HeldRows {
  const columns = document.querySelectorAll<HTMLElement>('[data-column]');
  return Object.fromEntries(
    Array.from(columns, (column) => [column.dataset['column'], getComputedStyle(column).gridTemplateRows]),
  );
}
