import * as fc from 'fast-check';
import type { PrintBench, PrintInstance } from '#printing/testing/print-bench.ts';
import type { PrintRow } from '#printing/server/apply-print-event.ts';
import type { PrintJob } from '#printing/server/transport.ts';

/** A thing that happens to a shop with two printers and two instances. `on`: the printer; `by`: the instance. */
export type Happening =
  | { kind: 'order' }
  /** The printer asks for work; `twice`: and does not hear the answer, so it asks the other instance as well. */
  | { kind: 'poll'; on: number; by: number; twice: boolean }
  /** It fetches what it was given. `prints`: it comes out. `says`: its word about that arrives. */
  | { kind: 'fetch'; on: number; by: number; prints: boolean; says: boolean }
  /** It says once more what it said last. */
  | { kind: 'repeat'; on: number; by: number }
  /** It is switched off and on: it forgets what it was given. */
  | { kind: 'off'; on: number }
  /** It says that it has run out of paper, or that it can print. */
  | { kind: 'fault'; on: number; by: number; isOut: boolean }
  | { kind: 'wait'; seconds: number }
  | { kind: 'tick'; by: number }
  /** An instance is killed, with what it has not written, and started again. */
  | { kind: 'kill'; by: number };

const one = fc.nat({ max: 1 });
export const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('order' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('poll' as const), on: one, by: one, twice: fc.boolean() }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('fetch' as const),
        on: one,
        by: one,
        prints: fc.boolean(),
        says: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), on: one, by: one }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('off' as const), on: one }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('fault' as const), on: one, by: one, isOut: fc.boolean() }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 5, 20, 60) }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('tick' as const), by: one }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), by: one }) },
  ),
  { minLength: 10, maxLength: 40 },
);

/** A paper that came out of a printer. */
export interface Paper {
  printId: string;
  orderId: string;
  isMarked: boolean;
}

interface Machine {
  id: string;
  given: PrintJob | null;
  said: { job: PrintJob; printed: boolean } | null;
}

export interface Shop {
  bench: PrintBench;
  instances: PrintInstance[];
  machines: Machine[];
  /** In the order in which they came out. */
  papers: Paper[];
  orders: string[];
}

/** A shop whose first printer has the second one as its backup. */
export async function openModelShop(bench: PrintBench, instances: PrintInstance[]): Promise<Shop> {
  await bench.db.deleteFrom('prints').execute();
  await bench.db.deleteFrom('printers').execute();
  const backup = await bench.addPrinter({ receipts: [] });
  const kitchen = await bench.addPrinter({ backup_printer_id: backup });
  const machines = [kitchen, backup].map((id): Machine => ({ id, given: null, said: null }));
  return { bench, instances, machines, papers: [], orders: [] };
}

export async function happen(shop: Shop, what: Happening): Promise<void> {
  const { bench, instances, machines } = shop;
  const instance = 'by' in what ? instances[what.by] : undefined;
  const machine = 'on' in what ? machines[what.on] : undefined;
  if (what.kind === 'order') shop.orders.push(await bench.accept());
  if (what.kind === 'wait') bench.wait(what.seconds);
  if (what.kind === 'tick') await instance?.tick();
  if (what.kind === 'off' && machine) machine.given = null;
  if (what.kind === 'kill') await restart(shop, what.by);
  if (instance && machine) await call(shop, machine, instance, what);
}

/** A printer calls an instance. */
async function call(shop: Shop, machine: Machine, instance: PrintInstance, what: Happening): Promise<void> {
  if (what.kind === 'poll') await poll(shop, machine, what.twice ? [...shop.instances] : [instance]);
  if (what.kind === 'fetch') await fetchJob(shop, machine, instance, what);
  if (what.kind === 'repeat' && machine.said) await say(machine.said, instance);
  if (what.kind === 'fault') {
    instance.printers.heard(machine.id, { fault: what.isOut ? 'paper_out' : null });
    await instance.printers.flush();
  }
}

