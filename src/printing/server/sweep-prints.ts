import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { duePrintEvent } from '#printing/print-rules.ts';
import {
  assumedPollSeconds,
  boardPollSeconds,
  minPollSeconds,
  missedPollsUntilOffline,
  offlineAfterMs,
} from '#printing/printer-rules.ts';
import { unansweredFaultColumns } from '#printing/server/leases.ts';
import { moveOrGiveUpPrint, movePrintToBackupPrinter } from '#printing/server/move-prints.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import { lockPrint, applyPrintEvent, applyAttemptEvent } from '#printing/server/apply-print-event.ts';

type Services = Pick<PrintingServices, 'db' | 'log' | 'now' | 'outbox' | 'printers'>;

const atOnce = 200;

/**
 * The sweeps of prints and printers: lapsed leases, missing reports, ended backoffs, stale prints, silent printers, and
 * prints that must move to a backup printer.
 */
export function printSweeps(services: Services): DueWork[] {
  const startedAt = services.now();
  return [timedPrints(services), silentPrinters(services, startedAt), strandedPrints(services)] as DueWork[];
}

function timedPrints(services: Services): DueWork<string[]> {
  return {
    name: 'prints',
    due: (now) => sql`array(
      select id::text from prints where ended_at is null and (
        (status in ('claimed', 'sent') and lease_until <= ${now})
        or (status in ('failed', 'unknown') and retry_at <= ${now})
        or (status in ('queued', 'failed', 'unknown') and expires_at <= ${now}))
      order by id limit ${atOnce})`,
    work: (ids) => each(services, ids, applyDuePrintEvent),
  };
}

export async function applyDuePrintEvent(services: Services, id: string): Promise<void> {
  const now = services.now();
  await changeWithEffects(services, async (tx, afterCommit) => {
    const print = await lockPrint(tx, id);
    const event = print && duePrintEvent(print, now);
    if (!print || !event) return;
    afterCommit(services.outbox.wake);
    if (event === 'lapse') await applyAttemptEvent(tx, services, print, event, now);
    else if (event === 'unanswered') await applyAttemptEvent(tx, services, print, event, now, unansweredFaultColumns());
    else await applyPrintEvent(tx, services, print, event, now);
  });
}

/**
 * Marks silent printers: polling ones as `offline` after three missed polls, and those of kind `browser` as `no_device`
 * if no board takes a waiting job. The limits allow for contact times that are stored up to ten seconds late.
 */
function silentPrinters({ now: clock, printers }: Services, startedAt: Date): DueWork<string[]> {
  return {
    name: 'silent printers',
    due: (now) => sql`array(
      select p.id::text from printers p
      where p.deleted_at is null and (
        (p.kind in ('star_cloudprnt', 'epson_sdp') and p.last_seen_at is not null
          and p.fault is distinct from 'offline'
          and greatest(p.last_seen_at, ${startedAt}) < ${silentSince(now)})
        or (p.fault is null and p.kind in ('star_cloudprnt', 'epson_sdp', 'browser')
          and not exists (select from prints where printer_id = p.id and ended_at is null and status in ('claimed', 'sent'))
          and greatest(p.last_seen_at, ${startedAt}, (
            select min(greatest(due_at, created_at, lease_until, retry_at)) from prints
            where printer_id = p.id and ended_at is null and status = 'queued' and due_at <= ${now}
          )) < ${silentSince(now)}
          and exists (select from prints where printer_id = p.id and ended_at is null and status = 'queued' and due_at <= ${now})))
      limit ${atOnce})`,
    work: async (ids) => {
      for (const id of ids) {
        // After a database outage the stored contact times are stale, so the contact time in this instance's memory
        // decides.
        const heardAt = printers.heardAt(id);
        const printer = printers.find(id);
        if (!printer || (heardAt && clock().getTime() - heardAt.getTime() < offlineAfterMs(printer))) continue;
        printers.found(id, { fault: printer.kind === 'browser' ? 'no_device' : 'offline' });
      }
    },
  };
}

/**
 * SQL for a time: a printer whose last contact was before this time counts as silent. The time is `now` minus the
 * period of `offlineAfterMs`, and minus two more seconds.
 */
function silentSince(now: Date) {
  const usual = sql`case p.kind when 'browser' then ${boardPollSeconds}::int else ${assumedPollSeconds}::int end`;
  const seconds = sql`${missedPollsUntilOffline}::int * greatest(coalesce(p.poll_seconds, ${usual}), ${minPollSeconds}::int) + 2`;
  return sql`${now}::timestamptz - make_interval(secs => ${seconds})`;
}

/** Moves prints of failing printers to a working backup, and ends or moves the prints of removed printers. */
function strandedPrints(services: Services): DueWork<string[]> {
  return {
    name: 'stranded prints',
    due: (now) => sql`array(
      select print.id::text from prints print join printers p on p.id = print.printer_id
      where print.ended_at is null and print.status in ('queued', 'failed', 'unknown') and print.due_at <= ${now}
        and print.purpose not in ('test', 'drawer') and (p.fault is not null or p.deleted_at is not null)
        and (p.deleted_at is not null
          or exists (
            with recursive backup as (
              select b.id, b.backup_printer_id, b.fault is null and b.deleted_at is null as is_well
              from printers b where b.id = p.backup_printer_id
              union
              select b.id, b.backup_printer_id, b.fault is null and b.deleted_at is null
              from backup join printers b on b.id = backup.backup_printer_id
            )
            select from backup where is_well and id <> p.id)
          or exists (
            select from prints origin join printers b on b.id = origin.printer_id
            where origin.id = print.moved_from_id and b.fault is null and b.deleted_at is null))
      order by print.id limit ${atOnce})`,
    work: (ids) => each(services, ids, rescue),
  };
}

async function rescue(services: Services, id: string): Promise<void> {
  const now = services.now();
  await changeWithEffects(services, async (tx, afterCommit) => {
    const print = await lockPrint(tx, id);
    if (!print?.printer_id) return;
    afterCommit(services.outbox.wake);
    const printer = await tx
      .selectFrom('printers')
      .select('deleted_at')
      .where('id', '=', print.printer_id)
      .executeTakeFirst();
    if (printer?.deleted_at) await moveOrGiveUpPrint(tx, services, print, now);
    else await movePrintToBackupPrinter(tx, services, print, now);
  });
}

/** Calls `work` for each id; a failure for one id does not block the others. */
async function each(
  services: Services,
  ids: readonly string[],
  work: (services: Services, id: string) => Promise<void>,
): Promise<void> {
  for (const id of ids) {
    await work(services, id).catch((error: unknown) => services.log.error({ err: error, print: id }, 'prints'));
  }
}
