import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceJob } from '#printing/contract.ts';
import { createRoll, type PaperRoll } from '#simulators/printers/paper-roll.ts';
import { createFaults } from '#simulators/printers/poller.ts';

export type DeviceFault = 'dies_claimed' | 'dies_sent' | 'dies_printed' | 'paper_ends';

export interface BrowserDevice extends PaperRoll {
  start(): void;
  stop(): Promise<void>;
  failNext(fault: DeviceFault): void;
}

/**
 * A tablet that prints what it claims, every `pollInterval` seconds, on an Epson printer. `call` is signed in as the
 * tablet.
 */
export function createBrowserDevice(
  printerId: string,
  pollInterval: number,
  call: (path: string, body: unknown) => Promise<{ status: number; body: unknown } | null>,
): BrowserDevice {
  const roll = createRoll({ brand: 'Epson', dots: 576 });
  const faults = createFaults<DeviceFault>();
  let isRunning = false;
  let loop = Promise.resolve();

  const report = async (job: DeviceJob, said: Record<string, unknown>): Promise<boolean> => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const answer = await call(`/v1/prints/${job.id}/result`, { lease_id: job.lease_id, ...said });
      if (answer && answer.status < 500) return answer.status === 200;
      await sleep(250);
    }
    return false;
  };
  const printOne = async (): Promise<void> => {
    const answer = await call('/v1/prints/claim', { printer_ids: [printerId] });
    if (answer?.status !== 200) return;
    // The call answers with this shape.
    const { data: job } = answer.body as { data: DeviceJob };
    if (faults.take('dies_claimed') || !(await report(job, { status: 'sent' }))) return;
    if (faults.take('dies_sent')) return;
    const isWhole = !faults.take('paper_ends');
    await roll.print(Buffer.from(job.content, 'base64'), 'epos_xml', isWhole);
    if (faults.take('dies_printed')) return;
    await report(job, isWhole ? { status: 'printed' } : { status: 'unknown', fault: 'paper_out' });
  };
  return Object.assign(roll, {
    start() {
      isRunning = true;
      loop = (async () => {
        while (isRunning) {
          await printOne();
          await sleep(pollInterval * 1_000);
        }
      })();
    },
    async stop() {
      isRunning = false;
      await loop;
    },
    failNext: faults.failNext,
  });
}