async function poll(shop: Shop, machine: Machine, asked: readonly PrintInstance[]): Promise<void> {
  for (const instance of asked) instance.printers.heard(machine.id);
  const answers = await Promise.all(asked.map((instance) => instance.leases.lease(machine.id, 'printer')));
  machine.given = answers.findLast((job) => job !== null) ?? machine.given;
}

/** It says honestly whether the paper came out, unless its word is lost. */
async function fetchJob(
  shop: Shop,
  machine: Machine,
  instance: PrintInstance,
  { prints, says }: { prints: boolean; says: boolean },
): Promise<void> {
  const job = machine.given;
  machine.given = null;
  if (!job?.orderId || !(await instance.leases.begin(job))) return;
  if (prints) {
    const isMarked = job.source?.includes('POSSIBLE DUPLICATE') ?? false;
    shop.papers.push({ printId: job.id, orderId: job.orderId, isMarked });
  }
  machine.said = { job, printed: prints };
  if (says) await say(machine.said, instance);
}

async function say({ job, printed }: NonNullable<Machine['said']>, { leases }: PrintInstance): Promise<void> {
  await leases.result(job, printed ? { kind: 'printed' } : { kind: 'refused', fault: 'busy' });
}

async function restart(shop: Shop, by: number): Promise<void> {
  const { bench, instances } = shop;
  await instances[by]?.stop();
  instances[by] = await bench.openInstance();
}

/** From now on everything works: both printers poll, print, and say so, until the ledger has nothing open. */
export async function endWell(shop: Shop): Promise<void> {
  const { bench, instances, machines } = shop;
  for (const [on] of machines.entries()) await happen(shop, { kind: 'fault', on, by: 0, isOut: false });
  for (let round = 0; round < 200; round += 1) {
    for (const instance of instances) await instance.tick();
    for (const instance of instances) await instance.caughtUp();
    const open = (await bench.prints()).filter(({ ended_at }) => ended_at === null);
    if (open.length === 0) return;
    for (const [on] of machines.entries()) {
      await happen(shop, { kind: 'poll', on, by: round % 2, twice: false });
      await happen(shop, { kind: 'fetch', on, by: (round + 1) % 2, prints: true, says: true });
    }
    bench.wait(2);
  }
  throw new Error('the ledger does not come to an end');
}

/** What is wrong with the papers of a shop whose ledger has come to an end; empty if nothing. */
export function faultsOf({ orders, papers }: Pick<Shop, 'orders' | 'papers'>, ledger: readonly PrintRow[]): string[] {
  return orders.flatMap((order) => {
    const own = papers.filter(({ orderId }) => orderId === order);
    const rows = ledger.filter(({ order_id }) => order_id === order);
    const faults: string[] = [];
    // A third unanswered paper is the last: then a person is asked to look.
    const needsAnswer = rows.some(({ status, unsure }) => status === 'unknown' && unsure >= 3);
    const isLate = rows.some(({ status }) => status === 'expired');
    if (own.length === 0 && !needsAnswer && !isLate) faults.push('lost');
    if (own.slice(1).some(({ isMarked }) => !isMarked)) faults.push('an unmarked duplicate');
    for (const row of rows) faults.push(...faultsOfPrint(row, own));
    if (rows.filter(({ moved_from_id }) => moved_from_id === null).length !== 1) faults.push('asked for twice');
    return faults.map((fault) => `${fault}: ${rows.map(({ status, unsure }) => `${status} ${unsure}`).join(', ')}`);
  });
}

function faultsOfPrint(row: PrintRow, papers: readonly Paper[]): string[] {
  const last = papers.findLast(({ printId }) => printId === row.id);
  const faults: string[] = [];
  if (row.status === 'printed' && !last) faults.push('called printed without a paper');
  if (row.status === 'printed' && last && last.isMarked !== row.is_marked) faults.push('a mark told wrong');
  if (row.ended_at === null) faults.push(`left ${row.status}`);
  const isUnsure = row.status === 'printed' || row.unsure > 0;
  if (last && !isUnsure) faults.push(`a paper of which the ledger says ${row.status}`);
  return faults;
}
