import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { accounts, setup } from '#accounts/contract.ts';
import { accountsEndpoints, beforeAccounts } from '#accounts/server/endpoints.ts';
import { startEmailVerifications } from '#accounts/server/email-verification.ts';
import { startPasswordResets } from '#accounts/server/password-reset.ts';
import { findViewer } from '#accounts/server/sign-ins.ts';
import { startAccountSweep } from '#accounts/server/sweep.ts';
import { startInvitations } from '#accounts/server/invitation.ts';
import { appRelease } from '#app-release/contract.ts';
import { appReleaseEndpoints } from '#app-release/server/endpoints.ts';
import { describeWholeApi } from '#api-description.ts';
import { audit } from '#audit/contract.ts';
import { auditEndpoints } from '#audit/server/endpoints.ts';
import type { Config } from '#config.ts';
import { contract } from '#contract.ts';
import type { BaseServices } from '#database/services.ts';
import type { Db, Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import { kitchen } from '#kitchen/contract.ts';
import { kitchenEndpoints } from '#kitchen/server/endpoints.ts';
import { startPrinting } from '#kitchen/server/print-worker.ts';
import { noPrinters, type Printers } from '#kitchen/server/printer.ts';
import { menu } from '#menu/endpoints.ts';
import { menuEndpoints, startMenuImports } from '#menu/server/endpoints.ts';
import { compose, servePictures } from '#demo/server/pictures.ts';
import { type ShopCache, openShopCache } from '#shop/server/shop-cache.ts';
import { ordering } from '#ordering/contract.ts';
import { orderEvents } from '#ordering/server/order-events.ts';
import { storeOrders } from '#ordering/server/store-orders.ts';
import { printEvents } from '#kitchen/server/print-events.ts';
import { shownMenusEndpoints } from '#shop/server/shown-menus-endpoints.ts';
import { shopEvents } from '#shop/server/shop-events.ts';
import type { OrderOwed, OrderParts, OrderPrints } from '#ordering/server/services.ts';
import { createOrderPrints, printsOfOrder } from '#kitchen/server/print-ledger.ts';
import { createOrderOwed } from '#payment/server/owed.ts';
import { latestPayment } from '#payment/server/payment-views.ts';
import { findPerson } from '#accounts/server/users.ts';
import { adminEmails } from '#accounts/server/user-views.ts';
import { menuOrders } from '#ordering/server/menu-orders.ts';
import { newestOrderAt } from '#ordering/server/order-views.ts';
import { createPersonOrders } from '#ordering/server/person-orders.ts';
import { deadlines } from '#ordering/server/deadlines.ts';
import { startForgettingGuests } from '#ordering/server/forget-guests.ts';
import { orderMailWork, startOrderMails } from '#ordering/server/order-mails.ts';
import { orderingEndpoints } from '#ordering/server/endpoints.ts';
import { startOrderQueue } from '#ordering/server/order-queue.ts';
import { payment } from '#payment/contract.ts';
import { paymentEndpoints } from '#payment/server/endpoints.ts';
import { type Payments, createPayments } from '#payment/server/payments.ts';
import { serveSandbox } from '#payment/server/sandbox/routes.ts';
import { people } from '#people/contract.ts';
import { peopleEndpoints } from '#people/server/endpoints.ts';
import { mail } from '#database/mail/mail-contract.ts';
import { useFriendlyWords } from '#platform/http/words.ts';
import { refuseUnserved, serve, type Host } from '#platform/http/serve.ts';
import { keysOf } from '#platform/keys-of.ts';
import { serveApiDescription } from '#platform/server/api-page.ts';
import { writeAudit } from '#database/audit.ts';
import { allowedOrigins, createCors } from '#platform/server/cors.ts';
import { startDueWork } from '#database/jobs/due-work.ts';
import { type MachineClock, watchClock } from '#database/clock-watch.ts';
import { createDisk } from '#database/disk.ts';
import { createFastPath, type FastPath } from '#platform/server/fast-path.ts';
import { type FileStore, openFileStore } from '#platform/server/file-store.ts';
import { serveHealth } from '#database/health.ts';
import { createHttpApp } from '#platform/server/http-app.ts';
import { installationSecret } from '#database/installation-secret.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import { createMail } from '#database/mail/mail.ts';
import { mailEndpoints } from '#database/mail/mail-endpoints.ts';
import { stopInTurn } from '#platform/server/stop-in-turn.ts';
import { serveStoredFiles } from '#platform/server/stored-files.ts';
import { type Turns, createTurns } from '#platform/server/turns.ts';
import { realtime } from '#realtime/contract.ts';
import { menuUpdated } from '#realtime/events.ts';
import { createEventBuilder } from '#realtime/server/build-events.ts';
import { realtimeEndpoints } from '#realtime/server/endpoints.ts';
import { openBus } from '#realtime/server/open-bus.ts';
import { type Outbox, startOutbox } from '#realtime/server/outbox.ts';
import { type Realtime, createRealtime } from '#realtime/server/realtime.ts';
import { serveRealtimeApi } from '#realtime/server/server-api-routes.ts';
import { reports } from '#reports/contract.ts';
import { reportsEndpoints } from '#reports/server/endpoints.ts';
import { store } from '#store/contract.ts';
import { storeEndpoints } from '#store/server/endpoints.ts';
import { uploads } from '#uploads/contract.ts';
import { watch } from '#watch/contract.ts';
import { watchEndpoints } from '#watch/server/endpoints.ts';
import { otherSizesOf } from '#uploads/picture-sizes.ts';
import { uploadsEndpoints } from '#uploads/server/endpoints.ts';
import { startAlerts, type AlertServices } from '#alerts/server/alert-owner.ts';
import { startWatchingDisk } from '#watch/server/watch-disk.ts';
import { watchWork } from '#watch/server/watch.ts';

/** What the domains work with, each with its part of it. Made once at start. */
export interface Services extends BaseServices {
  config: Config;
  /** Uploaded pictures and files. */
  files: FileStore;
  menus: ShopCache;
  /** Taken by whoever changes a store or its menu, before the database is asked. */
  menuTurns: Turns;
  outbox: Outbox;
  payments: Payments;
  adminEmails: AlertServices['adminEmails'];
  orderParts: OrderParts;
  owed: OrderOwed;
  prints: OrderPrints;
  /** What receipts are printed on. */
  printers: Printers;
  realtime: Realtime;
}

export interface AppOptions {
  config: Config;
  db: Db;
  /** How the parts that hold connections of their own (jobs, listeners) reach the database. */
  database: string | pg.PoolConfig;
  log: FastifyBaseLogger;
  now?: () => Date;
  /** What the clock is compared with. */
  machine?: MachineClock;
  /** What receipts are printed on; left out, on nothing. */
  printers?: Printers;
  /** Serves the web pages; left out where only the API is wanted, as in tests without a build. */
  servePages?: ServePages;
}

export type ServePages = (
  http: FastifyInstance,
  services: Services & { drawPicture(key: string): string | null },
  realtimeKey: string,
  fastPath: FastPath,
) => Promise<void>;

export interface App {
  http: FastifyInstance;
  services: Services;
  /** Answers which of its parts did not stop in time. */
  stop(): Promise<string[]>;
}

/** The whole application: every domain, in the order in which they stand on each other. */
export async function createApp({
  config,
  db,
  database,
  log,
  now = () => new Date(),
  machine,
  printers = noPrinters,
  servePages,
}: AppOptions): Promise<App> {
  useFriendlyWords();
  const onError = (error: unknown) => log.error({ err: error }, 'background');
  const menus = await openShopCache({ database, config, onError });
  const jobs = await startJobs(database, onError);
  const bus = openBus(config, database, log);
  const keys = await pusherKeys(config, db);
  const origins = allowedOrigins(config);
  const sockets = createRealtime({ ...keys, bus, log, allowedOrigins: origins });
  const shops = shopEvents(menus, config);
  const orderParts: OrderParts = { prints: printsOfOrder, latestPayment };
  const build = createEventBuilder({
    order: orderEvents(now, orderParts),
    print: printEvents,
    store: shops,
    menu: shops,
  });
  const outbox = startOutbox(db, build, (events) => sockets.publish(events), onError);
  // Browsers that asked for the menu while an older one was shown ask again.
  menus.onShown(({ store: { id }, version }) => void sockets.publish([menuUpdated(id, version)]).catch(onError));
  const mailer = createMail(config, jobs, now);
  const files = openFileStore(config, log);
  // Who changes a store or its menu locks the store's row for as long: they wait here rather than each with a connection.
  const menuTurns = createTurns({ mostWaiting: 100, pause: 40 });
  const clock = await watchClock({ db, log, now, newest: newestOrderAt, ...(machine && { machine }) });
  const base = {
    adminEmails,
    orderParts,
    menuTurns,
    config,
    db,
    log,
    now,
    clock,
    files,
    menus,
    jobs,
    mail: mailer,
    outbox,
    owed: createOrderOwed(jobs),
    prints: createOrderPrints({ jobs, printers }),
    printers,
    realtime: sockets,
  };
  const payments = createPayments(base, { ownOrigin: () => http.listeningOrigin });
  const services: Services = { ...base, payments };

  const personOrders = createPersonOrders(base.prints);

  const disk = createDisk({ dataDir: config.dataDir, hasDatabase: !config.DATABASE_URL, db });
  const fastPath = createFastPath();
  const http = createHttpApp({
    log,
    fastPath: fastPath.answer,
    cors: createCors(origins),
    endpoints: keysOf(contract),
    onDiskFull: disk.noteFull,
  });
  const host: Host<Db, Tx> = {
    authenticate: (token) => findViewer(db, token, now()),
    database: db,
    transaction: (callLog, work) => makeChange({ db, log: callLog }, work),
    audit: (tx, change) => writeAudit(tx, change),
    now,
    findStoreId: async (slugOrName) => {
      const wanted = slugOrName.trim();
      return wanted === '' ? null : ((await menus.find(wanted))?.store.id ?? null);
    },
  };
  const groups = {
    accounts: { ...accounts, ...setup },
    store,
    menu,
    ordering,
    kitchen,
    payment,
    reports,
    realtime,
    'app-release': appRelease,
    uploads,
    mail,
    people,
    audit,
    watch,
  };
  serveApiDescription(http, describeWholeApi(groups));
  serve(http, host, groups.accounts, accountsEndpoints({ ...services, orders: personOrders }), beforeAccounts);
  const inTurn: typeof host = {
    ...host,
    transaction: (...change) => menuTurns.take(() => host.transaction(...change)),
  };
  serve(http, inTurn, store, storeEndpoints({ ...services, orders: storeOrders }));
  const menuHandlers = menuEndpoints({ ...services, orders: menuOrders });
  serve(http, inTurn, menu, { ...menuHandlers, ...shownMenusEndpoints(menus, fastPath) });
  serve(http, host, ordering, orderingEndpoints(services, startOrderQueue(db)));
  serve(http, host, kitchen, kitchenEndpoints(services));
  serve(http, host, payment, paymentEndpoints(services));
  serve(http, host, reports, reportsEndpoints(services));
  serve(http, host, realtime, realtimeEndpoints(services));
  serve(http, host, appRelease, appReleaseEndpoints(services));
  serve(http, host, uploads, uploadsEndpoints(services));
  serve(http, host, mail, mailEndpoints(services));
  serve(http, host, people, peopleEndpoints({ ...services, orders: personOrders }));
  serve(http, host, audit, auditEndpoints({ menus, calls: contract }));
  serve(http, host, watch, watchEndpoints(menus));
  refuseUnserved(http, keysOf(contract));

  let isReady = false;
  serveHealth(http, { db, jobs, disk, isReady: () => isReady });
  serveRealtimeApi(http, sockets);
  serveSandbox(http, services);
  servePictures(http);
  serveStoredFiles(http, files, otherSizesOf);
  void files.check();
  await servePages?.(http, { ...services, drawPicture: compose }, keys.key, fastPath);
  sockets.attach(http.server);

  await startPrinting(services);
  await startAlerts(services);
  await mailer.start();
  await startPasswordResets(services);
  await startEmailVerifications(services);
  await startInvitations(services);
  await startOrderMails(services);
  await startMenuImports({ ...services, findPerson }, menuHandlers);
  await payments.start();
  const dueWork = startDueWork(db, now, log, [
    outbox.leftBehind,
    deadlines(services),
    orderMailWork(services),
    payments.due,
    jobs.due,
    clock.due,
    ...watchWork(services),
  ]);
  const guests = startForgettingGuests(services);
  const diskWatch = startWatchingDisk(services, disk);
  const accountSweep = startAccountSweep(services);
  isReady = true;

  return {
    http,
    services,
    async stop() {
      isReady = false;
      return stopInTurn(log, {
        // What is still owed to listeners is sent by another instance, or after the next start.
        outbox: outbox.stop,
        sockets: () => sockets.close(),
        http: () => http.close(),
        dueWork: dueWork.stop,
        guests: guests.stop,
        disk: diskWatch.stop,
        accounts: accountSweep.stop,
        jobs: jobs.stop,
        mail: async () => mailer.stop(),
        bus: () => bus.close(),
        menus: menus.stop,
      });
    },
  };
}

/** The Pusher application's name and keys; what is not set was made by this installation at its first start. */
async function pusherKeys(config: Config, db: Db): Promise<{ appId: string; key: string; secret: string }> {
  return {
    appId: config.PUSHER_APP_ID ?? 'hatch',
    key: config.PUSHER_APP_KEY ?? (await installationSecret(db, 'pusher key')).slice(0, 20),
    secret: config.PUSHER_APP_SECRET ?? (await installationSecret(db, 'pusher secret')),
  };
}
