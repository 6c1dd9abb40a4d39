import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { openStateAt } from '#store/opening-hours.ts';
import { openingWords } from '#store/opening-words.ts';

/** Open or closed now, and until when; told again as the clock goes on. `onlyOpen`: a banner says the rest. */
export function OpenSign({ store, onlyOpen = false }: { store: Store; onlyOpen?: boolean }) {
  const now = useNow();
  const state = openStateAt(store, now);
  if (onlyOpen && !state.is_open) return null;
  const colours = state.is_open ? 'bg-good-soft text-good-text' : 'bg-warn-soft text-warn-text';
  return (
    <p className={`chip py-1.5 text-sm ${colours}`}>
      <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2.5">
        {state.is_open ? (
          <circle cx="4" cy="4" r="4" fill="currentColor" />
        ) : (
          <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
        )}
      </svg>
      <span className="num">{openingWords(state, now, store.timezone)}</span>
    </p>
  );
}
