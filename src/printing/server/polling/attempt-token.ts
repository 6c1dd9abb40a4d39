import { fromShort, toShort } from '#printing/server/printer-secret.ts';
import type { JobName } from '#printing/server/transport.ts';

/**
 * A job and one attempt at it, as the text that a printer repeats: both ids in 22 letters each. A late word about an attempt
 * is understood without anything to look up.
 */
export function attemptToken({ id, leaseId }: JobName): string {
  return toShort(id) + toShort(leaseId);
}

/** null for any other text. */
export function readAttemptToken(token: string): JobName | null {
  if (!/^[\w-]{44}$/.test(token)) return null;
  return { id: fromShort(token.slice(0, 22)), leaseId: fromShort(token.slice(22)) };
}
