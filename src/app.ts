import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { takeEarlierMails, writeAccountMails } from '#accounts/server/owed-mails.ts';
import { serveFormPost } from '#accounts/server/social/form-post.ts';
import { startAccountSweep } from '#accounts/server/sweep-accounts.ts';
import { findPerson } from '#accounts/server/users.ts';
import { beforeSendingApps } from '#app-release/server/downloads.ts';
import { serveAssetLinks } from '#app-release/server/asset-links.ts';
import { startAlerts } from '#alerts/server/alert-owner.ts';
import { mailWatch } from '#alerts/server/watch-mail.ts';
import { apiErrors } from '#api-errors.ts';
import { keptData, serveEndpoints } from '#app-endpoints.ts';
import { openServices, type ServiceOptions, type Services } from '#app-services.ts';
import { contract } from '#contract.ts';
import { startForgettingLines } from '#audit/server/forget-lines.ts';
import { startForgettingIdle } from '#people/server/forget-idle.ts';
import { startLookingAfterComplaints } from '#complaints/server/look-after.ts';
import { auditChainWork } from '#database/audit-chain.ts';
import { createDisk } from '#database/disk.ts';
import { serveHealth } from '#database/health.ts';
import { startDueWork } from '#database/jobs/due-work.ts';
import { startForgettingMail } from '#mail/server/keep-mail.ts';
import { servePictures } from '#demo/server/pictures.ts';
import { startForgettingPapers } from '#printing/server/forget-papers.ts';
import { faultWatch } from '#printing/server/alert-faults.ts';
import { printWork } from '#printing/server/look-after.ts';
import { serveCloudPrnt } from '#printing/server/polling/cloudprnt.ts';
import { serveEpsonPolls } from '#printing/server/polling/epson-polls.ts';
import { startSendingPrints } from '#printing/server/send-prints.ts';
import { startMenuImports } from '#menu/server/handlers.ts';
import { deadlines } from '#ordering/server/deadlines.ts';
import { takeEarlierLinks, writeAccountLinks } from '#ordering/server/account-links.ts';
import { startForgettingGuests } from '#ordering/server/forget-guests.ts';
import { startForgettingOrigins } from '#ordering/server/order-limits.ts';
import { sessionWork } from '#ordering/server/session-work.ts';
import { orderMailWork, takeEarlierOrderMails, writeOrderMails } from '#ordering/server/send-order-mails.ts';
import { orderNewsWork } from '#ordering/server/push-news.ts';
import { startEnvironmentKeys } from '#payment/server/keys/environment-keys.ts';
import { keySetWork } from '#payment/server/keys/check-key-sets.ts';
import { serveSandbox } from '#payment/server/sandbox/routes.ts';
import { useFriendlyWords } from '#platform/http/field-messages.ts';
import { secretsOf } from '#platform/http/endpoint.ts';
import { keysOf } from '#platform/keys-of.ts';
import { isOnThisMachine } from '#platform/server/addresses.ts';
import { createClients } from '#platform/server/client-address.ts';
import { collectWhenIdle } from '#platform/server/collect-when-idle.ts';
import { allowedOrigins, createCors } from '#platform/server/cors.ts';
import { createFastPath, type FastPath } from '#platform/server/fast-path.ts';
import { createHttpApp } from '#platform/server/http-app.ts';
import type { Parts } from '#platform/server/parts.ts';
import { createQuickCalls } from '#platform/server/quick-calls.ts';
import { serveStoredFiles } from '#platform/server/stored-files.ts';
import { repeat } from '#platform/server/sweep.ts';
import { startPush } from '#push/server/push.ts';
import { takingsWork } from '#reports/server/keep-takings.ts';
import { takingsMailWork } from '#reports/server/mail-takings.ts';
import { startEndingAccess } from '#realtime/server/end-access.ts';
import { serveRealtimeApi } from '#realtime/server/server-api-routes.ts';
import { otherSizesOf } from '#uploads/picture-sizes.ts';
import { startWatchingDisk } from '#watch/server/watch-disk.ts';
import { watchWork } from '#watch/server/watch.ts';

