import type { Backups } from '#backup/contract.ts';
import { presentBackups } from '#backup/server/handlers.ts';
import { countAdminsWithoutFactor } from '#accounts/server/factors/factor-rows.ts';
import { hasUnconfirmedClockJump } from '#database/clock-watch.ts';
import { jobCountsByStateSql } from '#database/jobs/jobs.ts';
import { readLastRestore } from '#database/restores.ts';
import { countWaitingMails } from '#mail/server/mail.ts';
import { countOpenOrders, type OpenOrderCounts } from '#ordering/server/order-timeline.ts';
import { readKeyProblems } from '#payment/server/keys/key-sets.ts';
import { readLastBoardContact } from '#watch/server/watch.ts';
import { sql } from 'kysely';
import { createDiskMonitor, type DiskState, type DiskSpace } from '#database/health.ts';
import {
  fetchShopHealth,
  fetchMetricsStatus,
  type HealthAnswer,
  type Machine,
  pendingSetupOf,
} from '#hatch/machine.ts';
import { walArchiveFaults, walArchiveWords, readWalArchiveStatus, type WalArchiveStatus } from '#hatch/wal-archive.ts';
import { keyProblemWords } from '#payment/key-problem-words.ts';
import { findUnreadPrints } from '#printing/server/handlers.ts';
import { presentPrinter, readStorePrinters } from '#printing/server/printer-views.ts';
import { openStateAt } from '#store/opening-hours.ts';
import { presentStore, selectLiveStores } from '#store/server/store-views.ts';
import { boardContactMaxAgeMs, boardGraceMs } from '#watch/board-watch.ts';
import { hatchVersion } from '#versions.ts';

export interface StoreStatus {
  id: string;
  name: string;
  is_open: boolean;
  paused_until: string | null;
  orders: OpenOrderCounts;
  boards: { last_seen_at: string | null; is_on: boolean };
  printers: { name: string; state: string; words: string | null; since: string | null }[];
  /** The number of receipts that were not printed and whose fault nobody has acknowledged on the board. */
  unread_prints: number;
}

export interface ShopStatus {
  version: string;
  url: string;
  /** When the shop started; null if it does not run on this data folder, or its database is elsewhere. */
  running_since: string | null;
  health: HealthAnswer | null;
  data: { folder: string | null; migration: string | null; postgres: string; bytes: number; fault: string | null };
  /**
   * The state of the archive of write-ahead log files. The archive allows the database server to be restored to any
   * past moment. null: there is no archive.
   */
  archive: WalArchiveStatus | null;
  disk: DiskSpace & { state: DiskState };
  setup: { url: string; code: string } | null;
  /** The backup from which the shop was restored, while the shop is held; null: the shop is not held. */
  restored: { copy_made_at: string; url: string } | null;
  /** The counts of jobs and mails. If `data.fault` is set, this is null, and `stores` is empty. */
  queue: { jobs_waiting: number; jobs_failed: number; mails_waiting: number; mails_refused: number } | null;
  /** null if `data.fault` is set. */
  backups: Backups | null;
  stores: StoreStatus[];
}

export async function readShopStatus(machine: Machine): Promise<ShopStatus> {
  const { config, db, url, dataFault } = machine;
  const { migrations, postgres } = machine.stored;
  const disk = createDiskMonitor({ dataDir: config.dataDir, hasDatabase: config.DATABASE_URL === undefined, db });
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return {
    version: hatchVersion,
    url,
    running_since: machine.runsSince,
    health: await fetchShopHealth(machine),
    data: {
      folder: config.DATABASE_URL === undefined ? config.dataDir : null,
      migration: migrations.at(-1) ?? null,
      postgres,
      bytes: Number(rows[0]?.bytes ?? 0),
      fault: dataFault,
    },
    archive: await readWalArchiveStatus(db),
    disk: { ...(await disk.room()), state: await disk.state() },
    setup: dataFault === null ? await pendingSetupOf(machine) : null,
    restored: dataFault === null ? await readHold(machine) : null,
    queue: dataFault === null ? await readQueue(machine) : null,
    backups: dataFault === null ? await presentBackups(db, config, machine.now()) : null,
    stores: dataFault === null ? await readStores(machine) : [],
  };
}

async function readHold({ db, url }: Machine): Promise<ShopStatus['restored']> {
  const last = await readLastRestore(db);
  if (last === null || last.continued_at !== null) return null;
  return { copy_made_at: last.copy_made_at.toISOString(), url: `${url}/admin/restored` };
}

