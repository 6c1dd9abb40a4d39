import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { Order } from '#ordering/order.ts';
import type { Print, PrintFault } from '#ordering/print.ts';
import type { Printer } from '#printing/printer.ts';
import type { LanResult, UnreachedReason } from '#printing/web/lan/lan-answer.ts';
import {
  askPrinterState,
  bytesFromBase64,
  isReachableFromDevice,
  reportPrinterCondition,
  sendPrintJob,
} from '#printing/web/lan/lan-printer.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import { v4 as uuid } from 'uuid';
import { api, ApiError } from '#platform/web/api.ts';
import type { DeviceJob } from '#printing/contract.ts';
import type { ReportedOutcome } from '#printing/print-outcome.ts';
import type { ReportedCondition } from '#printing/protocols/dialogue.ts';

/**
 * The interval of print rounds (ms). A status request times out after five seconds, so a fault is known within fifteen.
 */
const lookEvery = 10_000;

interface PrintEvents {
  'print.updated': { print: Print };
  /** A changed order may have new prints. */
  'order.updated': { order: Order };
}

export interface LanPrinting {
  /** Each printer's last answer, or the reason why it gave none; missing before the first round. */
  heard: ReadonlyMap<string, LanResult>;
  /** Starts a print round at once: asks the printers for their status, and prints waiting jobs. */
  ask: () => void;
}

/**
 * Prints the jobs of printers that a browser reaches (kind `browser`) while mounted. `isOn`: whether this device is an
 * order board; other devices send no requests into their network.
 */
export function useLanPrinting(storeId: string, printers: readonly Printer[], isOn: boolean): LanPrinting {
  const own = printers.filter((printer) => printer.kind === 'browser' && isReachableFromDevice(printer));
  const [ports] = useState(() => lanPorts(storeId));
  const reached = useRef(new Set<string>());
  const round = useRef({ isRunning: false, isWanted: false });
  const [heard, setHeard] = useState<ReadonlyMap<string, LanResult>>(new Map());

  const go = useEffectEvent(async () => {
    if (!isOn || own.length === 0) return;
    if (round.current.isRunning) {
      round.current.isWanted = true;
      return;
    }
    round.current.isRunning = true;
    do {
      round.current.isWanted = false;
      try {
        setHeard(await runPrintRound(ports, own, reached.current));
      } catch {
        // The server is unreachable, so the next round asks for jobs again.
      }
    } while (round.current.isWanted);
    round.current.isRunning = false;
  });
  const names = own.map(({ id, address }) => `${id} ${address}`).join();
  useEffect(() => {
    if (!isOn || names === '') return undefined;
    void go();
    const timer = setInterval(() => void go(), lookEvery);
    return () => clearInterval(timer);
  }, [isOn, names]);
  const isForUs = ({ status, printer_id: id }: Print) =>
    status === 'queued' && own.some((printer) => printer.id === id);
  useChannel<PrintEvents>(
    storeOrdersChannelName(storeId),
    {
      'print.updated': ({ print }) => {
        if (isForUs(print)) void go();
      },
      'order.updated': ({ order }) => {
        if (order.prints.some(isForUs)) void go();
      },
    },
    { onCaughtUp: () => void go() },
  );
  return { heard, ask: () => void go() };
}

/** The timeout of a call to the server (ms). */
const timeout = 10_000;
/** The interval at which a failed report is retried (ms). */
const tellEvery = 2000;
/** The time for which a failed report is retried (ms). */
const tellFor = 60_000;

function lanPorts(storeId: string): LanPrintingCalls {
  const device = uuid();
  return {
    async claim(printerIds) {
      const body = { store_id: storeId, printer_ids: [...printerIds], device };
      const answer = await api('POST /v1/prints/claim', body, { timeout });
      return answer?.data ?? null;
    },
    async report({ id, lease_id }, report) {
      const end = Date.now() + tellFor;
      for (;;) {
        try {
          await api('POST /v1/prints/{id}/result', { id, lease_id, device, ...report }, { timeout });
          return true;
        } catch (error) {
          const isRefused = error instanceof ApiError && !error.isUndecided;
          // A failed `sent` report is not retried: without a recorded `sent` report, the job is not printed.
          if (isRefused || report.status === 'sent' || Date.now() > end) return false;
          await new Promise((resolve) => setTimeout(resolve, tellEvery));
        }
      }
    },
    tell: reportPrinterCondition,
    ask: askPrinterState,
    send: sendPrintJob,
  };
}

type Status = 'sent' | 'printed' | 'failed' | 'unknown';
export interface PrintJobReport {
  status: Status;
  fault?: PrintFault;
  detail?: string;
}

/** The calls of the print loop, to the server and to printers. */
export interface LanPrintingCalls {
  claim(printerIds: readonly string[]): Promise<DeviceJob | null>;
  /**
   * Reports the status of a job to the server, and retries the report of an outcome. Resolves to false if the server
   * refused the report, or could not be reached.
   */
  report(job: DeviceJob, report: PrintJobReport): Promise<boolean>;
  tell(printer: Printer, condition: ReportedCondition): Promise<void>;
  ask(printer: Printer): Promise<LanResult>;
  send(printer: Printer, document: string): Promise<LanResult>;
}

const faultsUnreached: Record<UnreachedReason, PrintFault> = {
  refused: 'refused_by_browser',
  lacking: 'refused_by_browser',
  unreached: 'offline',
  not_understood: 'wrong_address',
  needs_app: 'wrong_address',
};

function conditionOf(heard: LanResult): ReportedCondition {
  if ('answer' in heard) return heard.answer.condition;
  const { unreached, detail = null } = heard;
  return { fault: faultsUnreached[unreached], detail, paper: 'unknown', cover: 'unknown' };
}

/**
 * Requests the printers' status, and prints waiting jobs one by one. `reached` holds the printers that have answered
 * this device, and the round adds printers that answer now. A printer that has never answered may be in another
 * network. The round reports the silence of such a printer only if the printer already has the fault `no_device` (no
 * device reaches it).
 */
export async function runPrintRound(
  ports: LanPrintingCalls,
  printers: readonly Printer[],
  reached: Set<string>,
): Promise<Map<string, LanResult>> {
  const heard = new Map<string, LanResult>();
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

async function printAll(ports: LanPrintingCalls, able: readonly Printer[]): Promise<void> {
  const well = new Map(able.map((printer) => [printer.id, printer]));
  while (well.size > 0) {
    const job = await ports.claim([...well.keys()]);
    if (!job) return;
    const isPrinted = await printOne(ports, job);
    // After a failed job the printer gets no further job in this round, because it would hit the same fault.
    if (!isPrinted) well.delete(job.printer.id);
  }
}

async function printOne(ports: LanPrintingCalls, job: DeviceJob): Promise<boolean> {
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

/**
 * The outcome of a job. Without the printer's response the outcome is `unknown`, because the job may be on paper. If
 * the request was not sent, the outcome is `refused`.
 */
function outcomeOf(heard: LanResult, { fault, detail }: ReportedCondition): ReportedOutcome {
  if ('answer' in heard) return heard.answer.outcome;
  const kind = heard.isUnsent ? 'refused' : 'unknown';
  return { kind, fault: fault ?? 'other', ...(detail !== null && { detail }) };
}

function documentOf({ content }: DeviceJob): string {
  return new TextDecoder().decode(bytesFromBase64(content));
}
