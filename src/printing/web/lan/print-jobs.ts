import type { PrintFault } from '#ordering/print.ts';
import type { DeviceJob } from '#printing/contract-printers.ts';
import type { Answered } from '#printing/outcome.ts';
import type { Printer } from '#printing/printer.ts';
import type { Condition } from '#printing/protocols/condition.ts';
import { bytesFrom } from '#printing/web/lan/base64.ts';
import type { Heard, Unreached } from '#printing/web/lan/lan-answer.ts';

type Status = 'sent' | 'printed' | 'failed' | 'unknown';
export interface JobReport {
  status: Status;
  fault?: PrintFault;
  detail?: string;
}

/** What the loop needs of the shop and of the network. */
export interface LanPorts {
  claim(printerIds: readonly string[]): Promise<DeviceJob | null>;
  /** Resolves to false if the job was taken back. Tries again until the shop has heard it, or the job is not its own. */
  report(job: DeviceJob, report: JobReport): Promise<boolean>;
  /** Tells the shop what was found out about a printer. */
  tell(printer: Printer, condition: Condition): Promise<void>;
  ask(printer: Printer): Promise<Heard>;
  send(printer: Printer, document: string): Promise<Heard>;
}

const faultsUnreached: Record<Unreached, PrintFault> = {
  refused: 'refused_by_browser',
  lacking: 'refused_by_browser',
  unreached: 'offline',
  not_understood: 'wrong_address',
  needs_app: 'wrong_address',
};

/** The same as what the shop is told. */
export function conditionOf(heard: Heard): Condition {
  if ('answer' in heard) return heard.answer.condition;
  const { unreached, detail = null } = heard;
  return { fault: faultsUnreached[unreached], detail, paper: 'unknown', cover: 'unknown' };
}

/**
 * Asks the printers how they are, and prints what waits for those that can: one job after the other, until none is left.
 * `reached` are the printers that this device has reached before. One that it never reached may be in another network, so
 * the shop hears of it only when nobody else reaches it either. Returns what was heard of each.
 */
export async function goRound(
  ports: LanPorts,
  printers: readonly Printer[],
  reached: Set<string>,
): Promise<Map<string, Heard>> {
  const heard = new Map<string, Heard>();
  await Promise.all(
    printers.map(async (printer) => {
      const said = await ports.ask(printer);
      heard.set(printer.id, said);
      if ('answer' in said) reached.add(printer.id);
      const isMissed = printer.status.fault === 'no_device';
      if (reached.has(printer.id) || isMissed) await ports.tell(printer, conditionOf(said));
    }),
  );
  const able = printers.filter(({ id }) => {
    const said = heard.get(id);
    return said !== undefined && 'answer' in said && said.answer.condition.fault === null;
  });
  if (able.length > 0) await printAll(ports, able);
  return heard;
}

async function printAll(ports: LanPorts, able: readonly Printer[]): Promise<void> {
  const well = new Map(able.map((printer) => [printer.id, printer]));
  while (well.size > 0) {
    const job = await ports.claim([...well.keys()]);
    if (!job) return;
    const isPrinted = await printOne(ports, job);
    // What failed has its pause; the next one would meet the same fault.
    if (!isPrinted) well.delete(job.printer.id);
  }
}

async function printOne(ports: LanPorts, job: DeviceJob): Promise<boolean> {
  if (!(await ports.report(job, { status: 'sent' }))) return true;
  const heard = await ports.send(job.printer, documentOf(job));
  const condition = conditionOf(heard);
  const outcome = outcomeOf(heard, condition);
  if (outcome.kind === 'printed') {
    await ports.report(job, { status: 'printed' });
    await ports.tell(job.printer, condition);
    return condition.fault === null;
  }
  const { kind, fault, detail } = outcome;
  const status = kind === 'refused' ? 'failed' : 'unknown';
  await ports.report(job, { status, fault, ...(detail !== undefined && { detail }) });
  return false;
}

/** Without an answer it may be on paper, unless nothing of it has left. */
function outcomeOf(heard: Heard, { fault, detail }: Condition): Answered {
  if ('answer' in heard) return heard.answer.outcome;
  const kind = heard.isUnsent ? 'refused' : 'unknown';
  return { kind, fault: fault ?? 'other', ...(detail !== null && { detail }) };
}

/** XML is sent as text. */
function documentOf({ content }: DeviceJob): string {
  return new TextDecoder().decode(bytesFrom(content));
}
