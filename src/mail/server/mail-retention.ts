import { sql } from 'kysely';
import type { MailKind } from '#database/mail-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { type MailConfig, type MailServices, mailFromWords } from '#mail/server/services.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { randomUUIDv7 } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderedMail } from '#mail/server/render-mail.ts';
import type { FailedMail } from '#mail/contract.ts';

/** Milliseconds between two sweeps. */
const every = 60 * 60_000;
const days = 24 * 60 * 60_000;
/** A mail's content is erased after this time, and the whole mail after `keptFor`. */
const contentRetention = 30 * days;
const keptFor = 180 * days;

/** Starts the sweep that erases the content of mails after a month, and deletes the mails after half a year. */
export function startMailRetention(
  services: Pick<MailServices, 'config' | 'db' | 'log' | 'now'> & { clock: { isTrusted(): boolean } },
): Sweep & { sweep(): Promise<void> } {
  const { clock, config, db, log } = services;
  const sweep = async () => {
    const before = (age: number) => new Date(services.now().getTime() - age);
    await db.deleteFrom('mails').where('created_at', '<', before(keptFor)).execute();
    await db
      .updateTable('mails')
      .set({ content: null, about: null })
      .where('created_at', '<', before(contentRetention))
      .where('ended_at', 'is not', null)
      .where((eb) => eb.or([eb('content', 'is not', null), eb('about', 'is not', null)]))
      .execute();
    await eraseAccountDeletedMails(db);
    await deleteFiledMailsBefore(config, before(contentRetention));
    await removeOrphanedMailFiles(services);
  };
  return { sweep, ...startSweep({ name: 'kept mail', every, log, clock, atOnce: true }, sweep) };
}

/**
 * Erases the recipient and content of mails about deleted accounts, once a mail is no longer retried. `id` limits this
 * to one mail. Mail files stay, because without a mail server the owner forwards them.
 */
export async function eraseAccountDeletedMails(db: Db, id?: string): Promise<void> {
  let last = db
    .updateTable('mails')
    // `answer` is erased too, because a mail server's answer may contain the address.
    .set({ to_address: '', to_name: '', content: null, answer: null })
    .where('kind', '=', 'account_deleted')
    .where('ended_at', 'is not', null)
    .where((eb) => eb.or([eb('to_address', '<>', ''), eb('content', 'is not', null), eb('answer', 'is not', null)]));
  if (id !== undefined) last = last.where('id', '=', id);
  await last.execute();
}

/**
 * Deletes the mails about these orders of erased customers, and the mailed account links that cover any of the orders.
 */
export async function deleteMailsOfOrders(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx.deleteFrom('mails').where('order_id', 'in', orderIds).execute();
  await tx
    .deleteFrom('mails')
    .where('kind', '=', 'account_link')
    .where(sql<boolean>`about->'order_ids' ?| ${orderIds}::text[]`)
    .execute();
}

/** Deletes the mails of these kinds to these addresses, except mails that still wait to be sent. */
export async function deleteMailsToAddresses(
  tx: Tx,
  kinds: readonly MailKind[],
  addresses: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('mails')
    .where('kind', 'in', kinds)
    .where(isTo(addresses))
    .where('ended_at', 'is not', null)
    .execute();
}

function isTo(addresses: readonly string[]) {
  const lower = addresses.map((address) => address.toLowerCase());
  return sql<boolean>`lower(to_address) = any(${lower}::text[])`;
}

export const mailDataEraser = {
  async refuse(): Promise<void> {},
  async erase(tx: Tx, { email, name }: { email: string; name: string }): Promise<void> {
    await tx
      .deleteFrom('mails')
      .where(isTo([email]))
      .execute();
    // The mail about a change of address went to the person's earlier address, so the other mails to that address are
    // deleted too.
    const earlier = await tx
      .deleteFrom('mails')
      .where('kind', '=', 'email_changed')
      .where('to_name', '=', name)
      .where('ended_at', 'is not', null)
      .returning('to_address')
      .execute();
    const addresses = earlier.map(({ to_address: address }) => address);
    if (addresses.length === 0) return;
    await tx.deleteFrom('mails').where(isTo(addresses)).where('ended_at', 'is not', null).execute();
  },
};

