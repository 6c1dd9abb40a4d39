import { type ComponentType, createElement, lazy, useEffect } from 'react';
import { ApiError } from '#platform/web/api.ts';

/** The window's event after which a reload is offered: a part's code is missing, as after a new release. */
export const codeGone = 'code-gone';

let isGone = false;

/** Whether the event was sent already, for components that were not listening then. */
export function isCodeGone(): boolean {
  return isGone;
}

/**
 * Fetches code, and once more if the first attempt fails although the shop answers: the connection may only just be back. If
 * the second attempt fails too, the code is gone: a reload is offered, and the browser's error thrown. If the shop does not
 * answer at all, throws an `ApiError` `offline`: the code may still be there, and a reload would not help.
 */
export async function loadCode<T>(load: () => Promise<T>, isAgain = false): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(answersWithin) }).catch(() => null);
    if (!answer?.ok) throw new ApiError(0, { code: 'offline', message: String(error) });
    // The build's loader requests a style sheet once in the life of a page: a second load would
    // be without it.
    if (!isAgain && !String(error).includes('preload CSS')) return loadCode(load, true);
    isGone = true;
    dispatchEvent(new Event(codeGone));
    throw error;
  }
}

/** Milliseconds after which a shop counts as not answering. */
const answersWithin = 5_000;

/**
 * A part of a page in its own chunk. If the chunk is gone the page stays as it is: `missing` replaces the part, and a
 * reload is offered. Its code is requested again the next time the part opens, not at each render; one that stays open is
 * tried again after a while if the shop did not answer.
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

/** Milliseconds. */
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
