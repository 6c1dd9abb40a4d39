import { alertOwner } from '#alerts/server/alert-owner.ts';
import { complaintAnswerDays, complaintRetentionMonths, complaintWarningDays } from '#complaints/complaint-rules.ts';
import { complaintAlert, presentComplaint, readComplaintShop } from '#complaints/server/complaint-mail.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import { erasedOrdersSql } from '#database/erasures.ts';
import { inTransaction } from '#database/transaction.ts';
import { deleteMailsToAddresses, removeOrphanedMailFiles } from '#mail/server/mail-retention.ts';
import { guestErasedOrdersSql, readOrderIdsOfCustomer } from '#ordering/server/order-views.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { OwnComplaint } from '#complaints/contract.ts';
import { eraseAuditDetailsOf } from '#database/audit.ts';
import type { Db, Tx } from '#database/schema.ts';

/** Milliseconds between two sweeps. */
const every = 60 * 60_000;
const day = 24 * 60 * 60_000;
const atOnce = 200;

/**
 * Starts the sweep that alerts the owner about complaints near their deadline. The sweep also erases the senders of
 * answered complaints, once the answer is old, or the sender's account was deleted, or an owner erased the guest of the
 * order.
 */
export function startComplaintSweep(services: ComplaintServices): Sweep & { sweep(): Promise<void> } {
  const { clock, log } = services;
  const sweep = async () => {
    await remind(services);
    await forgetOld(services);
  };
  return { sweep, ...startSweep({ name: 'complaints', every, log, clock }, sweep) };
}

async function remind(services: ComplaintServices): Promise<void> {
  const now = services.now();
  const since = new Date(now.getTime() - (complaintAnswerDays - complaintWarningDays) * day);
  await inTransaction(services.db, async (tx) => {
    const due = await tx
      .selectFrom('complaints')
      .select(['id', 'reference', 'created_at', 'store_id', 'is_allergy'])
      .where('answered_at', 'is', null)
      .where('reminded_at', 'is', null)
      .where('created_at', '<=', since)
      .orderBy('created_at')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const row of due) {
      const shop = await readComplaintShop(services, tx, row.store_id);
      await tx.updateTable('complaints').set({ reminded_at: now }).where('id', '=', row.id).execute();
      await alertOwner(tx, services, () => complaintAlert(services.config, row, { shop, isReminder: true }));
    }
  });
}

async function forgetOld(services: ComplaintServices): Promise<void> {
  const now = services.now();
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - complaintRetentionMonths);
  const ids = await inTransaction(services.db, async (tx) => {
    const old = await tx
      .selectFrom('complaints')
      .select('id')
      .where('answered_at', 'is not', null)
      .where('forgotten_at', 'is', null)
      // Two days after the answer, its mail has been sent or given up, so the complainant's details can be erased.
      .where((eb) =>
        eb.or([
          eb('answered_at', '<', before),
          eb.and([
            eb.or([eb('forgets', '=', true), eb('order_id', 'in', erasedOrdersSql)]),
            eb('answered_at', '<', new Date(now.getTime() - 2 * day)),
          ]),
        ]),
      )
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    const found = old.map(({ id }) => id);
    await eraseComplaintDetails(tx, found, now);
    await unlinkErasedOrders(tx);
    return found;
  });
  if (ids.length > 0) await removeOrphanedMailFiles(services);
}

/**
 * Removes the order from answered complaints once the order's guest was erased because of the order's age. The
 * complaint's name and address would identify that guest again. The complaint itself stays for three years.
 */
async function unlinkErasedOrders(tx: Tx): Promise<void> {
  await tx
    .updateTable('complaints')
    .set({ order_id: null, order_number: null, lines: '[]' })
    .where('answered_at', 'is not', null)
    .where('order_id', 'in', guestErasedOrdersSql)
    // If an owner erased the guest, the complaint keeps its order. `forgetOld` later finds the complaint by that order,
    // and erases the whole complaint.
    .where('order_id', 'not in', erasedOrdersSql)
    .execute();
}

interface Person {
  id: string;
  email: string;
  email_verified_at: Date | null;
}

/**
 * Matches the complaints of a person's account, complaints with the person's confirmed email address, and guests'
 * complaints about the person's orders. An unconfirmed address may belong to another person.
 */
async function isOf(db: Db, { id, email, email_verified_at: verifiedAt }: Person) {
  const orderIds = await readOrderIdsOfCustomer(db, id);
  const ofAddress = verifiedAt === null ? sql`` : sql`or lower(email) = ${email.toLowerCase()}`;
  return sql<boolean>`(user_id = ${id} or user_id is null and order_id = any(${orderIds}::uuid[]) ${ofAddress})`;
}

export async function exportComplaints(db: Db, { user }: { user: Person }): Promise<z.infer<typeof OwnComplaint>[]> {
  const rows = await db
    .selectFrom('complaints')
    .selectAll()
    .where(await isOf(db, user))
    .where('forgotten_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => {
    return OwnComplaint.parse(presentComplaint(row));
  });
}

/**
 * Erases a person from their complaints. The law requires an answer, so an open complaint is erased only after it is
 * answered.
 */
export const complaintDataEraser = {
  async refuse(): Promise<void> {},
  async erase(tx: Tx, user: Person): Promise<void> {
    const rows = await tx
      .updateTable('complaints')
      .set({ user_id: null, forgets: true })
      .where(await isOf(tx, user))
      .where('forgotten_at', 'is', null)
      .returning(['id', 'answered_at'])
      .execute();
    const answered = rows.filter(({ answered_at: at }) => at !== null).map(({ id }) => id);
    await eraseComplaintDetails(tx, answered, new Date());
  },
};

const noOrder = { order_id: null, store_id: null, lines: '[]', wish: null, is_allergy: false };

/** Erases the person and the texts from answered complaints, and erases the mails about these complaints. */
export async function eraseComplaintDetails(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.selectFrom('complaints').select('email').where('id', 'in', ids).execute();
  const empty = { name: '', email: '', message: '', answer: '', order_number: null, user_id: null, ...noOrder };
  await tx
    .updateTable('complaints')
    .set({ ...empty, forgotten_at: now })
    .where('id', 'in', ids)
    .where('forgotten_at', 'is', null)
    .execute();
  await deleteMailsToAddresses(
    tx,
    ['complaint_received', 'complaint_answered'],
    rows.map(({ email }) => email),
  );
  await eraseAuditDetailsOf(tx, ids);
}
