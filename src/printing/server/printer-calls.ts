import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { paginateArray } from '#database/read-page.ts';
import { type NewPrinter, type printerEndpoints, parsePrinterAddress } from '#printing/contract.ts';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { supportedPrintJobFormats } from '#printing/printer-formats.ts';
import { isPollingKind, isServerConnectedKind } from '#printing/printer-rules.ts';
import { Printer } from '#printing/printer.ts';
import { announcePrintersChanged, printerOutboxEntry } from '#printing/server/print-events.ts';
import {
  hashPrinterSecret,
  newPrinterSecret,
  presentPrinter,
  type PrinterRow,
} from '#printing/server/printer-views.ts';
import { detachRemovedPrinter } from '#printing/server/move-prints.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { requireFreshSignIn } from '#platform/http/admit.ts';
import { refuseStaleChange } from '#platform/http/conflict-check.ts';
import type { HandlerInput } from '#platform/http/serve.ts';

type Services = Pick<PrintingServices, 'config' | 'menus' | 'outbox' | 'printers' | 'transports'>;
type PrinterCall<K extends keyof typeof printerEndpoints> = HandlerInput<typeof printerEndpoints, K, Db, Tx>;
type Changing = Pick<PrinterCall<'POST /v1/printers'>, 'db' | 'afterCommit'>;

export async function listPrinters({ config }: Services, { db, query }: PrinterCall<'GET /v1/printers'>) {
  let printers = db.selectFrom('printers').selectAll().where('deleted_at', 'is', null);
  if (query.store_id !== undefined) printers = printers.where('store_id', '=', query.store_id);
  const rows = await printers.orderBy('created_at').orderBy('id').execute();
  return paginateArray(
    '/v1/printers',
    query,
    rows.map((row) => presentPrinter(row, config)),
  );
}

export async function addPrinter(services: Services, call: PrinterCall<'POST /v1/printers'>) {
  const { db, body, now } = call;
  if (!(await services.menus.store(db, body.store_id))) throw invalidFieldError('store_id', m.ordering_store_unknown());
  if (isServerConnectedKind(body.kind) && !services.transports[body.kind])
    throw invalidFieldError('kind', m.printing_no_way());
  const secret = isPollingKind(body.kind) ? newPrinterSecret() : null;
  const row = { ...body, id: randomUUIDv7(), address: addressOf(body.kind, body.address) };
  await refuseInvalidPrinter(db, row);
  const printer = await db
    .insertInto('printers')
    .values({ ...row, secret_hash: secret === null ? null : hashPrinterSecret(secret), created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { data: { ...(await announcePrinterChange(services, call, printer)), secret } };
}

export async function changePrinter(services: Services, call: PrinterCall<'PATCH /v1/printers/{id}'>) {
  const { db, params, body } = call;
  const { was: _was, ...wanted } = body;
  const row = await lockPrinter(db, params.id);
  refuseStaleChange(Printer, presentPrinter(row, services.config), body);
  const change = {
    ...wanted,
    ...(wanted.address !== undefined && { address: addressOf(row.kind, wanted.address) }),
  };
  const isElsewhere = change.address !== undefined && change.address !== row.address;
  if (isElsewhere) requireFreshSignIn(call);
  await refuseInvalidPrinter(db, { ...row, ...change });
  if (Object.keys(change).length === 0) return { data: presentPrinter(row, services.config) };
  const printer = await db
    .updateTable('printers')
    // The printer's recorded state is reset, because it does not apply at another address.
    .set({ ...change, ...(isElsewhere && unheard) })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { data: await announcePrinterChange(services, call, printer) };
}

export async function removePrinter(services: Services, call: PrinterCall<'DELETE /v1/printers/{id}'>): Promise<void> {
  const { db, params, now } = call;
  const row = await lockPrinter(db, params.id);
  const printer = await db
    .updateTable('printers')
    .set({ deleted_at: now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await detachRemovedPrinter(db, services, printer, now);
  await announcePrinterChange(services, call, printer);
}

export async function rotatePrinterSecret(
  services: Services,
  call: PrinterCall<'POST /v1/printers/{id}/rotate-secret'>,
) {
  const row = await lockPrinter(call.db, call.params.id);
  if (!isPollingKind(row.kind)) throw new AppError('conflict', m.printing_no_secret());
  const secret = newPrinterSecret();
  const printer = await call.db
    .updateTable('printers')
    .set({ secret_hash: hashPrinterSecret(secret) })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { data: { ...(await announcePrinterChange(services, call, printer)), secret } };
}

/** Locks an active printer. Throws 404 if there is none. */
export async function lockPrinter(tx: Tx, id: string): Promise<PrinterRow> {
  const printers = tx.selectFrom('printers').selectAll().where('id', '=', id).where('deleted_at', 'is', null);
  const row = await printers.forUpdate().executeTakeFirst();
  if (!row) throw new AppError('not_found', m.printing_printer_not_found());
  return row;
}

const unheard = {
  paper: 'unknown',
  cover: 'unknown',
  fault: null,
  fault_detail: null,
  fault_since: null,
  last_seen_at: null,
} as const;

function addressOf(kind: NewPrinter['kind'], typed: string): string {
  const read = parsePrinterAddress(kind, typed);
  if ('problem' in read) throw invalidFieldError('address', read.problem);
  return read.address;
}

/** Throws 422 on the field that conflicts with the printer's model or the store's other printers. */
export async function refuseInvalidPrinter(
  tx: Tx,
  printer: Pick<
    PrinterRow,
    'id' | 'store_id' | 'name' | 'kind' | 'profile' | 'width_mm' | 'opens_drawer' | 'backup_printer_id'
  >,
): Promise<void> {
  const { id, store_id, name, backup_printer_id: backup } = printer;
  const profile = findPrinterProfile(printer.profile, printer.width_mm);
  if (!profile) throw invalidFieldError('profile', m.printing_profile_unknown());
  if (profile.width_mm !== printer.width_mm) {
    throw invalidFieldError('width_mm', m.printing_width_unknown({ width: profile.width_mm }));
  }
  if (supportedPrintJobFormats(printer.kind, profile).length === 0)
    throw invalidFieldError('profile', m.printing_profile_not_this_way());
  if (printer.opens_drawer && !profile.drawer) throw invalidFieldError('opens_drawer', m.printing_no_drawer());
  const own = tx.selectFrom('printers').select(['id', 'name']).where('store_id', '=', store_id);
  const others = await own.where('deleted_at', 'is', null).where('id', '!=', id).execute();
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    throw invalidFieldError('name', m.printing_name_taken());
  }
  if (backup === id) throw invalidFieldError('backup_printer_id', m.printing_backup_is_itself());
  if (backup !== null && !others.some((other) => other.id === backup)) {
    throw invalidFieldError('backup_printer_id', m.printing_backup_unknown());
  }
}

export async function announcePrinterChange(
  { config, outbox, printers }: Pick<Services, 'config' | 'outbox' | 'printers'>,
  { db, afterCommit }: Changing,
  row: PrinterRow,
) {
  await announcePrintersChanged(db);
  await outbox.add(db, printerOutboxEntry(row.store_id, row.id));
  afterCommit(outbox.wake);
  afterCommit(printers.reload);
  return presentPrinter(row, config);
}
