import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { accountsDomain } from '#accounts/server/domain.ts';
import { createCallHost } from '#accounts/server/call-host.ts';
import { alertsDomain } from '#alerts/server/domain.ts';
import { apiInfo, describeWholeApi } from '#api-description.ts';
import { apiErrors } from '#api-errors.ts';
import { appReleaseDomain, guardAppDownloads } from '#app-release/server/domain.ts';
import { openServices, type ServiceOptions, type Services } from '#app-services.ts';
import { backupDomain } from '#backup/server/domain.ts';
import { auditDomain } from '#audit/server/domain.ts';
import { complaintsDomain } from '#complaints/server/domain.ts';
import { contract } from '#contract.ts';
import { auditChainWork } from '#database/audit.ts';
import { createDiskMonitor, serveHealth } from '#database/health.ts';
import type { EndpointRegistration } from '#database/endpoint-registration.ts';
import { slowStatementFeed } from '#database/usage-metrics.ts';
import { type DueWork, startDueWork } from '#database/jobs/due-work.ts';
import { skipDueWorkWhileHeld } from '#database/restores.ts';
import { demoDomain } from '#demo/server/domain.ts';
import { kitchenDomain } from '#kitchen/server/domain.ts';
import { mailDomain } from '#mail/server/domain.ts';
import { menuDomain } from '#menu/server/domain.ts';
import { offersDomain } from '#offers/server/domain.ts';
import { officeDomain } from '#office/server/domain.ts';
import { orderingDomain } from '#ordering/server/domain.ts';
import { paymentDomain } from '#payment/server/domain.ts';
import { peopleDomain } from '#people/server/domain.ts';
import { type Endpoints, secretHeadersOf } from '#platform/http/endpoint.ts';
import { setFriendlyZodMessages } from '#platform/http/parse.ts';
import { throwIfEndpointsLackRoutes } from '#platform/http/serve.ts';
import { keysOf } from '#platform/keys-of.ts';
import { isLoopbackUrl } from '#platform/server/addresses.ts';
import { serveApiDescription } from '#platform/server/api-page.ts';
import { createClientAddressReader } from '#platform/server/client-address.ts';
import { collectGarbageWhenIdle } from '#platform/server/collect-garbage.ts';
import { allowedOrigins, createCors } from '#platform/server/cors.ts';
import { createFastPath, type FastPath } from '#platform/server/fast-path.ts';
import { createHttpApp } from '#platform/server/http-app.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { serveStoredFiles } from '#platform/server/files/stored-files.ts';
import { repeatEvery } from '#platform/server/sweep.ts';
import { printingDomain } from '#printing/server/domain.ts';
import { pushDomain } from '#push/server/domain.ts';
import { realtimeDomain } from '#realtime/server/domain.ts';
import { reportsDomain } from '#reports/server/domain.ts';
import { shopDomain, storeCallsDomain } from '#shop/server/domain.ts';
import { storeDomain } from '#store/server/domain.ts';
import { storefrontDomain } from '#storefront/server/domain.ts';
import { fallbackFileNamesOf } from '#uploads/picture-sizes.ts';
import { uploadsDomain } from '#uploads/server/domain.ts';
import { watchDomain } from '#watch/server/domain.ts';

interface Domain {
  /** The group of the domain's calls in the API description. */
  name: string;
  calls?: readonly EndpointRegistration<Services>[];
  /** Whether the domain's changes wait in `menuTurns` before they take a connection. */
  takesTurns?: boolean;
  routes?(http: FastifyInstance, services: Services): void;
  /** Registers the functions that write the domain's mails; called before any mail is sent. */
  writeMails?(services: Services): void;
  /** Starts the domain's workers and sweeps, and adds them to `parts`. May return due work, as `work` does. */
  start?(services: Services, parts: ServerParts): StartedWork | Promise<StartedWork>;
  /** Returns work whose due time is in the database. */
  work?(services: Services): readonly DueWork[];
}
type StartedWork = readonly DueWork[] | void;

/**
 * All domains in start order. Mail comes before the domains that move mails from an earlier version's queue into the
 * mail domain's queue.
 */
const domains: readonly Domain[] = [
  realtimeDomain,
  uploadsDomain,
  printingDomain,
  alertsDomain,
  mailDomain,
  pushDomain,
  storeDomain,
  storeCallsDomain,
  menuDomain,
  shopDomain,
  accountsDomain,
  orderingDomain,
  paymentDomain,
  kitchenDomain,
  watchDomain,
  complaintsDomain,
  offersDomain,
  reportsDomain,
  peopleDomain,
  auditDomain,
  backupDomain,
  appReleaseDomain,
  demoDomain,
  storefrontDomain,
  officeDomain,
];

