import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import { changeWithEffects } from '#database/transaction.ts';
import type { MenuServices } from '#menu/server/services.ts';
import { changeStore } from '#store/server/change-store.ts';

const tables = [sql`items`, sql`options`];

/** The times are compared as text, because ISO 8601 in UTC sorts by time. */
const isDueAt = (now: Date) => sql`price_change is not null and price_change->>'at' <= ${now.toISOString()}`;

/** Sets the prices whose time has come. All due prices of a store share one new version of its menu. */
export function priceChangeWork(
  services: Pick<MenuServices, 'clock' | 'db' | 'log' | 'menus' | 'now' | 'outbox'>,
): DueWork<string[]> {
  return {
    name: 'price changes',
    due: (now) =>
      sql<string[]>`array(${sql.join(
        tables.map((table) => sql`select store_id::text from ${table} where ${isDueAt(now)}`),
        sql` union `,
      )})`,
    async work(storeIds) {
      if (!services.clock.isTrusted()) return;
      for (const storeId of storeIds) await setPrices(storeId);
    },
  };

  async function setPrices(storeId: string): Promise<void> {
    const now = services.now();
    await changeWithEffects(services, (db, afterCommit) =>
      changeStore(services, { db, afterCommit }, storeId, 'menu', async (tx) => {
        for (const table of tables) {
          await sql`
            update ${table} set price = (price_change->>'price')::int, price_change = null
            where store_id = ${storeId} and ${isDueAt(now)}`.execute(tx);
        }
      }),
    );
  }
}