const backupReasons = {
  no_room: 'Free some space on the disk.',
  failed: 'Its log says more.',
  interrupted: 'It is made again.',
  damaged: 'Run "hatch verify" on the folder backups of the data folder, and check the disk.',
};

function faultsOfBackups({ backups }: ShopStatus): InstallationFault[] {
  if (backups === null) return [];
  const { state, good_at: goodAt, problem, has_second_place: isElsewhere } = backups;
  const why = problem === null ? '' : ` ${problem.detail ?? ''} ${backupReasons[problem.reason]}`;
  const last = goodAt === null ? 'There is no good backup yet' : `The last good backup is from ${backupTime(goodAt)}`;
  return [
    ...(state === 'late' ? [error(`${last}.${why}`)] : []),
    ...(state !== 'late' && problem !== null ? [warning(`The last backup is not good.${why}`)] : []),
    ...faultsOfPlace(backups),
    ...(isElsewhere
      ? []
      : [
          warning(
            'Backups are on the disk of this machine only. Set BACKUP_TO, or copy the shop: hatch backup --to FOLDER.',
          ),
        ]),
  ];
}

function faultsOfPlace({ second_place: place }: Backups): InstallationFault[] {
  if (place === null || (place.state === 'good' && place.problem === null)) return [];
  const { to, sent_at: sentAt, state, problem } = place;
  const last =
    sentAt === null ? `No backup has got to ${to} yet` : `The last backup got to ${to} ${backupTime(sentAt)}`;
  return [(state === 'late' ? error : warning)(`${last}. ${problem ?? ''}`.trim())];
}

const backupTime = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

async function faultsOfTables(db: Machine['db'], { setup }: ShopStatus): Promise<InstallationFault[]> {
  const { admins, without } = await countAdminsWithoutFactor(db);
  const findings = (await readKeyProblems(db)).map((problem) => error(`Cards: ${keyProblemWords(problem)}`));
  if (await hasUnconfirmedClockJump(db))
    findings.push(warning('The clock of this computer has jumped. Confirm the time on the kitchen board.'));
  if (admins === 0 && setup === null)
    findings.push(error('No account can manage the shop. Start it with ADMIN_EMAIL and ADMIN_PASSWORD.'));
  if (admins > 0 && without === admins)
    findings.push(
      warning(
        'No owner has a passkey or an authenticator app: a stolen password is enough to sign in. Add one under My sign-in.',
      ),
    );
  return findings;
}

async function readQueue({ db }: Machine): Promise<NonNullable<ShopStatus['queue']>> {
  const { rows } = await sql<{ is_made: boolean }>`select to_regclass('pgboss.job') is not null as is_made`.execute(db);
  // The queue's tables may be missing: the first start creates them after the migrations.
  const jobs = rows[0]?.is_made
    ? await sql<{ jobs: { waiting: number; failed: number } }>`select ${jobCountsByStateSql} as jobs`.execute(db)
    : null;
  const mails = await countWaitingMails(db);
  return {
    jobs_waiting: jobs?.rows[0]?.jobs.waiting ?? 0,
    jobs_failed: jobs?.rows[0]?.jobs.failed ?? 0,
    mails_waiting: mails.waiting,
    mails_refused: mails.refused,
  };
}

async function readStores(machine: Machine): Promise<StoreStatus[]> {
  const { config, db } = machine;
  const now = machine.now();
  const rows = await selectLiveStores(db).selectAll().orderBy('created_at').orderBy('id').execute();
  const found: StoreStatus[] = [];
  for (const row of rows) {
    const orders = await countOpenOrders(db, row.id, now);
    const seen = await readLastBoardContact(db, row.id);
    found.push({
      id: row.id,
      name: row.name,
      is_open: openStateAt(presentStore(row, config), now).is_open,
      paused_until: row.paused_until?.toISOString() ?? null,
      orders,
      boards: {
        last_seen_at: seen?.toISOString() ?? null,
        is_on: seen !== null && now.getTime() - seen.getTime() < boardContactMaxAgeMs,
      },
      printers: (await readStorePrinters(db, row.id)).map((printer) => {
        const { name, status } = presentPrinter(printer, config);
        return { name, state: status.state, words: status.words, since: status.since };
      }),
      unread_prints: (await findUnreadPrints(db, row.id, now)).length,
    });
  }
  return found;
}

export interface InstallationFault {
  level: 'error' | 'warning' | 'ok';
  words: string;
}

