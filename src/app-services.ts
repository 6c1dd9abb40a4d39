import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import {
  openSignInProviders,
  signInProvidersChannel,
  type SignInProviders,
} from '#accounts/server/social/providers.ts';
import { openTotpSecrets, type TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { findViewersByKeys } from '#accounts/server/sign-ins.ts';
import { accountsDomain } from '#accounts/server/domain.ts';
import { listAdminMailRecipients, mailRecipientOf, findUserAsViewer } from '#accounts/server/users.ts';
import type { AlertServices } from '#alerts/server/alert-owner.ts';
import { backupDomain } from '#backup/server/domain.ts';
import { backupTimesSql } from '#backup/server/backup-rows.ts';
import { createNightlyBackups } from '#backup/server/nightly-backups.ts';
import type { NightlyBackups } from '#backup/server/services.ts';
import { complaintsDomain } from '#complaints/server/domain.ts';
import type { Config } from '#config.ts';
import { contract } from '#contract.ts';
import { watchClock, type MachineClock } from '#database/clock-watch.ts';
import { connect } from '#database/connect.ts';
import { listConsents } from '#database/consents.ts';
import type { DiskMonitor } from '#database/health.ts';
import { singleInstance, type Instances } from '#database/instances.ts';
import { openInstallationSecrets } from '#database/installation-values.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import { holdJobsUntilContinued, loadRestoredShop, type RestoredShop } from '#database/restores.ts';
import { mailDomain } from '#mail/server/domain.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { createMailSender } from '#mail/server/mail.ts';
import type { ReadMailShop, HasMailSender } from '#mail/server/services.ts';
import { createMailShopReader } from '#store/server/mail-shop.ts';
import { findLiveStoreIds } from '#store/server/store-views.ts';
import { readDatabaseVersions } from '#database/data-version.ts';
import type { Db } from '#database/schema.ts';
import type { BaseServices } from '#database/services.ts';
import { openSettingsWatch } from '#database/listen.ts';
import { cellsBelowHeading, readDishFile } from '#demo/dish-file.ts';
import { demoPictureSvg } from '#demo/server/pictures.ts';
import { demoStore } from '#demo/store.ts';
import { kitchenDomain } from '#kitchen/server/domain.ts';
import { m } from '#messages';
import type { OrderReadsForMenu } from '#menu/server/services.ts';
import { orderReadsForMenu, readNewestOrderTime, orderReadsForStore } from '#ordering/server/order-views.ts';
import { orderingDomain } from '#ordering/server/domain.ts';
import { paymentDomain } from '#payment/server/domain.ts';
import type { PersonalDataHandlers } from '#people/server/personal-data.ts';
import { AppError } from '#platform/errors.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { printJobsChannel, printersChannel } from '#printing/server/print-events.ts';
import { openPrinting, printingDomain } from '#printing/server/domain.ts';
import { pushDomain } from '#push/server/domain.ts';
import { reportsDomain } from '#reports/server/domain.ts';
import { type AddressLookup, createAddressLookup } from '#store/server/address-lookup.ts';
import type { OrderReadsForStore } from '#store/server/services.ts';
import { watchDomain } from '#watch/server/domain.ts';
import { openPrinterCache } from '#printing/server/printer-cache.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { Transports } from '#printing/server/transport.ts';
import { orderPrintsColumn } from '#printing/server/print-views.ts';
import { createOrderSessionCipher, type OrderSessionCipher } from '#ordering/server/order-sessions.ts';
import type { OrderPaymentEffects, OrderSqlParts, OrderPrintEffects } from '#ordering/server/services.ts';
import { type KeySetCache, keySetsChannel, openKeySetCache } from '#payment/server/keys/key-sets.ts';
import { createOrderPaymentEffects } from '#payment/server/refund-order.ts';
import { readFailedRefunds, latestPaymentSql, refundsOfOrderSql } from '#payment/server/payment-views.ts';
import { createPayments } from '#payment/server/payments.ts';
import type { Payments } from '#payment/server/services.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import { allowedOrigins } from '#platform/server/cors.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import { openFileStore } from '#platform/server/files/open-file-store.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { createSerialQueue, type SerialQueue } from '#platform/server/call-queues.ts';
import { readPushSenderConfig, type PushSenderConfig } from '#push/server/push.ts';
import { makeChannelTable, type ChannelTable } from '#realtime/channels.ts';
import type { ChannelAccess } from '#realtime/server/channel-access.ts';
import { createEventBuilder, startOutbox } from '#realtime/server/outbox.ts';
import { openMessageBus } from '#realtime/server/open-bus.ts';
import { createRealtimeServer, openPusherKeys, type RealtimeServer } from '#realtime/server/realtime.ts';
import { shopDomain } from '#shop/server/domain.ts';
import { openShopCache, type ShopCache } from '#shop/server/shop-cache.ts';
import { storeDomain } from '#store/server/domain.ts';
import { hatchVersion, type Versions } from '#versions.ts';

const channels = makeChannelTable([...orderingDomain.channels, ...kitchenDomain.channels], storeDomain.publicChannels);

export function createOrderSqlParts(openSession: OrderSqlParts['openSession']): OrderSqlParts {
  return {
    prints: orderPrintsColumn,
    latestPaymentSql,
    refunds: refundsOfOrderSql,
    failedRefunds: readFailedRefunds,
    openSession,
  };
}

export interface Services extends BaseServices, HasMailSender, EarlyServices {
  backups: NightlyBackups;
  /** The SQL of backup times, for the metrics and the takings mail. */
  backupTimes: typeof backupTimesSql;
  channels: ChannelTable;
  clock: Awaited<ReturnType<typeof watchClock>>;
  contract: typeof contract;
  /** The address of PostgreSQL itself, for services that need a session of their own. A pooler shares sessions. */
  database: string | pg.PoolConfig;
  demo: { store: typeof demoStore; dishes: ReadonlySet<string> };
  emailOf: typeof mailRecipientOf;
  /** Mails with invented data, for the office's previews. */
  examples: MailExamples;
  findPerson: typeof findUserAsViewer;
  jobs: Awaited<ReturnType<typeof startJobs>>;
  kept: PersonalDataHandlers;
  orders: OrderReadsForStore & OrderReadsForMenu;
  /** A separate connection pool for reads of history, so that orders never wait for them. */
  past: Db;
  config: Config;
  /** The SVG of a picture that the program draws; null: unknown name. */
  drawPicture(name: string): string | null;
  files: FileStore;
  installationKeys: InstallationKeys;
  keySets: KeySetCache;
  addresses: AddressLookup;
  menus: ShopCache;
  networkKey: string;
  /** The queue in which changes of a store or its menu wait before they take a database connection. */
  menuTurns: SerialQueue;
  outbox: ReturnType<typeof startOutbox>;
  payments: Payments;
  admins: AlertServices['admins'];
  mailShop: ReadMailShop;
  orderParts: OrderSqlParts;
  orderSessions: OrderSessionCipher;
  owed: OrderPaymentEffects;
  prints: OrderPrintEffects;
  encode: PrintingServices['encode'];
  leases: PrintingServices['leases'];
  printers: PrintingServices['printers'];
  transports: Transports;
  push: PushSenderConfig;
  access: ChannelAccess;
  realtime: RealtimeServer;
  restored: RestoredShop;
  signInProviders: SignInProviders;
  totpSecrets: TotpSecrets;
  versions: Versions;
}

/** The services that are created before the HTTP server, which needs them. */
interface EarlyServices {
  clients: ClientAddressReader;
  disk: DiskMonitor;
  fastPath: FastPath;
  /** This server's own origin; it must not be read before the server listens. */
  ownOrigin(): string;
}

export interface ServiceOptions {
  config: Config;
  db: Db;
  /** The connection settings for services with their own connections (jobs, listeners). */
  database: string | pg.PoolConfig;
  log: FastifyBaseLogger;
  now?: () => Date;
  /** The machine's uptime counter, which reveals jumps of the clock. */
  machine?: MachineClock;
  /** The other instances on the database; missing: none. */
  instances?: Pick<Instances, 'others'>;
  transports?: Transports;
}

const unchanging = {
  admins: listAdminMailRecipients,
  backupTimes: backupTimesSql,
  channels,
  contract,
  demo: { store: demoStore, dishes: new Set(cellsBelowHeading(readDishFile(), 'Name')) },
  emailOf: mailRecipientOf,
  findPerson: findUserAsViewer,
  orders: { ...orderReadsForStore, ...orderReadsForMenu },
};

/** The size of the connection pool for reads of history. All other statements use a second pool, of ten connections. */
const maxReadingPast = 4;

export async function openServices(
  options: ServiceOptions,
  parts: ServerParts,
  made: EarlyServices,
): Promise<Services> {
  const { config, db, database, log, now = () => new Date(), machine } = options;
  const onError = (error: unknown) => log.error({ err: error }, 'background');
  const past = connect(database, onError, { max: maxReadingPast });
  parts.add('past', { stop: past.close });
  const menus = parts.add('menus', await openShopCache({ database, config, onError }));
  const watched = [keySetsChannel, signInProvidersChannel, printersChannel, printJobsChannel];
  const watch = parts.add('settings', await openSettingsWatch({ database, log, channels: watched }));
  const signInProviders = await openSignInProviders({ config, watch, db, log });
  const keySets = await openKeySetCache({ config, watch, db, log });
  const installationKeys = await openInstallationSecrets(config, db, log);
  const orderSessions = createOrderSessionCipher(installationKeys);
  const orderParts = createOrderSqlParts(orderSessions.open);
  const bus = await openMessageBus(config, database, log, (options.instances ?? singleInstance).others);
  parts.add('bus', { stop: () => bus.close() });
  const { jobs, restored } = await openWork(database, db, onError);
  const pictures = { drawPicture: demoPictureSvg, files: openFileStore(config, log) };
  const mailShop = createMailShopReader({ db, menus, ...pictures });
  const mail = parts.add('mail', createMailSender({ config, db, jobs, log, mailShop, now }));
  // Parts stop in reverse order, and jobs send mails. So the job queue is added after `mail`, to stop before it.
  parts.add('jobs', jobs);
  const realtime = createRealtimeServer({
    ...(await openPusherKeys(config, db, installationKeys)),
    bus,
    channels,
    clients: made.clients,
    log,
    allowedOrigins: allowedOrigins(config),
  });
  const build = buildEvents({ config, menus, now, orderParts }, restored);
  const outbox = parts.add(
    'outbox',
    startOutbox(db, build, (events) => realtime.publish(events), onError),
  );
  const printers = parts.add('printers', await openPrinterCache({ db, log, now, outbox, watch }));
  const clock = await watchClock({ db, log, now, newest: readNewestOrderTime, ...(machine && { machine }) });
  const base = {
    ...made,
    ...unchanging,
    ownOrigin: () => loopbackOf(made.ownOrigin()),
    access: channelAccess(db, now),
    examples: mailExamples({ config, menus, now }),
    versions: { hatch: hatchVersion, ...(await readDatabaseVersions(db)) },
    installationKeys,
    networkKey: installationKeys.secret('hatch network digests'),
    orderSessions,
    orderParts,
    // A change of a store or its menu locks the store's row. Further changes wait here before they take a connection.
    menuTurns: createSerialQueue({ maxWaiting: 100, pause: 40 }),
    config,
    database,
    db,
    past: past.db,
    log,
    now,
    clock,
    ...pictures,
    keySets,
    menus,
    restored,
    jobs,
    mail,
    mailShop,
    outbox,
    owed: createOrderPaymentEffects({ admins: listAdminMailRecipients, config, jobs, mail, menus, now, outbox }),
    ...openPrinting(
      { config, db, log, menus, now, orderParts, outbox, printers, restored, ...pictures },
      options.transports,
    ),
    push: await readPushSenderConfig({ config, db, log, now }),
    realtime,
    signInProviders,
    totpSecrets: openTotpSecrets(config),
  };
  return { ...base, ...createWork(base, base.ownOrigin) };
}

function createWork(
  services: Parameters<typeof createNightlyBackups>[0] &
    Parameters<typeof keptData>[0] &
    Parameters<typeof createPayments>[0] &
    Pick<Services, 'config' | 'log'>,
  ownOrigin: () => string,
) {
  return {
    addresses: createAddressLookup(services.config, services.log),
    backups: createNightlyBackups(services),
    kept: keptData(services),
    payments: createPayments(services, { ownOrigin }),
  };
}

function channelAccess(db: Db, now: () => Date): ChannelAccess {
  return { viewers: (by) => findViewersByKeys(db, by, now()), scopes: (ids) => findLiveStoreIds(db, ids) };
}

/** The origin for calls to this server itself: the loopback address if the server listens on all addresses. */
function loopbackOf(origin: string): string {
  return origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
}

/** Opens the job queue. In a restored shop, jobs wait until its owner continues the shop. */
async function openWork(database: ServiceOptions['database'], db: Db, onError: (error: unknown) => void) {
  const restored = await loadRestoredShop(db);
  return { restored, jobs: holdJobsUntilContinued(await startJobs(database, onError), restored) };
}

function buildEvents(
  sources: Pick<Services, 'config' | 'menus' | 'now' | 'orderParts'>,
  { epoch }: Pick<RestoredShop, 'epoch'>,
) {
  const makers = {
    ...orderingDomain.events(sources),
    ...printingDomain.events(sources),
    ...shopDomain.events(sources),
    ...complaintsDomain.events(),
  };
  return createEventBuilder(makers, epoch);
}

/**
 * The readers and erasers of all domains' personal data. Complaints are erased before orders, because some complaints
 * are found only by the customer of their order. The account is erased last, because other data refers to it.
 */
function keptData(
  services: Pick<Services, 'db' | 'jobs' | 'orderParts' | 'owed' | 'prints' | 'totpSecrets'>,
): PersonalDataHandlers {
  return {
    readers: {
      ...accountsDomain.personalData,
      ...pushDomain.personalData,
      ...mailDomain.personalData,
      ...complaintsDomain.personalData,
      consents: (db, { user }) => listConsents(db, user.id),
      ...orderingDomain.personalData(services),
    },
    erasers: [paymentDomain, complaintsDomain, orderingDomain, mailDomain, accountsDomain].map(({ eraser }) =>
      eraser(services),
    ),
  };
}

function mailExamples({ config, menus, now }: Pick<Services, 'config' | 'menus' | 'now'>): MailExamples {
  const readStore = async (db: Db) => {
    const known = await menus.store(db);
    if (!known) throw new AppError('not_found', m.store_not_found());
    return known.store;
  };
  const invented = { readStore, now };
  return {
    ...accountsDomain.mailExamples(config, invented),
    ...orderingDomain.mailExamples(config, invented),
    ...paymentDomain.mailExamples(config, invented),
    ...watchDomain.mailExamples(config, invented),
    ...reportsDomain.mailExamples(config, invented),
    ...complaintsDomain.mailExamples(config, invented),
    ...backupDomain.mailExamples(config, invented),
  };
}
