import { type ComponentType, createElement, lazy, useEffect } from 'react';
import { ApiError } from '#platform/web/api.ts';

/** The event that a chunk of code no longer exists, as after a release. Pages then offer a reload. */
export const codeLoadFailedEvent = 'code-gone';

let isGone = false;

/** Whether the event `codeLoadFailedEvent` was sent, for components that start to listen later. */
export function hasCodeLoadFailed(): boolean {
  return isGone;
}

/**
 * Loads code, with one retry if the shop answers. If the retry fails too, the chunk no longer exists: a reload is
 * offered, and the error thrown. If the shop does not answer, throws `ApiError` `offline`, because a reload would not
 * help.
 */
export async function loadCode<T>(load: () => Promise<T>, isAgain = false): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(answersWithin) }).catch(() => null);
    if (!answer?.ok) throw new ApiError(0, { code: 'offline', message: String(error) });
    // The build's loader requests a style sheet only once, so after a retry it would be missing.
    if (!isAgain && !String(error).includes('preload CSS')) return loadCode(load, true);
    isGone = true;
    dispatchEvent(new Event(codeLoadFailedEvent));
    throw error;
  }
}

/** Milliseconds until the shop counts as unreachable. */
const answersWithin = 5_000;

/**
 * A lazy part of a page. If its chunk no longer exists, `missing` replaces it and a reload is offered. The code is
 * requested again when the part is opened, not at each render. If the shop did not answer, an open part retries after a
 * while.
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

/** Milliseconds after which an open part without its code retries. */
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
