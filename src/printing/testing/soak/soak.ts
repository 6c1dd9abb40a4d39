import { randomUUID } from 'node:crypto';
import { connect as dial, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountOf, judge, type SoakJob, type Verdict } from '#printing/testing/soak/judge.ts';
import { answered, type Call, type FleetPrinter, openFleet } from '#printing/testing/soak/fleet.ts';

export interface SoakOptions {
  /** The instances; jobs, polls and words go to any of them. */
  urls: readonly string[];
  storeId: string;
  token: string;
  jobs: number;
  printers: number;
  random: () => number;
  /** How many of a hundred jobs something goes wrong beside. */
  faults: number;
  basket: Record<string, unknown>;
  /** How many jobs the ledger has not come to an end with. */
  countOpen(): Promise<number>;
  /** The ledger's lines of orders. */
  readLines(orderIds: readonly string[]): Promise<Map<string, SoakJob['lines']>>;
  /** One printer says once that it printed, and did not, and once prints twice: both must be found. */
  hasLiars: boolean;
  say?(line: string): void;
}

export interface SoakResult extends Verdict {
  jobs: number;
  faults: Record<string, number>;
  papers: number;
  /** What is known of each job that was lost, printed twice, never ended, or is only shown. */
  accounts: string[];
}

/** Prints jobs on all kinds of simulated printers at once, while things go wrong, and looks at every paper. */
export async function soakPrinting(options: SoakOptions): Promise<SoakResult> {
  const gate = await openGate(options.urls);
  const call = callsTo(gate.origin, options.token);
  await answered(() => call('PATCH', `/v1/stores/${options.storeId}`, { auto_accept: true }));
  const fleet = await openFleet(call, gate.origin, options.storeId, options.printers);
  if (options.hasLiars) plantLies(fleet);
  const cook = setInterval(() => refill(fleet), 1_000);
  try {
    const { orders, faults } = await sendJobs(options, call, fleet);
    const lines = await untilEnded(options, [...orders.keys()]);
    const shown = await readBoard(options, call);
    const jobs = [...orders].map(([id, number]): SoakJob => ({
      number,
      lines: lines.get(id) ?? [],
      isShown: shown.has(id),
    }));
    // What is on its way may still come out.
    await sleep(1_000);
    const papers = fleet.flatMap(({ name, roll }) => roll.papers.map((paper) => ({ ...paper, printer: name })));
    const verdict = judge(jobs, papers);
    const { lost, unmarkedTwice, open, shown: onBoard } = verdict;
    const worth = [lost, unmarkedTwice, open, onBoard].flatMap((numbers) => numbers.slice(0, maxAccounts));
    const accounts = accountOf(worth, jobs, papers);
    return { ...verdict, jobs: jobs.length, faults, papers: papers.length, accounts };
  } finally {
    clearInterval(cook);
    await Promise.all(fleet.map((printer) => printer.stop()));
    await gate.close();
  }
}

/** Of each kind of trouble. */
const maxAccounts = 20;

function plantLies([first, second]: readonly FleetPrinter[]): void {
  if (!first || !second) throw new Error('There are no printers to lie.');
  const [swallow, repeat] = [first.roll.print, second.roll.print];
  first.roll.print = async () => {
    first.roll.print = swallow;
  };
  second.roll.print = async (...job) => {
    second.roll.print = repeat;
    await repeat(...job);
    await repeat(...job);
  };
}

/** Somebody in the kitchen looks at the printers. */
function refill(fleet: readonly FleetPrinter[]): void {
  for (const { roll } of fleet) if (roll.paper === 'out') roll.refill();
}

const atOnce = 8;

