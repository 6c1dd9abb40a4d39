import { greetingWords } from '#accounts/server/write-account-mail.ts';
import { type Alert, alertToMail } from '#alerts/server/alert-owner.ts';
import { complaintDueAt } from '#complaints/complaint-rules.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import type { ComplaintsTable, Db, Tx } from '#database/schema.ts';
import { type MailContent, textToMailParts } from '#mail/mail-content.ts';
import { m } from '#messages';
import { dateWords } from '#platform/date-words.ts';
import { defaultLanguage, supportedLanguage } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import type { Store } from '#store/contract.ts';
import { type Selectable, sql } from 'kysely';
import type { Complaint } from '#complaints/contract.ts';
import { AppError } from '#platform/errors.ts';

interface Shop {
  name: string;
  timezone: string;
}
type Told = Pick<ComplaintRow, 'reference' | 'created_at'>;
type Subject = Pick<ComplaintRow, 'about'>;

/** The authority is named only where it is competent: it decides about personal data, not about food. */
function authority({ about }: Subject, words: () => string): string[] {
  return about === 'data' ? [words()] : [];
}

/**
 * The mail that acknowledges a complaint. It greets without a name, because a stranger may have typed the name and
 * address.
 */
function receivedMail(complaint: Told & Subject, shop: Shop): MailContent {
  const { reference, created_at: at } = complaint;
  return {
    subject: m.complaints_received_subject({ shop: shop.name, reference }),
    parts: [
      ...textToMailParts(m.complaints_received_mail({ hello: greetingWords(''), shop: shop.name })),
      {
        facts: [
          [m.complaints_reference(), reference],
          [m.complaints_received_on(), dateWords(at, shop.timezone)],
          [m.complaints_answer_by(), dateWords(complaintDueAt(at), shop.timezone)],
        ],
      },
      ...authority(complaint, m.complaints_received_ico),
    ],
  };
}

/** The mail with the answer. It greets by name, because staff have read the complaint and its name. */
function answerMail(complaint: Pick<ComplaintRow, 'reference' | 'answer' | 'name'> & Subject, shop: Shop): MailContent {
  const { reference, answer, name } = complaint;
  return {
    subject: m.complaints_answer_subject({ shop: shop.name, reference }),
    parts: [
      ...textToMailParts(m.complaints_answer_mail({ hello: greetingWords(name), shop: shop.name, reference })),
      ...textToMailParts(answer),
      ...authority(complaint, m.complaints_answer_ico),
    ],
  };
}

/** The alert to the owner about a new complaint, or about a complaint near its deadline. */
export function complaintAlert(
  { publicUrl }: { publicUrl: string },
  complaint: Told & Pick<ComplaintRow, 'is_allergy' | 'store_id'>,
  { shop, isReminder }: { shop: Shop; isReminder: boolean },
): Alert {
  const { created_at: at, store_id: storeId } = complaint;
  const date = dateWords(complaintDueAt(at), shop.timezone);
  return {
    kind: 'complaint',
    store: storeId === null ? null : { id: storeId, name: shop.name },
    ...(isReminder ? reminderWords(complaint, date) : newsWords(complaint, date)),
    link: { words: m.complaints_open(), link: `${publicUrl}/admin/complaints` },
  };
}

function reminderWords({ reference }: Told, date: string): Pick<Alert, 'subject' | 'text'> {
  return { subject: m.complaints_remind_subject({ reference, date }), text: m.complaints_remind_text({ date }) };
}

function newsWords(
  { reference, is_allergy: isAllergy }: Pick<ComplaintRow, 'reference' | 'is_allergy'>,
  date: string,
): Pick<Alert, 'subject' | 'text'> {
  return isAllergy
    ? { subject: m.complaints_allergy_subject({ reference }), text: m.complaints_allergy_text({ date }) }
    : { subject: m.complaints_new_subject({ reference }), text: m.complaints_new_text({ date }) };
}

/** Reads the store of a complaint; without one, the store that `/` shows. */
export async function readComplaintShop(
  { menus }: Pick<ComplaintServices, 'menus'>,
  tx: Tx,
  storeId: string | null,
): Promise<Shop & { id: string | null }> {
  const known = await menus.store(tx, storeId ?? undefined);
  return {
    id: known?.store.id ?? null,
    name: known?.store.name ?? 'Hatch',
    timezone: known?.store.timezone ?? 'UTC',
  };
}

/** Queues the mail that acknowledges or answers a complaint, in the complaint's language. */
export async function mailComplainant(
  tx: Tx,
  services: Pick<ComplaintServices, 'mail' | 'menus'>,
  row: ComplaintRow,
  kind: 'complaint_received' | 'complaint_answered',
): Promise<void> {
  const shop = await readComplaintShop(services, tx, row.store_id);
  const language = supportedLanguage(row.locale) ?? defaultLanguage;
  const content = runInLanguage(language, () =>
    kind === 'complaint_received' ? receivedMail(row, shop) : answerMail(row, shop),
  );
  await services.mail.send(tx, { kind, to: row.email, name: '', language, storeId: shop.id, content });
}

export function complaintMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'complaint' | 'complaint_received' | 'complaint_answered'> {
  const example = () => ({ reference: 'C-7KQ4M2XW', created_at: now() });
  return {
    complaint: async (db) =>
      alertToMail(
        complaintAlert(
          config,
          { ...example(), is_allergy: false, store_id: null },
          { shop: await readStore(db), isReminder: false },
        ),
      ),
    complaint_received: async (db) => receivedMail({ ...example(), about: 'data' }, await readStore(db)),
    complaint_answered: async (db) =>
      answerMail(
        { ...example(), about: 'order', name: 'Ada Byron', answer: m.complaints_answer_example() },
        await readStore(db),
      ),
  };
}

export const complaintReferencesSql = sql`select id, reference as name from complaints`;

export type ComplaintRow = Selectable<ComplaintsTable>;

export function presentComplaint(row: ComplaintRow): Complaint {
  return {
    id: row.id,
    reference: row.reference,
    about: row.about,
    status: row.status,
    created_at: row.created_at.toISOString(),
    due_at: complaintDueAt(row.created_at).toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
    answered_by: row.answered_by,
    is_forgotten: row.forgotten_at !== null,
    name: row.name,
    email: row.email,
    customer_id: row.user_id,
    order_number: row.order_number,
    order_id: row.order_id,
    lines: row.lines,
    wish: row.wish,
    is_allergy: row.is_allergy,
    message: row.message,
    answer: row.answer,
  };
}

/** Reads a complaint. Throws 404 if there is none. */
export async function readComplaint(db: Db, id: string): Promise<ComplaintRow> {
  const row = await db.selectFrom('complaints').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? notThere();
}

/**
 * Reads and locks a complaint, so that the later of two concurrent answers sees the earlier one. Throws 404 if there is
 * none.
 */
export async function lockComplaint(tx: Tx, id: string): Promise<ComplaintRow> {
  const row = await tx.selectFrom('complaints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? notThere();
}

function notThere(): never {
  throw new AppError('not_found', m.platform_not_found());
}
