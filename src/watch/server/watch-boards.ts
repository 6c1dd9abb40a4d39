import { sql } from 'kysely';
import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import { timeWords } from '#platform/date-words.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import type { StaffStore } from '#store/contract.ts';
import type { ChangingCall } from '#store/server/change-store.ts';
import { liveStores, lockPause, setPause } from '#store/server/store-views.ts';
import { type BoardVerdict, type BoardWatch, boardFresh, judgeBoards } from '#watch/board-watch.ts';
import { type Alert, alertOwner } from '#alerts/server/alert-owner.ts';
import type { WatchServices } from '#watch/server/services.ts';

/** A store with the state of its boards. */
export type StoreWatch = { store_id: string } & { [K in keyof BoardWatch]: string | null };

/** Every store's, as JSON; null when there is no store. */
export const storeWatches = sql<StoreWatch[] | null>`
  select json_agg(json_build_object(
    'store_id', stores.id, 'seen_at', w.seen_at, 'lost_at', w.lost_at, 'paused_until', w.paused_until))
  from ${liveStores} as stores left join board_watches as w on w.store_id = stores.id`;

/**
 * Checks once whether `stores` have a board: records this instance's boards, and acts on those of all instances. The
 * owner is told of an outage once, and once of its end, whichever instance checks.
 */
export async function watchBoards(
  services: Pick<
    WatchServices,
    'admins' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'outbox' | 'realtime'
  >,
  watchingSince: Date,
  stores: readonly StoreWatch[],
): Promise<void> {
  const { db, menus } = services;
  const now = services.now();
  for (const { store_id: id, ...known } of stores) {
    const watch: BoardWatch = {
      seen_at: known.seen_at === null ? null : new Date(known.seen_at),
      lost_at: known.lost_at === null ? null : new Date(known.lost_at),
      paused_until: known.paused_until === null ? null : new Date(known.paused_until),
    };
    if (services.realtime.countMembers(storeBoardsChannel(id)) > 0) {
      // A third of the time for which a sighting counts, so that not every check writes.
      if (watch.seen_at === null || now.getTime() - watch.seen_at.getTime() >= boardFresh / 3) await see(db, id, now);
      watch.seen_at = now;
    }
    const shop = await menus.shop(id);
    if (!shop) continue;
    if (judgeBoards(shop.store, watch, watchingSince, now).kind === 'calm') continue;
    await makeChange(services, (tx, afterCommit) =>
      act({ db: tx, afterCommit }, services, shop.store, watchingSince, now),
    );
  }
}

async function see(db: Db, storeId: string, now: Date): Promise<void> {
  await db
    .insertInto('board_watches')
    .values({ store_id: storeId, seen_at: now })
    .onConflict((conflict) => conflict.column('store_id').doUpdateSet({ seen_at: now }))
    .execute();
}

/** Decides again with the row locked: another instance may have been faster. */
async function act(
  call: ChangingCall,
  services: Pick<WatchServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>,
  store: StaffStore,
  watchingSince: Date,
  now: Date,
): Promise<void> {
  const tx = call.db;
  await tx
    .insertInto('board_watches')
    .values({ store_id: store.id })
    .onConflict((conflict) => conflict.column('store_id').doNothing())
    .execute();
  const watch = await tx
    .selectFrom('board_watches')
    .selectAll()
    .where('store_id', '=', store.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const pausedUntil = await lockPause(tx, store.id);
  const current = { ...store, paused_until: pausedUntil?.toISOString() ?? null };
  const verdict = judgeBoards(current, watch, watchingSince, now);
  if (verdict.kind === 'calm') return;
  const isLost = verdict.kind === 'lost';
  await tx
    .updateTable('board_watches')
    .set({ lost_at: isLost ? verdict.since : null, paused_until: isLost ? verdict.pauseUntil : null })
    .where('store_id', '=', store.id)
    .execute();
  if (isLost && verdict.pauseUntil) {
    await setPause(services, call, store.id, { until: verdict.pauseUntil, cause: 'no_board' });
  }
  if (verdict.kind === 'back' && verdict.resumes) {
    await setPause(services, call, store.id, { until: null, cause: null });
  }
  if (verdict.kind === 'lost' || verdict.kind === 'back') {
    await alertOwner(tx, services, () => verdictAlert(services.config, store, verdict));
  }
}

export function verdictAlert(
  config: { publicUrl: string },
  store: Pick<StaffStore, 'id' | 'name' | 'timezone' | 'answer_minutes'>,
  verdict: Extract<BoardVerdict, { kind: 'lost' | 'back' }>,
): Alert {
  const shop = store.name;
  const lost = { kind: 'boards_lost', store: { id: store.id, name: shop } } as const;
  const link = { words: m.watch_open_board(), link: `${config.publicUrl}/store/orders` };
  if (verdict.kind === 'lost') {
    const time = timeWords(verdict.since, store.timezone);
    const subject = m.watch_lost_subject({ shop });
    if (verdict.pauseUntil) return { ...lost, subject, link, text: m.watch_lost_paused({ shop, time }) };
    return { ...lost, subject, link, text: m.watch_lost({ shop, time, minutes: store.answer_minutes }) };
  }
  const text = verdict.resumes ? m.watch_back_resumed({ shop }) : m.watch_back({ shop });
  return { ...lost, kind: 'boards_back', subject: m.watch_back_subject({ shop }), text };
}

/** When a board of the store was last on; null: never. */
export async function boardSeenAt(db: Db, storeId: string): Promise<Date | null> {
  const row = await db.selectFrom('board_watches').select('seen_at').where('store_id', '=', storeId).executeTakeFirst();
  return row?.seen_at ?? null;
}
