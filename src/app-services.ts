import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { openSignInProviders, providersChannel, type SignInProviders } from '#accounts/server/social/providers.ts';
import { openTotpSecrets, type TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import { findSignedIn } from '#accounts/server/sign-ins.ts';
import { adminAddresses } from '#accounts/server/user-views.ts';
import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { Config } from '#config.ts';
import { watchClock, type MachineClock } from '#database/clock-watch.ts';
import { connect } from '#database/connect.ts';
import { alone, type Instances } from '#database/instances.ts';
import { installationValue, noteKeyMark } from '#database/installation-values.ts';
import { startJobs } from '#database/jobs/jobs.ts';
import { createMail } from '#mail/server/mail.ts';
import type { ReadMailShop, Sending } from '#mail/server/services.ts';
import { createMailShop } from '#store/server/mail-shop.ts';
import { onlyLiveStores } from '#store/server/store-views.ts';
import { readDataVersions } from '#database/stored-data.ts';
import type { Db } from '#database/schema.ts';
import type { BaseServices } from '#database/services.ts';
import { openSettingsWatch } from '#database/settings-watch.ts';
import { compose } from '#demo/server/pictures.ts';
import { boardChannels } from '#kitchen/channels.ts';
import { printerEvents, printEvents } from '#printing/server/print-events.ts';
import { jobsChannel, printersChannel } from '#printing/server/announce.ts';
import { createEncoder } from '#printing/server/encode-job.ts';
import { openPrinterMemory } from '#printing/server/known-printers.ts';
import { createLeases } from '#printing/server/leases.ts';
import { createOrderPrints } from '#printing/server/order-prints.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { Transports } from '#printing/server/transport.ts';
import { createTransports } from '#printing/server/transports.ts';
import { printsOfOrder } from '#printing/server/print-views.ts';
import { orderChannels } from '#ordering/channels.ts';
import { openOrderSessions, type OrderSessions } from '#ordering/server/order-sessions.ts';
import { orderEvents } from '#ordering/server/order-events.ts';
import { newestOrderAt } from '#ordering/server/order-views.ts';
import type { OrderOwed, OrderParts, OrderPrints } from '#ordering/server/services.ts';
import { keySetsChannel, openKeySets, type KeySets } from '#payment/server/keys/key-sets.ts';
import { createOrderOwed } from '#payment/server/order-owed.ts';
import { failedRefunds, latestPayment, refundsOfOrder } from '#payment/server/payment-views.ts';
import { createPayments } from '#payment/server/payments.ts';
import type { Payments } from '#payment/server/services.ts';
import type { Clients } from '#platform/server/client-address.ts';
import { allowedOrigins } from '#platform/server/cors.ts';
import type { FileStore } from '#platform/server/file-store.ts';
import { openInstallationKeys, type InstallationKeys } from '#platform/server/installation-keys.ts';
import { openFileStore } from '#platform/server/open-file-store.ts';
import type { Parts } from '#platform/server/parts.ts';
import { createTurns, type Turns } from '#platform/server/turns.ts';
import { openPush } from '#push/server/open-push.ts';
import type { PushSender } from '#push/server/push.ts';
import { channelTable } from '#realtime/channels.ts';
import type { AccessNow } from '#realtime/server/access.ts';
import { createEventBuilder } from '#realtime/server/build-events.ts';
import { openBus } from '#realtime/server/open-bus.ts';
import { startOutbox, type Outbox } from '#realtime/server/outbox.ts';
import { createRealtime, type Realtime } from '#realtime/server/realtime.ts';
import { menuUpdated } from '#shop/events.ts';
import { openShopCache, type ShopCache } from '#shop/server/shop-cache.ts';
import { shopEvents } from '#shop/server/shop-events.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { hatchVersion, type Versions } from '#versions.ts';

/** The channels that somebody may listen to. */
export const channels = channelTable([...orderChannels, ...boardChannels], [STORES_CHANNEL]);

/** What is shown with an order, of the domains above. */
export function orderPartsWith(openSession: OrderParts['openSession']): OrderParts {
  return { prints: printsOfOrder, latestPayment, refunds: refundsOfOrder, failedRefunds, openSession };
}

/** The services that the domains use. Each domain takes the ones it needs. Created once at the start. */
export interface Services extends BaseServices, Sending {
  /** Connections for what reads a long past: orders never wait for it. */
  past: Db;
  clients: Clients;
  config: Config;
  /** The SVG of a picture that the program draws; null if there is none of this name. */
  drawPicture(name: string): string | null;
  /** Uploaded pictures and files. */
  files: FileStore;
  installationKeys: InstallationKeys;
  keySets: KeySets;
  menus: ShopCache;
  networkKey: string;
  /** A change of a store or its menu takes a turn here before it takes a connection. */
  menuTurns: Turns;
  outbox: Outbox;
  /** This server's origin as it reaches itself, once it listens. */
  ownOrigin(): string;
  payments: Payments;
  admins: AlertServices['admins'];
  mailShop: ReadMailShop;
  orderParts: OrderParts;
  orderSessions: OrderSessions;
  owed: OrderOwed;
  prints: OrderPrints;
  encode: PrintingServices['encode'];
  leases: PrintingServices['leases'];
  printers: PrintingServices['printers'];
  transports: Transports;
  push: PushSender;
  access: AccessNow;
  realtime: Realtime;
  signInProviders: SignInProviders;
  totpSecrets: TotpSecrets;
  versions: Versions;
}

export interface ServiceOptions {
  config: Config;
  db: Db;
  /** The connection settings for parts with their own connections (jobs, listeners). */
  database: string | pg.PoolConfig;
  log: FastifyBaseLogger;
  now?: () => Date;
  /** A second clock, to detect jumps of the first. */
  machine?: MachineClock;
  /** The other instances on the database; by default there are none. */
  instances?: Pick<Instances, 'others'>;
  /** How jobs are sent to printers; by default the real ways. */
  transports?: Transports;
}

export interface PusherKeys {
  appId: string;
  key: string;
  secret: string;
}

/** Connections for reading a long past, beside the ten of everything else. */
const mostReadingPast = 4;

/** Creates the services. `ownOrigin` returns this server's own address; it is called only after the server listens. */
export async function openServices(options: ServiceOptions, parts: Parts, clients: Clients, ownOrigin: () => string) {
  const { config, db, database, log, now = () => new Date(), machine } = options;
  const onError = (error: unknown) => log.error({ err: error }, 'background');
  const past = connect(database, onError, { max: mostReadingPast });
  parts.add('past', { stop: past.close });
  const menus = parts.add('menus', await openShopCache({ database, config, onError }));
  const watched = [keySetsChannel, providersChannel, printersChannel, jobsChannel];
  const watch = parts.add('settings', await openSettingsWatch({ database, log, channels: watched }));
  const signInProviders = await openSignInProviders({ config, watch, db, log });
  const keySets = await openKeySets({ config, watch, db, log });
  const secrets = await openSecrets(config, db, log);
  const { orderParts } = secrets;
  const bus = await openBus(config, database, log, (options.instances ?? alone).others);
  parts.add('bus', { stop: () => bus.close() });
  const jobs = await startJobs(database, onError);
  const pictures = { drawPicture: compose, files: openFileStore(config, log) };
  const mailShop = createMailShop({ db, menus, ...pictures });
  const mail = parts.add('mail', createMail({ config, db, jobs, log, mailShop, now }));
  // The job workers send mails, so they stop before `mail` does.
  parts.add('jobs', jobs);
  const keys = await pusherKeys(config, db, secrets.installationKeys);
  const realtime = createRealtime({ ...keys, bus, channels, clients, log, allowedOrigins: allowedOrigins(config) });
  const shops = shopEvents(menus, config);
  const build = createEventBuilder({
    order: orderEvents(now, orderParts),
    print: printEvents,
    printer: printerEvents(config),
    store: shops,
    menu: shops,
  });
  const outbox = parts.add(
    'outbox',
    startOutbox(db, build, (events) => realtime.publish(events), onError),
  );
  const printers = parts.add('printers', await openPrinterMemory({ db, log, now, outbox, watch }));
  // Browsers that fetched the menu while an older version was shown fetch it again.
  menus.onShown(({ store: { id }, version }) => void realtime.publish([menuUpdated(id, version)]).catch(onError));
  const clock = await watchClock({ db, log, now, newest: newestOrderAt, ...(machine && { machine }) });
  // A server that listens on every address is reached on the loopback one.
  const own = () => ownOrigin().replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
  const base = {
    access: {
      viewers: (by) => findSignedIn(db, by, now()),
      scopes: (ids) => onlyLiveStores(db, ids),
    } satisfies AccessNow as AccessNow,
    admins: adminAddresses,
    clients,
    versions: { hatch: hatchVersion, ...(await readDataVersions(db)) },
    ...secrets,
    // A change of a store or its menu locks the store's row. Others wait here, so that each does not hold a connection.
    menuTurns: createTurns({ mostWaiting: 100, pause: 40 }),
    config,
    db,
    past: past.db,
    log,
    now,
    clock,
    ...pictures,
    keySets,
    menus,
    jobs,
    mail,
    mailShop,
    outbox,
    ownOrigin: own,
    owed: createOrderOwed({ jobs, menus, now }),
    encode: createEncoder({ db, menus, ...pictures }),
    leases: createLeases({ config, db, log, menus, now, orderParts, outbox, printers }),
    prints: createOrderPrints({ outbox, printers }),
    printers,
    transports: options.transports ?? createTransports(config, printers),
    push: await openPush({ config, db, log, now }),
    realtime,
    signInProviders,
    totpSecrets: openTotpSecrets(config),
  };
  const services = { ...base, payments: createPayments(base, { ownOrigin: own }) };
  return { services: services satisfies Services, keys };
}

/** Another key than at the last start is no reason to stay closed, but somebody should know. */
async function openSecrets(config: Config, db: Db, log: FastifyBaseLogger) {
  const keys = await openInstallationKeys(config);
  const isOther = await noteKeyMark(db, keys.secret('hatch key mark'));
  const { lostBecause } = keys;
  if (lostBecause !== null) {
    log.warn(
      { because: lostBecause },
      'the key of this installation cannot be kept in the data folder: set SECRETS_KEY',
    );
  } else if (isOther) {
    log.warn(
      'another instance, or an earlier start, had another key: give all instances one SECRETS_KEY or data folder',
    );
  }
  const orderSessions = openOrderSessions(keys);
  return {
    installationKeys: keys,
    networkKey: keys.secret('hatch network digests'),
    orderSessions,
    orderParts: orderPartsWith(orderSessions.open),
  };
}

/** The Pusher application's id and keys. The key is no secret: browsers have it, and keep it through an upgrade. */
async function pusherKeys(config: Config, db: Db, keys: InstallationKeys): Promise<PusherKeys> {
  return {
    appId: config.PUSHER_APP_ID ?? 'hatch',
    key: config.PUSHER_APP_KEY ?? (await installationValue(db, 'pusher key')).slice(0, 20),
    secret: config.PUSHER_APP_SECRET ?? keys.secret('hatch realtime'),
  };
}