export async function exportMails(db: Db, { user }: { user: { email: string } }) {
  const rows = await db
    .selectFrom('mails')
    .select(['created_at', 'kind', 'subject', 'state'])
    .where((eb) => eb(eb.fn('lower', ['to_address']), '=', user.email.toLowerCase()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ created_at: at, ...mail }) => ({ at: at.toISOString(), ...mail }));
}

/**
 * Adds rows for mails that an earlier version of Hatch wrote only to files, so that the office shows them. Does nothing
 * once there are rows.
 */
export async function importFiledMails({ config, db }: Pick<MailServices, 'config' | 'db'>): Promise<void> {
  if (await db.selectFrom('mails').select('id').limit(1).executeTakeFirst()) return;
  for (const id of await listFiledMailIds(config)) {
    const filed = await readFiledMail(config, id);
    if (!filed) continue;
    const at = new Date(filed.at);
    await db
      .insertInto('mails')
      .values({
        id,
        kind: 'other',
        state: 'filed',
        to_address: filed.to,
        subject: filed.subject,
        tries: 1,
        created_at: at,
        tried_at: at,
        ended_at: at,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

/**
 * Deletes the files of mails that no longer have a row. Must be called after the commit, because a rollback cannot
 * restore files.
 */
export async function removeOrphanedMailFiles({ config, db }: Pick<MailServices, 'config' | 'db'>): Promise<void> {
  const filed = await listFiledMailIds(config);
  if (filed.length === 0) return;
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where(sql<boolean>`id = any(${filed}::uuid[])`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  for (const id of filed) if (!known.has(id)) await removeFile(config, id);
}

/** A mail that was written to a file, because there is no mail server: plain text with its secret links. */
export interface FiledMail {
  id: string;
  at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
}

/**
 * Writes a mail to a temporary file and renames it, so that no reader sees half of it. A repeated attempt replaces the
 * file.
 */
export async function writeMailFile(
  config: MailConfig,
  { id, to, shopName, rendered, at }: { id: string; to: string; shopName: string; rendered: RenderedMail; at: Date },
): Promise<void> {
  const folder = folderOf(config);
  const { subject, text } = rendered;
  const filed: FiledMail = { id, at: at.toISOString(), from: mailFromWords(config, shopName), to, subject, text };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${id}.${randomUUIDv7()}.draft`);
  await writeFile(draft, JSON.stringify(filed, null, 2), { mode: 0o600 });
  await rename(draft, fileOf(config, id));
}

export async function listFiledMailIds(config: MailConfig): Promise<string[]> {
  const names = await readdir(folderOf(config)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted()
    .toReversed();
}

/**
 * Reads a filed mail; null: there is no such file, or it cannot be read. `id` must be a UUID, because it is a part of
 * the file's path.
 */
export async function readFiledMail(config: MailConfig, id: string): Promise<FiledMail | null> {
  const text = await readFile(fileOf(config, id), 'utf8').catch(() => null);
  // Only this module writes the file, so its type is known.
  return text === null ? null : (JSON.parse(text) as FiledMail);
}

/**
 * Deletes the files of mails that were written before `before`; `to` limits this to mails to one address. Returns the
 * number of deleted files.
 */
export async function deleteFiledMailsBefore(config: MailConfig, before: Date, to?: string): Promise<number> {
  let removed = 0;
  for (const id of await listFiledMailIds(config)) {
    const mail = await readFiledMail(config, id);
    if (!mail || new Date(mail.at) >= before) continue;
    if (to !== undefined && mail.to.toLowerCase() !== to.toLowerCase()) continue;
    await removeFile(config, id);
    removed += 1;
  }
  return removed;
}

function removeFile(config: MailConfig, id: string): Promise<void> {
  return rm(fileOf(config, id), { force: true });
}

export function mailFilePath(id: string): string {
  return join('mail', `${id}.json`);
}

function folderOf({ dataDir }: MailConfig): string {
  return join(dataDir, 'mail');
}

function fileOf({ dataDir }: MailConfig, id: string): string {
  return join(dataDir, mailFilePath(id));
}

/** Reads the mails about an order that are retried or will never be delivered, oldest first. */
export async function readFailedMailsOfOrder(db: Db, orderId: string): Promise<FailedMail[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['kind', 'state', 'answer', 'tried_at', 'created_at'])
    .where('order_id', '=', orderId)
    .where('state', 'in', ['retrying', 'refused', 'given_up'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, state, answer, tried_at, created_at }) => ({
    kind,
    state,
    answer,
    at: (tried_at ?? created_at).toISOString(),
  }));
}
