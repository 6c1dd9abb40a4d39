import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import { listenOn } from '#database/listen.ts';
import type { Tx } from '#database/schema.ts';

/** Settings in the database that each instance caches: they are read again when an instance changes them. */
export interface SettingsWatch {
  /**
   * Runs `load` now, and again after each change that is announced on the channel and each lost connection, one run after
   * the other. Throws if the first run does. Returns a function that runs it once more.
   */
  keep(channel: string, load: () => Promise<void>): Promise<() => Promise<void>>;
  /** Hears each announcement on the channel, with its text. `missed`: some may not be heard, or were not. */
  follow(channel: string, told: { heard: (text: string) => void; missed: () => void }): void;
  stop(): Promise<void>;
}

export interface SettingsWatchOptions {
  database: string | pg.PoolConfig;
  log: FastifyBaseLogger;
  /** Every channel of cached or followed settings. */
  channels: readonly string[];
}

/** Listens with one connection for all settings. Throws if the database cannot be reached. */
export async function openSettingsWatch({ database, log, channels }: SettingsWatchOptions): Promise<SettingsWatch> {
  const kept = new Map<string, () => Promise<void>>();
  const followed = new Map<string, Parameters<SettingsWatch['follow']>[1]>();
  const onError = (error: unknown) => log.error({ err: error }, 'changed settings could not be read');
  const tellMissed = () => {
    for (const { missed } of followed.values()) missed();
  };
  const listener = listenOn({
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
      // One after the other: a slow reading never replaces a later one. A reading that has not begun finds this change
      // too.
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

/** Tells every instance that settings changed, once `tx` is committed; `text` is for the channel's followers. */
export async function announceSettings(tx: Tx, channel: string, text = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`.execute(tx);
}
