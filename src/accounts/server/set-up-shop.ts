import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import { m } from '#messages';
import type { setup } from '#accounts/contract.ts';
import { createUser, type UserRow } from '#accounts/server/users.ts';
import type { Insertable } from 'kysely';
import type { Db, StoresTable } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { insertParts } from '#menu/server/editing/write-difference.ts';
import { createStore } from '#store/server/change-store.ts';
import { isAnyStore } from '#store/server/store-views.ts';
import { slugOf } from '#store/contract.ts';
import { weekdays } from '#store/weekdays.ts';
import type { AccountServices } from '#accounts/server/services.ts';

type SetupBody = Omit<z.output<(typeof setup)['POST /v1/setup']['body']>, 'code'>;

/** True until the first shop exists. */
export async function isSetupNeeded(db: Db): Promise<boolean> {
  return !(await isAnyStore(db));
}

export async function refuseSecondSetup(db: Db): Promise<void> {
  if (!(await isSetupNeeded(db))) throw new AppError('already_set_up', m.accounts_already_set_up());
}

/**
 * Creates the owner's account and a shop that opens daily from 17:00 to 22:00, for collection and cash, until the owner
 * changes that. Of two concurrent calls one succeeds; the other is refused with `already_set_up`. The environment may have
 * named an owner before (`first-admin.ts`).
 */
export async function setUpShop(
  services: Pick<AccountServices, 'db' | 'keySets' | 'log' | 'menus' | 'outbox'>,
  { owner, store }: SetupBody,
  now: Date,
): Promise<UserRow> {
  return makeChange(services, async (tx, afterCommit) => {
    await sql`select pg_advisory_xact_lock(hashtext('hatch setup'))`.execute(tx);
    await refuseSecondSetup(tx);
    const user = await createUser(tx, { ...owner, role: 'admin', createdAt: now });
    if (!user) throw invalid('owner.email', m.accounts_email_taken());
    const storeId = randomUUIDv7();
    const first: Insertable<StoresTable> & { id: string } = {
      id: storeId,
      name: store.name,
      slug: slugOf(store.name),
      phone: store.phone,
      address: JSON.stringify({ line1: '', line2: '', city: '', postcode: store.postcode }),
      operational_hours: JSON.stringify(weekdays.map((day) => ({ day, open: '17:00', close: '22:00' }))),
      closures: '[]',
      delivery_zones: '[]',
      payment_methods: JSON.stringify({ collection: ['cash'], delivery: ['cash'] }),
      created_at: now,
    };
    const menu = { id: randomUUIDv7(), store_id: storeId, name: m.accounts_first_menu_name(), position: 0 };
    await createStore(services, { db: tx, afterCommit }, first, () => insertParts(tx, { menus: [menu] }));
    return user;
  });
}
