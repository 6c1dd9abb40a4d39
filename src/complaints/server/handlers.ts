import { randomInt, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { countAttempt, countComplaintMail } from '#accounts/server/throttle.ts';
import { alertOwner } from '#alerts/server/alert-owner.ts';
import type { complaintEndpoints } from '#complaints/contract.ts';
import {
  complaintAlert,
  type ComplaintRow,
  lockComplaint,
  mailComplainant,
  presentComplaint,
  readComplaint,
  readComplaintShop,
} from '#complaints/server/complaint-mail.ts';
import { forgetComplaints } from '#complaints/server/sweep-complaints.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import { anyColumnHasWords } from '#database/search-reach.ts';
import { readPage } from '#database/read-page.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { removeOrphanedMailFiles } from '#mail/server/mail-retention.ts';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { requireFreshSignInForMany } from '#platform/http/admit.ts';
import { personIdOf } from '#platform/http/viewer.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { currentLanguage } from '#platform/language.ts';

type ComplaintCall<K extends keyof typeof complaintEndpoints> = HandlerInput<typeof complaintEndpoints, K, Db, Tx>;

export function complaintHandlers(services: ComplaintServices): Handlers<typeof complaintEndpoints, Db, Tx> {
  return {
    'POST /v1/complaints': (call) => complain(services, call),
    'GET /v1/complaints': listComplaints,
    'GET /v1/complaints/{id}': async ({ db, params }) => ({
      data: presentComplaint(await readComplaint(db, params.id)),
    }),

    'PATCH /v1/complaints/{id}': async ({ db, params, body }) => {
      await lockOpen(db, params.id);
      return { data: await change(db, params.id, { status: body.status }) };
    },

    'POST /v1/complaints/{id}/answer': async ({ db, params, body, viewer, now }) => {
      const row = await lockOpen(db, params.id);
      const answered = { answer: body.answer, answered_by: viewer.name, answered_at: now } as const;
      const data = await change(db, row.id, { status: 'answered', ...answered });
      await mailComplainant(db, services, { ...row, ...answered }, 'complaint_answered');
      return { data };
    },

    'POST /v1/complaints/{id}/forget': async ({ db, params, now, afterCommit }) => {
      const { answered_at: at } = await lockComplaint(db, params.id);
      if (at === null) throw new AppError('conflict', m.complaints_not_answered());
      await forgetComplaints(db, [params.id], now);
      afterCommit(() => removeOrphanedMailFiles(services));
      return { data: presentComplaint(await readComplaint(db, params.id)) };
    },
  };
}

async function complain(services: ComplaintServices, call: ComplaintCall<'POST /v1/complaints'>) {
  const { db, body, viewer, now, address } = call;
  const { email } = body;
  await countAttempt(db, 'complaint', { email, address }, now);
  const row = await inTransaction(db, async (tx) => {
    const made = await tx
      .insertInto('complaints')
      .values({
        id: randomUUIDv7(),
        key: body.key,
        reference: newReference(),
        created_at: now,
        about: body.about,
        order_number: body.order_number || null,
        name: body.name,
        email,
        locale: currentLanguage(),
        message: body.message,
        user_id: personIdOf(viewer),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!made) return sameAgain(tx, body);
    // Anybody may type any address, so mails to one address are limited. The complaint is stored in any case.
    if (await countComplaintMail(tx, email, now)) await mailComplainant(tx, services, made, 'complaint_received');
    const shop = await readComplaintShop(services, tx);
    await alertOwner(tx, services, () => complaintAlert(services.config, made, { shop, isReminder: false }));
    return made;
  });
  const { reference, created_at, due_at } = presentComplaint(row);
  return { data: { reference, created_at, due_at, email } };
}

/**
 * Returns the complaint that an earlier attempt stored under this key. Throws 409 if that complaint has another address
 * or text.
 */
async function sameAgain(tx: Tx, { key, email, message }: { key: string; email: string; message: string }) {
  const row = await tx.selectFrom('complaints').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  if (row.email === email && row.message === message) return row;
  throw new AppError('conflict', m.complaints_key_taken());
}

function listComplaints(call: ComplaintCall<'GET /v1/complaints'>) {
  requireFreshSignInForMany(call);
  const { db, query } = call;
  let found = db.selectFrom('complaints').selectAll();
  if (query.status) found = found.where('status', '=', query.status);
  const { search } = query;
  if (search) found = found.where(anyColumnHasWords(['reference', 'name', 'email', 'order_number'], search));
  const sorted = found
    .orderBy(sql`answered_at is not null`)
    .orderBy(sql`case when answered_at is null then created_at end`)
    .orderBy('answered_at', 'desc')
    .orderBy('id');
  return readPage(db, '/v1/complaints', query, sorted, async (rows) => rows.map(presentComplaint));
}

/** Locks an unanswered complaint. Throws 404 if there is none, and 409 `conflict` if it is answered. */
async function lockOpen(tx: Tx, id: string): Promise<ComplaintRow> {
  const row = await lockComplaint(tx, id);
  if (row.answered_at !== null) throw new AppError('conflict', m.complaints_answered_already());
  return row;
}

async function change(
  tx: Tx,
  id: string,
  columns: Partial<Pick<ComplaintRow, 'status' | 'answer' | 'answered_by' | 'answered_at'>>,
) {
  const row = await tx
    .updateTable('complaints')
    .set(columns)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentComplaint(row);
}

/** The characters of references: no similar characters, and no vowels, because vowels could form words. */
const signs = '23456789BCDFGHJKLMNPQRSTVWXZ';

function newReference(): string {
  return `C-${Array.from({ length: 8 }, () => signs[randomInt(signs.length)]).join('')}`;
}
