import { sql } from 'kysely';
import { type NoticeServices, mailTo } from '#accounts/server/account-mail.ts';
import { findUser, type UserRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';

const days = 24 * 60 * 60_000;
/** Milliseconds from the mail to the earliest deletion. */
export const noticeFor = 30 * days;

/** Customers' accounts that nobody has used since then, after this one by time and id. */
interface Page {
  since: Date;
  /** true: accounts whose owners were told long enough ago; false: accounts whose owners were not told yet. */
  isTold: boolean;
  now: Date;
  after?: { at: Date; user_id: string } | undefined;
  limit: number;
}

export function listIdle(db: Db, { since, isTold, now, after, limit }: Page) {
  let idle = db
    .selectFrom('account_activity as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.user_id', 'a.at'])
    .where('u.role', '=', 'customer')
    .where('a.at', '<=', since);
  idle = isTold
    ? idle.where('a.warned_at', '<=', new Date(now.getTime() - noticeFor))
    : idle.where('a.warned_at', 'is', null);
  if (after) idle = idle.where(sql<boolean>`(a.at, a.user_id) > (${after.at}, ${after.user_id}::uuid)`);
  return idle.orderBy('a.at').orderBy('a.user_id').limit(limit).execute();
}

/** Locks the account and reads it again: null if somebody has used it meanwhile, or it is no customer's. */
export async function lockIdle(
  tx: Tx,
  id: string,
  { since, isTold, now }: Pick<Page, 'since' | 'isTold' | 'now'>,
): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('account_activity as a', 'a.user_id', 'users.id')
    .select(['role', 'a.at', 'a.warned_at'])
    .where('users.id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row?.role !== 'customer' || row.at > since) return null;
  const told = row.warned_at?.getTime() ?? null;
  if (isTold ? told === null || told > now.getTime() - noticeFor : told !== null) return null;
  return (await findUser(tx, id)) ?? null;
}

/** Tells the owner by mail that the account will be deleted at `deletedAt`, unless it is used. */
export async function warnIdle(
  tx: Tx,
  services: NoticeServices,
  { user, now, deletedAt }: { user: UserRow; now: Date; deletedAt: Date },
): Promise<void> {
  await tx.updateTable('account_activity').set({ warned_at: now }).where('user_id', '=', user.id).execute();
  const written = await mailTo(services, tx, user, 'account_idle', { at: deletedAt });
  await services.mail.send(tx, { kind: 'account_idle', ...written });
}
