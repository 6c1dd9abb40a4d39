import { sql } from 'kysely';
import { isSentTo, isUnreachable } from '#printing/printer-rules.ts';
import type { PrinterRow } from '#printing/server/printer-views.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { PrinterReport } from '#printing/server/transport.ts';

type Services = Pick<PrintingServices, 'db' | 'log' | 'now' | 'printers' | 'transports'>;

/** Milliseconds between two questions to a printer that is well, to one that is not or did not answer, and for an answer. */
const asksEvery = 30_000;
const asksTroubledEvery = 5_000;
const answersWithin = 15_000;
/** Looks happen every few seconds: one that comes a little early is not put off to the next. */
const early = 1_000;
/** Answers in turn that must be missing: another sender may have the printer, or the network a short break. */
const missedAnswers = 3;

export interface AskPrinters {
  /** Asks the printers whose time it is, and waits for their answers. */
  look(): Promise<void>;
}

/**
 * Asks the printers that the server connects to how they are. Nothing else would show that one without a job has no paper, or
 * that one in trouble, whose backup has its work, is well again. Of several instances one asks; nobody asks a printer that has
 * a job in its hands, and its answers while it serves another sender are no news. `isSending`: this instance has it just now.
 */
export function createAskPrinters(services: Services, isSending: (printerId: string) => boolean): AskPrinters {
  const { log, now, printers, transports } = services;
  /** When this instance last wanted to ask, by printer: another may have been faster. */
  const triedAt = new Map<string, number>();
  const missed = new Map<string, number>();

  const everyOf = ({ id, fault }: PrinterRow) => (fault === null && !missed.has(id) ? asksEvery : asksTroubledEvery);
  const isTime = (printer: PrinterRow): boolean => {
    const { id, kind, fault } = printer;
    if (!isSentTo(kind) || !transports[kind]?.probe || isSending(id)) return false;
    const heardAt = fault === null ? (printers.heardAt(id)?.getTime() ?? 0) : 0;
    return now().getTime() - Math.max(triedAt.get(id) ?? 0, heardAt) >= everyOf(printer) - early;
  };
  const takeIn = ({ id }: PrinterRow, report: PrinterReport) => {
    const { fault = null } = report;
    if (fault === null || !isUnreachable(fault)) {
      missed.delete(id);
      if (fault === null) printers.heard(id, report);
      else printers.found(id, report);
      return;
    }
    const count = (missed.get(id) ?? 0) + 1;
    missed.set(id, count);
    // It may serve another sender: then a printer in trouble is as it was.
    if (count >= missedAnswers) printers.found(id, report);
  };
  return {
    async look() {
      const due = printers.all().filter(isTime);
      if (due.length === 0) return;
      for (const { id } of due) triedAt.set(id, now().getTime());
      const mine = new Set(
        await claim(
          services,
          due.map((printer) => ({ id: printer.id, seconds: (everyOf(printer) - early) / 1000 })),
        ),
      );
      await Promise.all(
        due.map(async (printer) => {
          if (!mine.has(printer.id) || isSending(printer.id)) return;
          try {
            const signal = AbortSignal.timeout(answersWithin);
            const report = await transports[printer.kind]?.probe?.(printer, signal);
            if (report) takeIn(printer, report);
          } catch (error) {
            log.error({ err: error, printer: printer.id }, 'asking a printer');
          }
        }),
      );
    },
  };
}

/** The printers that no other instance asked just now, and that have no job. */
async function claim({ db, now }: Services, due: readonly { id: string; seconds: number }[]): Promise<string[]> {
  const [ids, seconds] = [due.map(({ id }) => id), due.map((one) => one.seconds)];
  const at = now();
  const { rows } = await sql<{ id: string }>`
    update printers p set asked_at = ${at}
    from unnest(${ids}::uuid[], ${seconds}::float8[]) as due (id, seconds)
    where p.id = due.id and p.deleted_at is null
      and (p.asked_at is null or p.asked_at <= ${at}::timestamptz - make_interval(secs => due.seconds))
      and not exists (
        select from prints where printer_id = p.id and ended_at is null and status in ('claimed', 'sent'))
    returning p.id`.execute(db);
  return rows.map(({ id }) => id);
}
