import { type ComponentType, lazy } from 'react';
import { ApiError } from '#platform/web/api.ts';

/** The event on the window after which a reload is offered: a part's code is not there, as after a new release. */
export const codeGone = 'code-gone';

let isGone = false;

/** Whether it has been told already, to whoever was not there to hear it. */
export function isCodeGone(): boolean {
  return isGone;
}

/**
 * Fetches code, once more where it did not come though the shop answers: the connection may only just be back. What does
 * not come then either is gone: a reload is offered, and the browser's error thrown. Where the shop does not answer at
 * all, throws an `ApiError` `offline`: the code may be there still, and there is nothing to reload for.
 */
export async function loadCode<T>(load: () => Promise<T>, isAgain = false): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const answer = await fetch('/live', { signal: AbortSignal.timeout(answersWithin) }).catch(() => null);
    if (!answer?.ok) throw new ApiError(0, { code: 'offline', message: String(error) });
    // A style sheet, in the words of the build's own loader, is asked for once in the life of a page: a second load would
    // go without it.
    if (!isAgain && !String(error).includes('preload CSS')) return loadCode(load, true);
    isGone = true;
    dispatchEvent(new Event(codeGone));
    throw error;
  }
}

/** Milliseconds after which a shop counts as one that does not answer. */
const answersWithin = 5_000;

/**
 * A part of a page in a chunk of its own. Where that is gone the page stays as it is: `missing` stands in for the part, a
 * reload is offered, and the next time the part is wanted its code is asked for again.
 */
export function latePart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  missing: ComponentType<P>,
): () => ComponentType<P> {
  const make = () =>
    lazy(async () => {
      try {
        return { default: await loadCode(load) };
      } catch {
        part = make();
        return { default: missing };
      }
    });
  let part = make();
  return () => part;
}
