import { type ComponentType, createElement, lazy, useEffect } from 'react';
import { ApiError } from '#platform/web/api.ts';

/**
 * The name of the event for a chunk that cannot be loaded although the shop responds. A release has then removed the
 * chunk, so pages offer a reload.
 */
export const codeLoadFailedEvent = 'code-gone';

let isGone = false;

/**
 * Whether `codeLoadFailedEvent` was dispatched already. Components that are mounted after the event call this function.
 */
export function hasCodeLoadFailed(): boolean {
  return isGone;
}

/**
 * Loads code, with one retry if the shop responds. If the retry fails too, the chunk no longer exists: dispatches
 * `codeLoadFailedEvent` and throws the error. If the shop does not respond, also while a load lasts, throws `ApiError`
 * `offline`, because a reload would not help.
 */
export async function loadCode<T>(load: () => Promise<T>, isAgain = false): Promise<T> {
  try {
    return await whileShopResponds(load());
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (!(await doesShopRespond())) throw new ApiError(0, { code: 'offline', message: String(error) });
    // A failed style sheet is not retried. The build's loader requests each style sheet only once, so a retry would
    // succeed without the styles.
    if (!isAgain && !String(error).includes('preload CSS')) return loadCode(load, true);
    isGone = true;
    dispatchEvent(new Event(codeLoadFailedEvent));
    throw error;
  }
}

/** The timeout after which the shop counts as unreachable (ms). */
const answersWithin = 5_000;
/** The interval at which a load that takes long asks whether the shop responds (ms). */
const asksAfter = 10_000;

export async function doesShopRespond(): Promise<boolean> {
  const answer = await fetch('/live', { signal: AbortSignal.timeout(answersWithin) }).catch(() => null);
  return answer?.ok === true;
}

/**
 * Resolves with `answer`. Rejects with `ApiError` `offline` once the shop no longer responds, because some connections
 * neither answer nor end.
 */
export async function whileShopResponds<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const ask = async () => {
      if (!(await doesShopRespond())) reject(new ApiError(0, { code: 'offline' }));
    };
    timer = setInterval(() => void ask(), asksAfter);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearInterval(timer);
  }
}

/**
 * A part of a page whose code loads when the part is first opened. If the code cannot be loaded, `missing` is shown,
 * and the next opening tries again. If the shop did not respond, an open part tries again by itself.
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

/** The delay before an open part tries to load its code again (ms). */
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