async function sendJobs(options: SoakOptions, call: Call, fleet: readonly FleetPrinter[]) {
  const orders = new Map<string, string>();
  const faults: Record<string, number> = {};
  const troubledAt = new Map<string, number>();
  let begun = 0;
  const sender = async () => {
    while (begun < options.jobs) {
      begun += 1;
      const printer = fleet[Math.floor(options.random() * fleet.length)];
      if (!printer) return;
      // One trouble after the other: a printer prints something in between.
      const printed = printer.roll.papers.length;
      if (options.random() * 100 < options.faults && printed > (troubledAt.get(printer.id) ?? -1)) {
        troubledAt.set(printer.id, printed);
        const fault = `${printer.kind}: ${printer.trouble(options.random)}`;
        faults[fault] = (faults[fault] ?? 0) + 1;
      }
      const { id, number } = await sendOne(options, call, printer.id);
      orders.set(id, number);
      if (orders.size % 500 === 0) options.say?.(`${orders.size} jobs`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return { orders, faults };
}

/**
 * An order, which the shop accepts by itself, and its kitchen receipt for this printer: each call again until it is
 * answered.
 */
async function sendOne(
  { basket, storeId }: SoakOptions,
  call: Call,
  printerId: string,
): Promise<{ id: string; number: string }> {
  const session = randomUUID();
  const placed = await answered(() => call('POST', '/v1/orders', { ...basket, store_id: storeId, session }));
  // The calls answer with these shapes.
  const { id, number } = (placed as { data: { id: string; number: string } }).data;
  const key = randomUUID();
  await answered(() =>
    call('POST', `/v1/orders/${id}/print-receipt`, { printType: 'kitchen', printer_id: printerId }, key),
  );
  return { id, number: `#${number.replace('#', '')}` };
}

/**
 * The orders of which the board shows a receipt that did not come out: staff read them all, as many as it lists at a
 * time.
 */
async function readBoard({ storeId }: SoakOptions, call: Call): Promise<Set<string | null>> {
  const shown = new Set<string | null>();
  for (;;) {
    const answer = await answered(() => call('GET', `/v1/stores/${storeId}/printing`));
    // The call answers with this shape.
    const { data } = answer as { data: { unread: { id: string; order_id: string | null }[] } };
    if (data.unread.length === 0) return shown;
    for (const { id, order_id: orderId } of data.unread) {
      shown.add(orderId);
      await answered(() => call('POST', `/v1/prints/${id}/read`, {}));
    }
  }
}

/** Longer than a job takes whose printer's word is awaited in vain three times, with the pauses between. */
const noneEndsFor = 10 * 60_000;

/** Waits until the ledger has come to an end with every job, as long as one ends now and then. */
async function untilEnded(options: SoakOptions, ids: readonly string[]): Promise<Map<string, SoakJob['lines']>> {
  let fewest = Number.POSITIVE_INFINITY;
  let endedAt = performance.now();
  for (let turn = 0; ; turn += 1) {
    const open = await options.countOpen();
    if (turn % 40 === 0 && open > 0) options.say?.(`${open} jobs open`);
    if (open < fewest) [fewest, endedAt] = [open, performance.now()];
    if (open === 0) break;
    if (performance.now() - endedAt > noneEndsFor) {
      options.say?.(`no job has ended for ${noneEndsFor / 60_000} minutes`);
      break;
    }
    await sleep(500);
  }
  return options.readLines(ids);
}

function callsTo(origin: string, token: string): Call {
  return async (method, path, body, key) => {
    try {
      const response = await fetch(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return null;
    }
  };
}

/** One address for all instances: each connection goes to any that takes it. */
async function openGate(urls: readonly string[]): Promise<{ origin: string; close(): Promise<void> }> {
  const ports = urls.map((url) => Number(new URL(url).port));
  const open = new Set<{ destroy(): void }>();
  let turn = 0;
  const server = createServer((near) => {
    const far = dial(ports[(turn += 1) % ports.length] ?? 0, '127.0.0.1');
    for (const side of [near, far]) {
      open.add(side);
      side.on('error', () => {});
      side.on('close', () => {
        open.delete(side);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        for (const side of open) side.destroy();
        server.close(() => resolve());
      }),
  };
}
