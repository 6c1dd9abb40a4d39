import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import type pg from 'pg';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db, PrintersTable } from '#database/schema.ts';
import { announceSettingsChange, openSettingsWatch } from '#database/listen.ts';
import { inTransaction } from '#database/transaction.ts';
import type { UnnumberedOrder } from '#ordering/server/insert-orders.ts';
import { openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';
import { announcePrintersChanged, printJobsChannel, printersChannel } from '#printing/server/print-events.ts';
import { openPrinterCache, type PrinterCache } from '#printing/server/printer-cache.ts';
import { createPrintLeases } from '#printing/server/leases.ts';
import { printSweeps } from '#printing/server/sweep-prints.ts';
import { createOrderPrintEffects } from '#printing/server/order-prints.ts';
import type { PrintRow } from '#printing/server/apply-print-event.ts';
import type { PrintLeases } from '#printing/server/transport.ts';

/** One instance of the server, as far as it prints. */
export interface PrintInstance {
  printers: PrinterCache;
  leases: PrintLeases;
  /** Does what is due, as the instance does every two seconds. */
  tick(): Promise<void>;
  /** Resolves when it has heard everything that was committed before. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface PrintBench extends Pick<PaymentBench, 'db' | 'clock' | 'storeId' | 'wait' | 'move' | 'order'> {
  first: PrintInstance;
  openInstance(): Promise<PrintInstance>;
  /** Returns its id. By default a kitchen's that polls. */
  addPrinter(change?: Partial<Insertable<PrintersTable>>): Promise<string>;
  changePrinter(id: string, change: Partial<Insertable<PrintersTable>>): Promise<void>;
  /** A cash order with one dish that the shop accepts now. Returns its id. */
  accept(change?: Partial<UnnumberedOrder>): Promise<string>;
  prints(orderId?: string): Promise<PrintRow[]>;
  close(): Promise<void>;
}

const probeChannel = 'hatch_test_probe';

/** The printing of a small shop on its own database, with a clock under the tests' control and no timers. */
export async function openPrintBench(): Promise<PrintBench> {
  let database: pg.PoolConfig = {};
  const base = await openPaymentBench({
    openDb(opened) {
      database = opened.config;
      return opened.db;
    },
  });
  const { db, services, clock, storeId } = base;
  const opened = new Set<PrintInstance>();

  const openInstance = async () => {
    const instance = await startInstance(base, database, () => opened.delete(instance));
    opened.add(instance);
    return instance;
  };

  const first = await openInstance();
  const isPrinting = (id: string) => [...opened].some(({ printers }) => printers.isPrinting(id));
  services.prints = createOrderPrintEffects({ outbox: services.outbox, printers: { isPrinting } });
  return {
    db,
    clock,
    storeId,
    wait: base.wait,
    move: base.move,
    order: base.order,
    first,
    openInstance,
    async addPrinter(change = {}) {
      const id = randomUUIDv7();
      await inTransaction(db, async (tx) => {
        await tx
          .insertInto('printers')
          .values({ ...cloudPrinter, id, store_id: storeId, name: id, created_at: clock.now, ...change })
          .execute();
        await announcePrintersChanged(tx);
      });
      for (const instance of opened) await instance.caughtUp();
      return id;
    },
    async changePrinter(id, change) {
      await inTransaction(db, async (tx) => {
        await tx.updateTable('printers').set(change).where('id', '=', id).execute();
        await announcePrintersChanged(tx);
      });
      for (const instance of opened) await instance.caughtUp();
    },
    async accept(change = {}) {
      const placed = { status: 'placed', placed_at: clock.now, payment_method: 'cash', expires_at: null } as const;
      const id = await base.newOrder({ ...placed, lines: [dish], ...change });
      await base.move(id, 'accept');
      for (const instance of opened) await instance.caughtUp();
      return id;
    },
    prints(orderId) {
      const prints = db.selectFrom('prints').selectAll().orderBy('id');
      return (orderId === undefined ? prints : prints.where('order_id', '=', orderId)).execute();
    },
    async close() {
      for (const instance of opened) await instance.stop();
      await base.close();
    },
  };
}

/** `onStop` is called before it stops. */
async function startInstance(
  { db, services, clock }: PaymentBench,
  database: pg.PoolConfig,
  onStop: () => void,
): Promise<PrintInstance> {
  const { config, log, now, menus, orderParts, outbox } = services;
  const channels = [printersChannel, printJobsChannel, probeChannel];
  const watch = await openSettingsWatch({ database, log, channels });
  const printers = await openPrinterCache({ db, log, now, outbox, watch });
  const restored = { isHeld: () => false };
  const works = printSweeps({ db, log, now, outbox, printers });
  let heard = 0;
  watch.follow(probeChannel, { heard: (text) => (heard = Math.max(heard, Number(text))), missed() {} });
  return {
    printers,
    leases: createPrintLeases({ config, db, log, menus, now, orderParts, outbox, printers, restored }),
    async tick() {
      for (const work of works) await doDue(db, work, clock.now);
      await printers.flush();
    },
    async caughtUp() {
      const probe = (probes += 1);
      await inTransaction(db, (tx) => announceSettingsChange(tx, probeChannel, String(probe)));
      for (let waited = 0; heard < probe; waited += 1) {
        if (waited > 2_000) throw new Error('the instance does not hear the database');
        await sleep(2);
      }
      await printers.reload();
    },
    async stop() {
      onStop();
      await printers.stop();
      await watch.stop();
    },
  };
}

let probes = 0;

async function doDue(db: Db, work: DueWork, now: Date): Promise<void> {
  const { rows } = await sql<{ due: unknown }>`select (${work.due(now)}) as due`.execute(db);
  const due = rows[0]?.due;
  if (Array.isArray(due) ? due.length > 0 : due) await work.work(due as NonNullable<unknown>);
}

const cloudPrinter = {
  kind: 'star_cloudprnt',
  profile: 'star-mc-print',
  width_mm: 80,
  receipts: ['kitchen'],
  poll_seconds: 5,
} satisfies Partial<Insertable<PrintersTable>>;

const dish = {
  id: '019a0000-0000-7000-8000-0000000000c1',
  item_id: '019a0000-0000-7000-8000-0000000000c2',
  name: 'Margherita',
  kitchen_name: null,
  quantity: 1,
  unit_price: 1250,
  options: [],
  note: '',
  vat_rate: 2000,
  allergens: null,
  total: 1250,
};