export interface AppOptions extends ServiceOptions {
  /** Serves the web pages; missing if only the API is needed, as in tests without a build. */
  servePages?: ServePages;
}

export type ServePages = (
  http: FastifyInstance,
  services: Services,
  realtimeKey: string,
  fastPath: FastPath,
) => Promise<void>;

export interface App {
  http: FastifyInstance;
  services: Services;
}

export async function createApp(options: AppOptions, parts: ServerParts): Promise<App> {
  setFriendlyZodMessages();
  const { config, db, log } = options;
  const disk = createDiskMonitor({ dataDir: config.dataDir, hasDatabase: !config.DATABASE_URL, db });
  parts.add('slow statements', { stop: slowStatementFeed.listen((slow) => log.info(slow, 'slow statement')) });
  const fastPath = createFastPath();
  parts.add('old answers', { stop: repeatEvery(10_000, fastPath.forgetOld) });
  const publicUrl = new URL(config.publicUrl);
  const clients = createClientAddressReader(
    config.TRUSTED_PROXIES,
    !isLoopbackUrl(publicUrl),
    publicUrl.protocol === 'https:',
  );
  const secretHeaders = secretHeadersOf(contract).map(({ header }) => header);
  let epoch: string | null = null;
  const http = createHttpApp({
    log,
    fastPath: fastPath.answer,
    clients,
    cors: createCors(allowedOrigins(config), secretHeaders),
    endpoints: keysOf(contract),
    errors: apiErrors,
    diskFull: { words: m.ordering_disk_full, note: disk.noteFull },
    epoch: () => epoch,
  });
  const made = { clients, disk, fastPath, ownOrigin: () => http.listeningOrigin };
  const services = await openServices(options, parts, made);
  epoch = services.restored.epoch;
  parts.add('http', { stop: () => http.close() });
  const { files, jobs, now, realtime } = services;

  serveCalls(http, services);
  let isReady = false;
  serveHealth(http, { db, jobs, disk, isReady: () => isReady, now, versions: services.versions, clients });
  for (const { routes } of domains) routes?.(http, services);
  serveStoredFiles(http, files, { insteadOf: fallbackFileNamesOf, beforeSending: guardAppDownloads(services) });
  void files.check();
  await options.servePages?.(http, services, realtime.key, fastPath);
  // Parts stop in reverse order. The sockets must close before HTTP, because closing HTTP waits for every connection.
  realtime.attach(http.server);
  parts.add('sockets', { stop: () => realtime.close() });
  await startDomains(services, parts);
  isReady = true;
  parts.add('idle collection', collectGarbageWhenIdle());
  parts.add('health', { stop: () => (isReady = false) });
  return { http, services };
}

function serveCalls(http: FastifyInstance, services: Services): void {
  const host = createCallHost(services);
  const inTurn: typeof host = {
    ...host,
    transaction: (...change) => services.menuTurns.take(() => host.transaction(...change)),
  };
  const groups: Record<string, Endpoints> = {};
  for (const { name, calls = [], takesTurns = false } of domains) {
    for (const { rows, serve } of calls) {
      serve(http, takesTurns ? inTurn : host, services);
      groups[name] = { ...groups[name], ...rows };
    }
  }
  throwIfEndpointsLackRoutes(http, keysOf(contract));
  // The API description is created at its first request, because creating it takes longer than the rest of the start.
  serveApiDescription(http, () => (description ??= describeWholeApi(groups)), apiInfo);
}
let description: Record<string, unknown> | undefined;

async function startDomains(services: Services, parts: ServerParts): Promise<void> {
  const { clock, db, jobs, log, now, outbox, restored } = services;
  const works: DueWork[] = [];
  for (const { writeMails } of domains) writeMails?.(services);
  for (const { start } of domains) works.push(...((await start?.(services, parts)) ?? []));
  for (const { work } of domains) works.push(...(work?.(services) ?? []));
  const always: DueWork[] = [jobs.due, auditChainWork(db), clock.due, outbox.leftBehind, restored.due];
  const held = works.filter((work) => !always.includes(work)).map((work) => skipDueWorkWhileHeld(work, restored));
  parts.add('due work', startDueWork(db, now, log, [...always, ...held]));
}