/** The faults of this installation, each with its remedy; the worst first. */
export async function findInstallationFaults(machine: Machine): Promise<InstallationFault[]> {
  const status = await readShopStatus(machine);
  const findings: InstallationFault[] = [
    ...faultsOfProcess(status),
    ...faultsOfRestore(status),
    ...faultsOfData(status),
    ...faultsOfBackups(status),
    ...walArchiveFaults(status.archive).map(error),
    ...faultsOfSettings(machine.config, status),
    ...status.stores.flatMap((store) => faultsOfStore(store, machine.now())),
    ...(machine.dataFault === null ? await faultsOfTables(machine.db, status) : []),
  ];
  if (status.health !== null) findings.push(...metricsWords(await fetchMetricsStatus(machine)));
  if (findings.every(({ level }) => level === 'ok')) findings.push(fine('Nothing is wrong.'));
  return findings.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
}

const levels = ['error', 'warning', 'ok'];
const error = (words: string): InstallationFault => ({ level: 'error', words });
const warning = (words: string): InstallationFault => ({ level: 'warning', words });
const fine = (words: string): InstallationFault => ({ level: 'ok', words });

function metricsWords(asked: Awaited<ReturnType<typeof fetchMetricsStatus>>): InstallationFault[] {
  if (asked === null) return [];
  const { url, status } = asked;
  if (status === 200) return [fine(`The metrics answer at ${url}.`)];
  if (status === 503) return [warning(`The metrics at ${url} could not be read: the database answers too late.`)];
  const remedy = 'Start the shop again with METRICS_PORT and METRICS_TOKEN as this command has them.';
  return [warning(`The metrics do not answer at ${url}${status === null ? '' : ` (${status})`}. ${remedy}`)];
}

function faultsOfRestore({ restored }: ShopStatus): InstallationFault[] {
  if (restored === null) return [];
  const made = backupTime(restored.copy_made_at);
  return [
    warning(`The shop takes no orders: it was restored from the backup of ${made}. Continue it at ${restored.url}`),
  ];
}

function faultsOfProcess({ health, url, setup }: ShopStatus): InstallationFault[] {
  if (health === null)
    return [error(`The shop does not answer. Start it, or set PORT to the port that it listens on.`)];
  const bad = Object.entries(health.checks).filter(([, state]) => state !== 'ok');
  return [
    ...(health.status === 'ok'
      ? []
      : [
          error(
            `The shop takes no orders: ${bad.map(([part, state]) => `${part} is ${state}`).join(', ') || health.status}.`,
          ),
        ]),
    ...(setup ? [warning(`The shop is not set up yet. Open ${setup.url} and enter the code ${setup.code}.`)] : []),
    ...(/^http:\/\/(localhost|127\.)/.test(url)
      ? [warning('The shop has no public address. Customers can order once APP_URL is set and a proxy leads to it.')]
      : []),
  ];
}

function faultsOfData({ data, disk, queue }: ShopStatus): InstallationFault[] {
  const free = byteSizeWords(disk.free);
  return [
    ...(disk.state === 'full'
      ? [error(`The disk is full: no order can be saved. Free some space (${free} left).`)]
      : []),
    ...(disk.state === 'low' ? [warning(`The disk is nearly full: ${free} of ${byteSizeWords(disk.all)} left.`)] : []),
    ...(data.fault === null ? [] : [error(data.fault)]),
    ...(queue && queue.jobs_failed > 0
      ? [warning(`${counted(queue.jobs_failed, 'job has', 'jobs have')} failed. The log says why.`)]
      : []),
    ...(queue && queue.mails_refused > 0
      ? [warning(`The mail server refuses ${counted(queue.mails_refused, 'mail', 'mails')}. See Mail in the office.`)]
      : []),
  ];
}

function faultsOfSettings(config: Machine['config'], status: ShopStatus): InstallationFault[] {
  return [
    ...config.warnings.map(warning),
    ...(config.SMTP_URL ? [] : [warning('No mail is sent: SMTP_URL is not set. Mails are files in the data folder.')]),
    ...(config.ADMIN_PASSWORD
      ? [warning('ADMIN_PASSWORD sets that password again at each start. Take it out once you can sign in.')]
      : []),
    ...(config.DATABASE_URL === undefined && status.running_since === null && status.health !== null
      ? [warning('Another program or another shop answers on the port of this one.')]
      : []),
  ];
}

