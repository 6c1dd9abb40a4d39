import { repeatEvery } from '#platform/server/sweep.ts';
import pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';

export interface ListenOptions {
  database: string | pg.PoolConfig;
  channels: readonly string[];
  name: string;
  onNotification(payload: string, channel: string): void;
  /**
   * Called when listening has begun, at first or after a reconnection. Notifications before that may have been missed.
   */
  onOpen(): void;
  onLost(): void;
  onError(error: unknown): void;
}

export interface Listener {
  /** Resolves when listening has begun. Rejects if the first attempt fails; retries continue. */
  ready: Promise<void>;
  isOpen(): boolean;
  /**
   * Runs a query on the listening connection, which is closed if the query fails. Throws while there is no connection.
   */
  query(text: string, values: unknown[]): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds before a reconnection. */
const retryAfter = 500;
/** The timeout of the database's answers, in milliseconds. */
const timeout = 2_000;
/** Milliseconds between two probes. */
const probeEvery = 30_000;

export function listenToDatabase({ database, channels, name, ...told }: ListenOptions): Listener {
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  const open = async () => {
    const next = new pg.Client({
      ...(typeof database === 'string' ? { connectionString: database } : database),
      application_name: name,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      keepAlive: true,
    });
    next.on('notification', ({ payload = '', channel }) => told.onNotification(payload, channel));
    next.on('error', (error) => client === next && lose(error));
    next.on('end', () => client === next && lose(new Error('the database ended the connection')));
    try {
      await next.connect();
      for (const channel of channels) await next.query(`listen ${channel}`);
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
    if (isStopped) return next.end();
    client = next;
    told.onOpen();
  };
  const lose = (error: unknown) => {
    if (isStopped) return;
    told.onError(error);
    const lost = client;
    client = null;
    // Errors are ignored, because the connection is lost already.
    void lost?.end().catch(() => {});
    if (lost) told.onLost();
    clearTimeout(retry);
    retry = setTimeout(() => void open().catch(lose), retryAfter);
  };
  const query = async (text: string, values: unknown[]) => {
    const through = client;
    if (!through) throw new Error('there is no connection to the database');
    try {
      await through.query(text, values);
    } catch (error) {
      if (client === through) lose(error);
      throw error;
    }
  };
  // Probes detect a half-open connection.
  const stopProbing = repeatEvery(probeEvery, () => void (client && query('select 1', []).catch(() => {})));

  const ready = open();
  ready.catch(lose);
  return {
    ready,
    isOpen: () => client !== null,
    query,
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      stopProbing();
      await client?.end().catch(() => {});
    },
  };
}

/** Watches settings in the database. Each instance caches them, and reloads them after a change. */
export interface SettingsWatch {
  /**
   * Runs `load` now, and again after each announcement on the channel and each reconnection, one run at a time. Throws
   * if the first run throws. Returns a function with which the caller runs `load` once more.
   */
  keep(channel: string, load: () => Promise<void>): Promise<() => Promise<void>>;
  /**
   * Calls `heard` with the text of each announcement on the channel, and `missed` when announcements may have been
   * lost.
   */
  follow(channel: string, told: { heard: (text: string) => void; missed: () => void }): void;
  stop(): Promise<void>;
}

export interface SettingsWatchOptions {
  database: string | pg.PoolConfig;
  log: FastifyBaseLogger;
  channels: readonly string[];
}

/** Opens the watch, which listens by one connection for all settings. Throws if the database cannot be reached. */
export async function openSettingsWatch({ database, log, channels }: SettingsWatchOptions): Promise<SettingsWatch> {
  const kept = new Map<string, () => Promise<void>>();
  const followed = new Map<string, Parameters<SettingsWatch['follow']>[1]>();
  const onError = (error: unknown) => log.error({ err: error }, 'changed settings could not be read');
  const tellMissed = () => {
    for (const { missed } of followed.values()) missed();
  };
  const listener = listenToDatabase({
    database,
    channels,
    name: 'hatch-settings',
    onNotification: (payload, channel) => {
      followed.get(channel)?.heard(payload);
      void kept.get(channel)?.().catch(onError);
    },
    onOpen: () => {
      for (const reload of kept.values()) void reload().catch(onError);
      tellMissed();
    },
    onLost: () => tellMissed(),
    onError,
  });
  await listener.ready.catch(async (error: unknown) => {
    await listener.stop();
    throw error;
  });
  return {
    async keep(channel, load) {
      let loading = Promise.resolve();
      let next: Promise<void> | null = null;
      // Loads run one at a time, so that a slow load never overwrites the result of a later load. A waiting load
      // (`next`) will read all changes that are made before it begins. So a second waiting load is not needed.
      const reload = () => {
        next ??= loading = loading
          .catch(() => undefined)
          .then(() => {
            next = null;
            return load();
          });
        return next;
      };
      kept.set(channel, reload);
      await reload();
      return reload;
    },
    follow: (channel, told) => void followed.set(channel, told),
    stop: () => listener.stop(),
  };
}

/** Notifies every instance that settings changed, once `tx` is committed; `text` is for the channel's followers. */
export async function announceSettingsChange(tx: Tx, channel: string, text = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`.execute(tx);
}