export interface AppOptions extends ServiceOptions {
  /** Serves the web pages; left out if only the API is needed, as in tests without a build. */
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

/** Creates the whole application, ready to listen. Every part of it that runs is added to `parts`. */
export async function createApp(options: AppOptions, parts: Parts): Promise<App> {
  useFriendlyWords();
  const { config, db, log } = options;
  const disk = createDisk({ dataDir: config.dataDir, hasDatabase: !config.DATABASE_URL, db });
  const fastPath = createFastPath();
  parts.add('old answers', { stop: repeat(10_000, fastPath.forgetOld) });
  const quickCalls = createQuickCalls();
  const clients = createClients(config.TRUSTED_PROXIES, !isOnThisMachine(new URL(config.publicUrl)));
  const http = createHttpApp({
    log,
    fastPath: fastPath.answer,
    quickCalls,
    clients,
    cors: createCors(
      allowedOrigins(config),
      secretsOf(contract).map(({ header }) => header),
    ),
    endpoints: keysOf(contract),
    errors: apiErrors,
    diskFull: { words: m.ordering_disk_full, note: disk.noteFull },
  });
  const { services, keys } = await openServices(options, parts, clients, () => http.listeningOrigin);
  parts.add('http', { stop: () => http.close() });
  const { clock, files, jobs, now, outbox, payments, realtime } = services;

  serveEndpoints(http, services, fastPath);
  let isReady = false;
  serveHealth(http, { db, jobs, disk, isReady: () => isReady, now, versions: services.versions, clients });
  serveRealtimeApi(http, realtime);
  serveSandbox(http, services);
  serveFormPost(http, services);
  serveCloudPrnt(http, services, quickCalls);
  serveEpsonPolls(http, services, quickCalls);
  servePictures(http);
  serveStoredFiles(http, files, { insteadOf: otherSizesOf, beforeSending: beforeSendingApps(services) });
  serveAssetLinks(http, services);
  void files.check();
  await options.servePages?.(http, services, keys.key, fastPath);
  // Sockets are added after HTTP so that they close first: closing HTTP waits for every connection.
  realtime.attach(http.server);
  parts.add('sockets', { stop: () => realtime.close() });
  parts.add('ended access', startEndingAccess(services));

  const sending = parts.add('sending prints', startSendingPrints(services));
  await startAlerts(services);
  await startMails(services);
  await startPush(services);
  await startMenuImports({ ...services, findPerson });
  await payments.start();
  parts.add('payments', payments);
  parts.add('environment keys', await startEnvironmentKeys(services));
  const works = [
    outbox.leftBehind,
    deadlines(services),
    sessionWork(services),
    orderMailWork(services),
    mailWatch(services),
    orderNewsWork(services),
    ...payments.due,
    keySetWork(services),
    jobs.due,
    auditChainWork(db),
    clock.due,
    ...watchWork(services),
    ...printWork(services),
    faultWatch(services),
    takingsWork(services),
    takingsMailWork(services),
    sending.due,
  ];
  parts.add('due work', startDueWork(db, now, log, works));
  startLookingAfter(services, disk, parts);
  isReady = true;
  parts.add('idle collection', collectWhenIdle());
  parts.add('health', { stop: () => (isReady = false) });
  return { http, services };
}

/** What an earlier version queued is taken last, because it is queued again. */
async function startMails(services: Services): Promise<void> {
  writeAccountMails(services);
  writeOrderMails(services);
  writeAccountLinks(services);
  await services.mail.start();
  await takeEarlierMails(services);
  await takeEarlierOrderMails(services);
  await takeEarlierLinks(services);
}

/** What removes what is old, and watches the machine. */
function startLookingAfter(services: Services, disk: Parameters<typeof startWatchingDisk>[1], parts: Parts): void {
  parts.add('kept mail', startForgettingMail(services));
  parts.add('papers', startForgettingPapers(services));
  parts.add('guests', startForgettingGuests(services));
  parts.add('order origins', startForgettingOrigins(services));
  parts.add('disk', startWatchingDisk(services, disk));
  parts.add('accounts', startAccountSweep(services));
  parts.add('idle accounts', startForgettingIdle({ ...services, kept: keptData(services) }));
  parts.add('old audit lines', startForgettingLines(services));
  parts.add('complaints', startLookingAfterComplaints(services));
}
