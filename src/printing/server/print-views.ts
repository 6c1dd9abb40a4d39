import { type OrderTimelineEntry, createTimelineEntry } from '#database/order-timeline-entry.ts';
import { sql } from 'kysely';
import type { PrintStatus } from '#database/column-values.ts';
import type { Db } from '#database/schema.ts';
import type { Print } from '#ordering/print.ts';
import { presentPrint, type PrintViewRow } from '#ordering/server/present-print.ts';
import type { PrintPreview } from '#printing/contract.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';
import type { FastifyBaseLogger } from 'fastify';
import { startSweep, type Sweep, type SweepPlan } from '#platform/server/sweep.ts';

/** The columns that `presentPrint` needs. The statement must alias `prints` as `p`, and `printers` as `of_print`. */
const shown = sql`
  p.id, p.store_id, p.order_id, p.purpose, p.copy, p.status, p.printer_id, of_print.name as printer, p.nth, p.is_reprint,
  p.unsure, p.is_marked, p.moved_from_id, (select moved.id from prints moved where moved.moved_from_id = p.id) as moved_to_id, p.attempts,
  p.due_at, p.retry_at, p.expires_at, p.created_at, p.claimed_at, p.sent_at, p.printed_at, p.ended_at, p.fault, p.fault_detail,
  p.error,
  p.read_at, p.read_by`;

/** For each row of `orders`: its prints with the purpose `receipt`, as JSON, oldest first. */
export const orderPrintsColumn = sql<PrintViewRow[]>`(
  select coalesce(json_agg(one order by one.created_at, one.id), '[]') from (
    select ${shown} from prints p left join printers of_print on of_print.id = p.printer_id
    where p.order_id = orders.id and p.purpose = 'receipt'
  ) one)`;

/** Reads prints in the order of `ids`; unknown ids are left out. */
export async function readPrints(db: Db, ids: readonly string[]): Promise<Print[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<PrintViewRow>`
    select ${shown} from prints p left join printers of_print on of_print.id = p.printer_id
    where p.id = any(${[...ids]}::uuid[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, presentPrint(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Reads prints with their papers, as pictures and as text, in the order of `ids`; unknown ids are left out. */
export async function readPrintPreviews(db: Db, ids: readonly string[]): Promise<PrintPreview[]> {
  if (ids.length === 0) return [];
  const prints = await readPrints(db, ids);
  const rows = await db.selectFrom('prints').select(['id', 'source']).where('id', 'in', ids).execute();
  const sources = new Map(rows.map(({ id, source }) => [id, source]));
  return prints.map((print) => {
    const source = sources.get(print.id) ?? null;
    return { ...print, ...(source === null ? { svg: null, text: null } : renderPaper(source)) };
  });
}

export function renderPaper(source: string): { svg: string; text: string } {
  return { svg: renderReceipt(source, { format: 'svg' }), text: renderReceipt(source, { format: 'text' }) };
}

export async function readPrintHistory(db: Db, id: string): Promise<OrderTimelineEntry[]> {
  const rows = await db
    .selectFrom('prints')
    .leftJoin('printers', 'printers.id', 'prints.printer_id')
    .select(['prints.created_at', 'prints.ended_at', 'prints.copy', 'prints.status', 'prints.attempts', 'prints.fault'])
    .select(['prints.read_by', 'printers.name'])
    .where('order_id', '=', id)
    .execute();
  return rows.map(({ created_at: made, ended_at: ended, copy, status, attempts, fault, read_by: reader, name }) =>
    createTimelineEntry(
      'print',
      ended ?? made,
      `${copy} receipt`,
      name ? `on ${name}` : 'without a printer',
      status,
      fault && `(${fault.replaceAll('_', ' ')})`,
      attempts > 1 && `after ${attempts} tries`,
      reader && `read by ${reader}`,
    ),
  );
}

/** The retention of papers, and of prints without an order (days). */
const retentionDays = 30;
/** The interval of deleting old papers (ms). */
const every = 60 * 60_000;

/**
 * Deletes papers after their retention, because they contain customers' names. Prints of tests and drafts are deleted
 * with their papers; prints of orders stay.
 */
export async function deleteOldPapers(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * 24 * 60 * 60_000);
  await db
    .updateTable('prints')
    .set({ source: null })
    .where('source', 'is not', null)
    .where('created_at', '<', before)
    .execute();
  await db.deleteFrom('prints').where('order_id', 'is', null).where('created_at', '<', before).execute();
}

export function startPaperRetention(services: {
  clock: NonNullable<SweepPlan['clock']>;
  db: Db;
  log: FastifyBaseLogger;
  now(): Date;
}): Sweep {
  const { clock, db, log, now } = services;
  return startSweep({ name: 'papers', every, log, clock }, () => deleteOldPapers(db, now()));
}

/** A JSON column: the number of prints of the last 24 hours in each status, and the number of printers with a fault. */
export function printCountsColumn(now: Date) {
  return sql<{ prints: { status: PrintStatus; count: number }[]; faulty: number }>`(
    select json_build_object(
      'prints', (select coalesce(json_agg(json_build_object('status', status, 'count', count)), '[]') from (
        select status, count(*)::int as count from prints
        where created_at > ${now}::timestamptz - interval '24 hours' group by status) sums),
      'faulty', (select count(*) from printers where deleted_at is null and fault is not null)))`;
}
