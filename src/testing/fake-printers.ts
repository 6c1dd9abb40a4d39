import type { PrintJobOutcome } from '#printing/print-outcome.ts';
import type { EncodedJob, Transports } from '#printing/server/transport.ts';
import type { Printer } from '#printing/printer.ts';
import type { TestApp } from '#testing/test-app.ts';

export interface FakePrinters {
  transports: Transports;
  /** The receiptline sources that came out, oldest first; '' for what has none. */
  papers: string[];
  jobs: EncodedJob[];
  /** What becomes of a job; by default it comes out, and the printer says so. */
  answer: (job: EncodedJob) => PrintJobOutcome | Promise<PrintJobOutcome>;
}

/**
 * Network printers at any address. They keep what they are sent, and print it at once unless `answer` says otherwise.
 */
export function fakePrinters(): FakePrinters {
  const printers: FakePrinters = {
    papers: [],
    jobs: [],
    answer: () => ({ kind: 'printed' }),
    transports: {
      network: {
        async send(job) {
          const outcome = await printers.answer(job);
          printers.jobs.push(job);
          if (outcome.kind === 'printed' || outcome.kind === 'sent') printers.papers.push(job.source ?? '');
          return outcome;
        },
      },
    },
  };
  return printers;
}

/** Adds a network printer to the small shop, by default for both copies. */
export async function addPrinter(app: TestApp, change: Record<string, unknown> = {}, admin?: string): Promise<Printer> {
  const body = {
    store_id: app.shop.storeId,
    name: 'Kitchen',
    kind: 'network',
    address: '192.168.1.40',
    profile: 'epson-tm-m30',
    width_mm: 80,
    receipts: ['kitchen', 'customer'],
    ...change,
    ...((change['kind'] ?? 'network') !== 'network' && change['address'] === undefined && { address: '' }),
  };
  const { status, body: answer } = await app.request('POST', '/v1/printers', {
    body,
    token: admin ?? (await app.signIn('admin')),
  });
  if (status !== 201) throw new Error(`No printer: ${status} ${JSON.stringify(answer)}`);
  return answer.data;
}
