import { randomInt, randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { countAttempt, countComplaintMail } from '#accounts/server/throttle.ts';
import { alertOwner } from '#alerts/server/alert-owner.ts';
import { type complaintEndpoints, type OrderComplaint, OwnComplaint } from '#complaints/contract.ts';
import {
  complaintAlert,
  type ComplaintRow,
  lockComplaint,
  mailComplainant,
  presentComplaint,
  readComplaint,
  readComplaintShop,
} from '#complaints/server/complaint-mail.ts';
import { announceComplaint } from '#complaints/server/complaint-events.ts';
import { eraseComplaintDetails } from '#complaints/server/sweep-complaints.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import { anyColumnHasWordsSql } from '#database/text-search.ts';
import { readPage } from '#database/read-page.ts';
import type { ComplaintLine } from '#database/column-types.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { removeOrphanedMailFiles } from '#mail/server/mail-retention.ts';
import { m } from '#messages';
import { orderAccessRefusal, relationToOrder } from '#ordering/server/order-calls.ts';
import { findOrder, readOrderContacts } from '#ordering/server/order-views.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { requireFreshSignInForBulk } from '#platform/http/admit.ts';
import { isStaffOf, personIdOf, type Viewer } from '#platform/http/viewer.ts';
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

    'GET /v1/stores/{id}/complaints': async ({ db, params, viewer }) => {
      if (!isStaffOf(viewer, params.id)) throw new AppError('forbidden', m.platform_forbidden());
      return { data: await listOrderComplaints(db, params.id) };
    },

    'GET /v1/orders/{id}/complaints': async (call) => {
      const order = await readComplaintOrder(call, call.params.id);
      return { data: order.forgotten_at === null ? await readOrderComplaints(call.db, order.id) : [] };
    },

    'PATCH /v1/complaints/{id}': async ({ db, params, body, viewer }) => {
      await lockOpen(db, params.id, viewer);
      return { data: await change(db, params.id, { status: body.status }) };
    },

    'POST /v1/complaints/{id}/answer': async ({ db, params, body, viewer, now, afterCommit }) => {
      const row = await lockOpen(db, params.id, viewer);
      const answered = { answer: body.answer, answered_by: viewer.name, answered_at: now } as const;
      const data = await change(db, row.id, { status: 'answered', ...answered });
      await mailComplainant(db, services, { ...row, ...answered }, 'complaint_answered');
      await announceComplaint(db, services, row);
      afterCommit(services.outbox.wake);
      return { data };
    },

    'POST /v1/complaints/{id}/forget': async ({ db, params, now, afterCommit }) => {
      const { answered_at: at } = await lockComplaint(db, params.id);
      if (at === null) throw new AppError('conflict', m.complaints_not_answered());
      await eraseComplaintDetails(db, [params.id], now);
      afterCommit(() => removeOrphanedMailFiles(services));
      return { data: presentComplaint(await readComplaint(db, params.id)) };
    },
  };
}

