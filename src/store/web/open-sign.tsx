import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { signOf } from '#store/web/sign-of.ts';

/** Whether orders are taken now, and until when; changes with time. `onlyOpen`: a banner shows the other states. */
export function OpenSign({ store, onlyOpen = false }: { store: Store; onlyOpen?: boolean }) {
  const now = useNow();
  const { isTaking, words } = signOf(store, now);
  if (onlyOpen && !isTaking) return null;
  const colours = isTaking ? 'bg-good-soft text-good-text' : 'bg-warn-soft text-warn-text';
  return (
    <p className={`chip py-1.5 text-sm ${colours}`}>
      <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2.5 shrink-0">
        {isTaking ? (
          <circle cx="4" cy="4" r="4" fill="currentColor" />
        ) : (
          <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
        )}
      </svg>
      <span className="num">{words}</span>
    </p>
  );
}
