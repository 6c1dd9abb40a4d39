import { fromShort, toShort } from '#printing/server/printer-secret.ts';
import type { JobName, PrintJob, PrintLeases } from '#printing/server/transport.ts';

/** The name of one attempt at a job, in 22 letters, because Epson keeps no more than 30. The printer repeats it. */
export function attemptToken({ leaseId }: Pick<PrintJob, 'leaseId'>): string {
  return toShort(leaseId);
}

/**
 * The job that a printer names: by its token, also of an ended attempt, or without one its leased job. null: no job of
 * this printer.
 */
export async function namedJob(
  leases: Pick<PrintLeases, 'held' | 'find'>,
  printerId: string,
  token: string | undefined,
): Promise<JobName | null> {
  const held = await leases.held(printerId);
  if (token === undefined || (held && attemptToken(held) === token)) return held;
  return /^[\w-]{22}$/.test(token) ? leases.find(printerId, fromShort(token)) : null;
}
