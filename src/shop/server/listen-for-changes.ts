import pg from 'pg';
import { shopChangedChannel } from '#store/server/change-store.ts';

/**
 * Holds one connection that hears of changes: of which store, and which version it is at now where the change made one. What
 * was read while it was away may be old, so all is forgotten when it goes and when it is back.
 */
export function listenForChanges(
  database: string | pg.PoolConfig,
  forget: (storeId: string, version?: number) => void,
  forgetAll: () => void,
  onError: (error: unknown) => void,
): { ready: Promise<void>; stop(): Promise<void> } {
  let client: pg.Client | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async () => {
    const next = new pg.Client({
      ...(typeof database === 'string' ? { connectionString: database } : database),
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
      keepAlive: true,
    });
    next.on('error', onError);
    next.on('notification', ({ payload = '' }) => {
      const [storeId = '', version] = payload.split(' ');
      forget(storeId, version === undefined ? undefined : Number(version));
    });
    next.on('end', () => {
      forgetAll();
      if (isStopped || client !== next) return;
      retry = setTimeout(() => void open().catch(again), 500);
    });
    await next.connect();
    await next.query(`listen ${shopChangedChannel}`);
    client = next;
    forgetAll();
  };
  // A connection that died without a word would keep what is old for as long.
  const probe = setInterval(() => {
    const asked = client;
    asked?.query('select 1').catch(() => asked.end().catch(() => {}));
  }, 30_000).unref();
  const again = (error: unknown) => {
    onError(error);
    if (!isStopped) retry = setTimeout(() => void open().catch(again), 1_000);
  };
  return {
    ready: open(),
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      clearInterval(probe);
      await client?.end();
    },
  };
}
