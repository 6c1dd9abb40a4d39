import { type ComponentType, lazy } from 'react';

/** The event on the window after which a reload is offered: a part's code is not there, as after a new release. */
export const codeGone = 'code-gone';

let isGone = false;

/** Whether it has been told already, to whoever was not there to hear it. */
export function isCodeGone(): boolean {
  return isGone;
}

/**
 * Tells that code could not be fetched, and resolves to whether it is gone. Where the shop does not answer at all the code
 * may be there still: then there is nothing to reload for.
 */
export async function tellGone(): Promise<boolean> {
  const answer = await fetch('/live').catch(() => null);
  if (!answer?.ok) return false;
  isGone = true;
  dispatchEvent(new Event(codeGone));
  return true;
}

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
        return { default: await load() };
      } catch {
        await tellGone();
        part = make();
        return { default: missing };
      }
    });
  let part = make();
  return () => part;
}
