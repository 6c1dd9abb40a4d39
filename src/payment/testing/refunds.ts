import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { RefundKind, RefundStatus } from '#payment/refund.ts';

interface WrittenRefund {
  storeId: string;
  orderId: string;
  amount: number;
  status: RefundStatus;
  day: string;
  at: Date | string;
  kind?: RefundKind;
  tip?: number;
  vat?: object[];
  reason?: string;
  actor?: string;
  providerRefund?: string;
}

/** Writes a refund by hand as it came to its status. Returns its id. */
export async function insertRefund(db: Db, refund: WrittenRefund): Promise<string> {
  const id = randomUUIDv7();
  const { amount, tip = 0, vat = [], status } = refund;
  const shared = { payment_id: null, amount, tip, vat: JSON.stringify(vat), lines: '[]' };
  await db
    .insertInto('refund_requests')
    .values({
      ...shared,
      id,
      part_of: null,
      store_id: refund.storeId,
      order_id: refund.orderId,
      key: randomUUID(),
      kind: refund.kind ?? 'asked',
      currency: 'GBP',
      reason: refund.reason ?? 'Cold',
      actor: refund.actor ?? 'Olive',
      actor_id: null,
      trading_day: refund.day,
      created_at: refund.at,
    })
    .execute();
  const attempt = { ...shared, request_id: id, number: 1, key: null, provider_refund: refund.providerRefund ?? null };
  await db
    .insertInto('refund_attempts')
    .values({ ...attempt, status: attemptOf[status] })
    .execute();
  return id;
}

const attemptOf = { pending: 'asked', succeeded: 'made', failed: 'returned' } as const;

/** Brings all refunds of an order to a status, without the calls that lead there. */
export async function setRefunds(db: Db, orderId: string, status: RefundStatus): Promise<void> {
  await sql`
    update refund_attempts set status = ${attemptOf[status]}
    where request_id in (select id from refund_requests where order_id = ${orderId})`.execute(db);
}

/** Takes a database back to the one table of refunds that migration 097 found, empty. */
export async function forgetRequests(db: Db): Promise<void> {
  await sql
    .raw(
      `drop view refunds;
      drop table refund_openings, refund_attempts, refund_requests cascade;
      drop function note_day_of_refund;
      create table refunds (
        id uuid primary key,
        store_id uuid not null references stores,
        order_id uuid not null references orders on delete cascade,
        payment_id uuid references payments on delete cascade,
        key uuid not null,
        status text not null check (status in ('pending', 'succeeded', 'failed')),
        amount int not null check (amount > 0),
        currency text not null,
        tip int not null default 0,
        vat jsonb not null default '[]',
        lines jsonb not null default '[]',
        reason text not null,
        actor text not null,
        actor_id uuid,
        attempts int not null default 1,
        trading_day date not null,
        check_at timestamptz,
        created_at timestamptz not null,
        settled_at timestamptz,
        kind text not null default 'asked',
        provider_refund text,
        unique (order_id, key)
      );
      alter table order_mails add foreign key (refund_id) references refunds on delete cascade`,
    )
    .execute(db);
}