async function complain(services: ComplaintServices, call: ComplaintCall<'POST /v1/complaints'>) {
  const { db, body, viewer, now, address } = call;
  const { email } = body;
  await countAttempt(db, 'complaint', { email, address }, now);
  // Staff of the order's store can read and answer a complaint that names an order. Other subjects, such as personal
  // data, are for the owner alone, so they may not name an order.
  if (body.order_id !== undefined && body.about !== 'order') {
    throw invalidFieldError('order_id', m.complaints_order_beside());
  }
  const order = body.order_id === undefined ? null : await readComplaintOrder(call, body.order_id);
  const details = {
    order_id: order?.id ?? null,
    lines: JSON.stringify(complaintLines(order, body.lines ?? [])),
    wish: body.wish ?? null,
    is_allergy: body.is_allergy ?? false,
  };
  const row = await inTransaction(db, async (tx) => {
    const made = await tx
      .insertInto('complaints')
      .values({
        id: randomUUIDv7(),
        key: body.key,
        reference: newReference(),
        created_at: now,
        about: body.about,
        order_number: order ? String(order.number) : body.order_number || null,
        store_id: order?.store_id ?? null,
        ...details,
        name: body.name,
        email,
        locale: currentLanguage(),
        message: body.message,
        user_id: personIdOf(viewer),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!made) return sameAgain(tx, { ...details, key: body.key, email, message: body.message });
    // Anybody may type any address, so mails to one address are limited. The complaint is stored in any case.
    if (await countComplaintMail(tx, email, now)) await mailComplainant(tx, services, made, 'complaint_received');
    const shop = await readComplaintShop(services, tx, made.store_id);
    await alertOwner(tx, services, () => complaintAlert(services.config, made, { shop, isReminder: false }));
    await announceComplaint(tx, services, made);
    return made;
  });
  services.outbox.wake();
  const { reference, created_at, due_at } = presentComplaint(row);
  return { data: { reference, created_at, due_at, email } };
}

/**
 * Reads the order of a complaint. Throws 404 for an unknown order, and 401 or 403 if the caller cannot read it whole.
 */
async function readComplaintOrder(
  call: ComplaintCall<'POST /v1/complaints' | 'GET /v1/orders/{id}/complaints'>,
  id: string,
): Promise<OrderRow> {
  const order = await findOrder(call.db, id);
  if (!order) throw new AppError('not_found', m.complaints_no_order());
  if (relationToOrder(order, call.viewer, call.secret) === 'stranger') throw orderAccessRefusal(call);
  return order;
}

/**
 * The lines with their names. Throws 422 for a line that the order lacks, for a repeated line, and for more pieces than
 * were ordered.
 */
function complaintLines(order: OrderRow | null, lines: readonly Omit<ComplaintLine, 'name'>[]): ComplaintLine[] {
  return lines.map(({ line_id: id, quantity }, at) => {
    const line = order?.lines.find((each) => each.id === id);
    if (!line) throw invalidFieldError(`lines.${at}.line_id`, m.complaints_no_line());
    if (lines.findIndex((each) => each.line_id === id) < at) {
      throw invalidFieldError(`lines.${at}.line_id`, m.complaints_line_twice());
    }
    if (quantity > line.quantity) {
      throw invalidFieldError(`lines.${at}.quantity`, m.complaints_too_many({ count: line.quantity, name: line.name }));
    }
    return { line_id: id, name: line.name, quantity };
  });
}

/**
 * Returns the complaint that an earlier attempt stored under this key. Throws 409 if that complaint has another address
 * or text, or is about another order or other dishes.
 */
async function sameAgain(
  tx: Tx,
  {
    key,
    lines,
    ...sent
  }: Pick<ComplaintRow, 'key' | 'email' | 'message' | 'order_id' | 'wish' | 'is_allergy'> & {
    lines: string;
  },
) {
  const row = await tx.selectFrom('complaints').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  const isSame =
    row.email === sent.email &&
    row.message === sent.message &&
    row.order_id === sent.order_id &&
    row.wish === sent.wish &&
    row.is_allergy === sent.is_allergy &&
    isDeepStrictEqual(row.lines, JSON.parse(lines));
  if (isSame) return row;
  throw new AppError('conflict', m.complaints_key_taken());
}

async function readOrderComplaints(db: Db, orderId: string): Promise<OwnComplaint[]> {
  const rows = await db
    .selectFrom('complaints')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('forgets', '=', false)
    .orderBy('created_at')
    .limit(mostListed)
    .execute();
  return rows.map((row) => OwnComplaint.parse(presentComplaint(row)));
}

/** The most complaints that a board or an order's page lists. */
const mostListed = 100;

async function listOrderComplaints(db: Db, storeId: string): Promise<OrderComplaint[]> {
  const rows = await db
    .selectFrom('complaints')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('answered_at', 'is', null)
    .orderBy('is_allergy', 'desc')
    .orderBy('created_at')
    .limit(mostListed)
    .execute();
  const ids = rows.flatMap(({ order_id: id }) => id ?? []);
  const contacts = new Map((await readOrderContacts(db, ids)).map(({ id, contact }) => [id, contact]));
  return rows.flatMap((row) => {
    const { order_id: orderId } = row;
    return orderId === null
      ? []
      : [{ ...presentComplaint(row), order_id: orderId, phone: contacts.get(orderId)?.phone ?? '' }];
  });
}

function listComplaints(call: ComplaintCall<'GET /v1/complaints'>) {
  requireFreshSignInForBulk(call);
  const { db, query } = call;
  let found = db.selectFrom('complaints').selectAll();
  if (query.status) found = found.where('status', '=', query.status);
  const { search } = query;
  if (search) found = found.where(anyColumnHasWordsSql(['reference', 'name', 'email', 'order_number'], search));
  const sorted = found
    .orderBy(sql`answered_at is not null`)
    .orderBy(sql`case when answered_at is null then created_at end`)
    .orderBy('answered_at', 'desc')
    .orderBy('id');
  return readPage(db, '/v1/complaints', query, sorted, async (rows) => rows.map(presentComplaint));
}

/**
 * Locks an unanswered complaint. Throws 404 if there is none, 403 for staff unless it is about an order of their store,
 * and 409 `conflict` if it is answered.
 */
async function lockOpen(tx: Tx, id: string, viewer: Viewer): Promise<ComplaintRow> {
  const row = await lockComplaint(tx, id);
  if (viewer.role !== 'admin' && (row.store_id === null || !isStaffOf(viewer, row.store_id))) {
    throw new AppError('forbidden', m.platform_forbidden());
  }
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

/**
 * References consist of these characters. Similar characters are left out, and so are vowels, because vowels could form
 * words.
 */
const signs = '23456789BCDFGHJKLMNPQRSTVWXZ';

function newReference(): string {
  return `C-${Array.from({ length: 8 }, () => signs[randomInt(signs.length)]).join('')}`;
}
