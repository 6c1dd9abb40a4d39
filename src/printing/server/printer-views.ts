import { type Selectable, sql } from 'kysely';
import type { Db, PrintersTable } from '#database/schema.ts';
import { isPollingKind, printerStatusOf } from '#printing/printer-rules.ts';
import type { Printer, PrinterKind } from '#printing/printer.ts';
import { hash, randomBytes } from 'node:crypto';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';

export type PrinterRow = Selectable<PrintersTable>;

/** Selects printers' ids and names for the audit log, including removed printers. */
export const printerNamesSql = sql`select id, name from printers`;

export function readStorePrinters(db: Db, storeId: string): Promise<PrinterRow[]> {
  const printers = db.selectFrom('printers').selectAll().where('deleted_at', 'is', null);
  return printers.where('store_id', '=', storeId).orderBy('created_at').orderBy('id').execute();
}

/** Finds a printer, including removed ones. */
export function findPrinter(db: Db, id: string): Promise<PrinterRow | undefined> {
  return db.selectFrom('printers').selectAll().where('id', '=', id).executeTakeFirst();
}

export function presentPrinter(row: PrinterRow, { publicUrl }: { publicUrl: string }): Printer {
  const { id, kind } = row;
  return {
    id,
    store_id: row.store_id,
    name: row.name,
    kind,
    address: row.address,
    allows_private_address: row.allows_private_address,
    profile: row.profile,
    width_mm: row.width_mm,
    receipts: row.receipts,
    stations: row.stations,
    fulfilment_types: row.fulfilment_types,
    channels: row.channels,
    copies: row.copies,
    backup_printer_id: row.backup_printer_id,
    opens_drawer: row.opens_drawer,
    sounds_buzzer: row.sounds_buzzer,
    prints_promises: row.prints_promises,
    status: printerStatusOf(row),
    poll_url: pollPaths[kind] ? `${publicUrl}/v1/printers/${id}/${pollPaths[kind]}` : null,
    username: isPollingKind(kind) ? printerUsername(id) : null,
    poll_seconds: isPollingKind(kind) ? row.poll_seconds : null,
    created_at: row.created_at.toISOString(),
  };
}

const pollPaths: Partial<Record<PrinterKind, string>> = { star_cloudprnt: 'cloudprnt', epson_sdp: 'epson' };

/** Makes a printer's poll secret of 256 random bits, shown once; the database stores its hash. */
export function newPrinterSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashPrinterSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Compares a printer's secret in constant time; false for a printer without a secret. */
export function isPrinterSecret({ secret_hash: known }: { secret_hash: Buffer | null }, given: string): boolean {
  return known !== null && equalInConstantTime(known, hashPrinterSecret(given));
}

/** Returns a polling printer's user name. The id is shortened to 22 letters, because some printers store at most 30. */
export function printerUsername(printerId: string): string {
  return shortenUuid(printerId);
}

/** Shortens a UUID to 22 letters; `expandUuid` reverses this. */
export function shortenUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

export function expandUuid(short: string): string {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