function faultsOfStore(
  { name, is_open, orders, boards, printers, unread_prints: unread }: StoreStatus,
  now: Date,
): InstallationFault[] {
  const seen = boards.last_seen_at === null ? 0 : Date.parse(boards.last_seen_at);
  const isUnattended = is_open && !boards.is_on && now.getTime() - seen > boardGraceMs;
  return [
    ...(isUnattended ? [error(`${name} is open and no kitchen board is on.`)] : []),
    ...(orders.unanswered > 0 && !boards.is_on
      ? [error(`${name}: ${counted(orders.unanswered, 'order waits', 'orders wait')} for an answer.`)]
      : []),
    ...printers.flatMap(({ name: printer, words }) =>
      words === null ? [] : [warning(`${name}, printer ${printer}: ${words}`)],
    ),
    ...(unread > 0
      ? [
          warning(
            `${name}: ${counted(unread, 'receipt', 'receipts')} did not come out, and nobody has said that they read it.`,
          ),
        ]
      : []),
  ];
}

export function statusLines(status: ShopStatus): string[] {
  const { health, disk, data, queue, restored } = status;
  const isSelling = health?.status === 'ok' && restored === null;
  const state = health === null ? 'does not answer' : isSelling ? 'takes orders' : 'takes no orders';
  const bad = Object.entries(health?.checks ?? {}).filter(([, each]) => each !== 'ok');
  return [
    `Hatch ${status.version} ${state}${bad.map(([part, each]) => `, ${part} ${each}`).join('')}`,
    `Address   ${status.url}`,
    ...(status.running_since ? [`Runs since ${status.running_since.slice(0, 16).replace('T', ' ')} UTC`] : []),
    ...ownerLines(status),
    `Data      ${data.folder ?? 'in a database of its own'}, ${byteSizeWords(data.bytes)}, ${data.migration ?? 'empty'}, PostgreSQL ${data.postgres}`,
    ...walArchiveWords(status.archive).map((words) => `Archive   ${words}`),
    `Disk      ${byteSizeWords(disk.free)} of ${byteSizeWords(disk.all)} free${disk.state === 'ok' ? '' : ` (${disk.state})`}`,
    ...(status.backups === null ? [] : [backupLine(status.backups), ...placeLines(status.backups)]),
    ...(data.fault === null ? [] : [`          ${data.fault}`]),
    ...(queue === null
      ? []
      : [
          `Queue     ${counted(queue.jobs_waiting, 'job', 'jobs')} and ${counted(queue.mails_waiting, 'mail', 'mails')} wait${queue.mails_refused > 0 ? `, ${queue.mails_refused} refused` : ''}`,
        ]),
    ...status.stores.flatMap((store) => storeLines(store, restored !== null)),
  ];
}

function ownerLines({ setup, restored }: ShopStatus): string[] {
  const made = restored && backupTime(restored.copy_made_at);
  return [
    ...(setup ? [`Set it up ${setup.url} with the code ${setup.code}`] : []),
    ...(restored ? [`Restored  from the backup of ${made}. Let it take orders: ${restored.url}`] : []),
  ];
}

function backupLine({ good_at: goodAt, copies, running }: Backups): string {
  const now = running === null ? '' : ', one is being made';
  if (goodAt === null) return `Backup    no good one yet${now}`;
  return `Backup    last good one ${backupTime(goodAt)}, ${counted(copies.length, 'copy', 'copies')} here${now}`;
}

function placeLines({ second_place: place }: Backups): string[] {
  if (place === null) return [];
  const { to, sent_at: sentAt, state } = place;
  const last = sentAt === null ? 'none sent yet' : `last sent ${backupTime(sentAt)}`;
  return [`          ${to}: ${last}${state === 'good' ? '' : `, ${state}`}`];
}

function storeLines(store: StoreStatus, isHeld: boolean): string[] {
  const { orders, boards, printers } = store;
  const seen =
    boards.last_seen_at === null ? 'never seen' : `last seen ${boards.last_seen_at.slice(0, 16).replace('T', ' ')} UTC`;
  const pause =
    store.paused_until === null || isHeld
      ? ''
      : `, paused until ${store.paused_until.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    '',
    `${store.name}: ${store.is_open ? 'open' : 'closed'}${pause}`,
    `  Orders   ${orders.open} open, ${orders.unanswered} unanswered`,
    `  Boards   ${boards.is_on ? 'on' : `off, ${seen}`}`,
    ...printers.map(({ name, state, words }) => `  Printer  ${name}: ${words ?? state}`),
    ...(store.unread_prints > 0 ? [`  Receipts ${store.unread_prints} did not come out`] : []),
  ];
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

export function byteSizeWords(bytes: number): string {
  const mega = bytes / 1e6;
  if (mega >= 1_000) return `${(mega / 1_000).toFixed(1)} GB`;
  return `${mega >= 10 ? Math.round(mega) : Math.max(0.1, mega).toFixed(1)} MB`;
}
