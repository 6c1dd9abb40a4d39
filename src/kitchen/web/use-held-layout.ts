import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type BoardLayout, heldLayout, sameLayout } from '#kitchen/board-layout.ts';

/** After a touch the tickets stay in place this long, so that a second tap cannot hit another order. */
const SETTLE = 700;

/** The layout to show: it never changes during a touch, nor right after one. */
export function useHeldLayout(wanted: BoardLayout): {
  layout: BoardLayout;
  touch: Record<
    'onPointerDownCapture' | 'onPointerUpCapture' | 'onPointerCancelCapture' | 'onKeyDownCapture',
    () => void
  >;
} {
  const [isHeld, setHeld] = useState(false);
  const [shown, setShown] = useState(wanted);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const next = isHeld ? heldLayout(shown, wanted) : wanted;
  if (!sameLayout(shown, next)) setShown(next);

  const hold = useCallback(() => {
    clearTimeout(timer.current);
    setHeld(true);
  }, []);
  const release = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHeld(false), SETTLE);
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
  return { layout: shown, touch };
}
