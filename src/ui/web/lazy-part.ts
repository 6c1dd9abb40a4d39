import { type ComponentType, createElement, lazy, useEffect } from 'react';
import { ApiError } from '#platform/web/api.ts';

/** The event of a chunk that no longer exists, as after a release. Pages then offer a reload. */
export const codeLoadFailedEvent = 'code-gone';

let isGone = false;

/** Whether `codeLoadFailedEvent` was already sent, for components that start to listen later. */
export function hasCodeLoadFailed(): boolean {
  return isGone;
}

/**
 * Loads code, with one retry if the shop responds. If the retry fails too, the chunk no longer exists: a reload is
 * offered, and the error is thrown. If the shop does not respond, throws `ApiError` `offline`, because a reload would
 * not help.
 */
export async function loadCode<T>(load: () => Promise<T>, isAgain = false): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(answersWithin) }).catch(() => null);
    if (!answer?.ok) throw new ApiError(0, { code: 'offline', message: String(error) });
    // A failed style sheet is not retried: the build's loader requests a style sheet only once, so the retry would
    // succeed without the styles.
    if (!isAgain && !String(error).includes('preload CSS')) return loadCode(load, true);
    isGone = true;
    dispatchEvent(new Event(codeLoadFailedEvent));
    throw error;
  }
}

/** The timeout after which the shop counts as unreachable (ms). */
const answersWithin = 5_000;

/**
 * A lazy part of a page. If its chunk no longer exists, `missing` replaces it and a reload is offered. The code is
 * requested again when the part is opened, not at each render. If the shop did not respond, an open part retries later.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  missing: ComponentType<P>,
): () => ComponentType<P> {
  const make = (): ComponentType<P> => {
    const made = lazy(async () => {
      try {
        return { default: await loadCode(load) };
      } catch (error) {
        return { default: inPlaceOf(missing, again, error instanceof ApiError) };
      }
    });
    const again = () => {
      if (part === made) part = make();
    };
    return made;
  };
  let part = make();
  return () => part;
}

/** The delay before an open part without its code retries (ms). */
const triedAgainAfter = 10_000;

function inPlaceOf<P extends object>(
  missing: ComponentType<P>,
  again: () => void,
  isOffline: boolean,
): ComponentType<P> {
  return function Missing(props) {
    useEffect(() => {
      const timer = isOffline ? setTimeout(again, triedAgainAfter) : undefined;
      return () => {
        clearTimeout(timer);
        again();
      };
    }, []);
    return createElement(missing, props);
  };
}
