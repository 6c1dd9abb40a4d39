import type { FastifyReply } from 'fastify';
import { fromShort, isPrinterSecret, type PrinterRow, toShort, usernameOf } from '#printing/server/printer-views.ts';
import type { JobName, KnownPrinters, PrintJob, PrintLeases } from '#printing/server/transport.ts';
import type { PrinterKind } from '#printing/printer.ts';

export interface Credentials {
  username: string;
  secret: string;
}

/** The name and the secret of HTTP Basic authentication; null if the header is missing or is none. */
export function readBasic(authorization: string | undefined): Credentials | null {
  const [, encoded] = /^basic +([a-z0-9+/_-]+={0,2})$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** The printer of this id and kind, if one of the given name and secret is its own. Asks no database. */
export function signedInPrinter(
  printers: Pick<KnownPrinters, 'find'>,
  id: string,
  kind: PrinterKind,
  given: readonly (Credentials | null)[],
): PrinterRow | null {
  const printer = printers.find(id);
  if (printer?.kind !== kind) return null;
  const isOwn = given.some(
    (one) => one !== null && one.username === usernameOf(id) && isPrinterSecret(printer, one.secret),
  );
  return isOwn ? printer : null;
}

/** The same answer for an unknown printer, another one's secret and none. Some printers send theirs only once they were asked. */
export function refusePrinter(reply: FastifyReply): FastifyReply {
  return reply.status(401).header('www-authenticate', 'Basic realm="printer"').send();
}

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
