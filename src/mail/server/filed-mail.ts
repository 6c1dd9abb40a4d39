import { randomUUIDv7 } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderedMail } from '#mail/server/render-mail.ts';
import { senderWords } from '#mail/server/sender.ts';
import type { MailConfig } from '#mail/server/services.ts';

/** A mail that a shop without a mail server would have sent, in plain text and with its secret links. */
export interface FiledMail {
  id: string;
  at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
}

/** Written under a temporary name first, so that nobody reads half a mail; the same mail again replaces itself. */
export async function fileMail(
  config: MailConfig,
  { id, to, shopName, rendered, at }: { id: string; to: string; shopName: string; rendered: RenderedMail; at: Date },
): Promise<void> {
  const folder = folderOf(config);
  const { subject, text } = rendered;
  const filed: FiledMail = { id, at: at.toISOString(), from: senderWords(config, shopName), to, subject, text };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${id}.${randomUUIDv7()}.draft`);
  await writeFile(draft, JSON.stringify(filed, null, 2), { mode: 0o600 });
  await rename(draft, fileOf(config, id));
}

/** The ids of the filed mails, newest first. */
export async function listFiledMail(config: MailConfig): Promise<string[]> {
  const names = await readdir(folderOf(config)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted()
    .toReversed();
}

/** `id` is a UUID: the router has checked it, or the database. */
export async function readFiledMail(config: MailConfig, id: string): Promise<FiledMail | null> {
  const text = await readFile(fileOf(config, id), 'utf8').catch(() => null);
  // Only this module writes the file.
  return text === null ? null : (JSON.parse(text) as FiledMail);
}

/** Removes filed mails from before `before`, of one receiver or of all; returns how many. */
export async function removeFiledMail(config: MailConfig, before: Date, to?: string): Promise<number> {
  let removed = 0;
  for (const id of await listFiledMail(config)) {
    const mail = await readFiledMail(config, id);
    if (!mail || new Date(mail.at) >= before) continue;
    if (to !== undefined && mail.to.toLowerCase() !== to.toLowerCase()) continue;
    await removeFile(config, id);
    removed += 1;
  }
  return removed;
}

export function removeFile(config: MailConfig, id: string): Promise<void> {
  return rm(fileOf(config, id), { force: true });
}

/** Where a filed mail is in the data folder. */
export function filePathOf(id: string): string {
  return join('mail', `${id}.json`);
}

function folderOf({ dataDir }: MailConfig): string {
  return join(dataDir, 'mail');
}

function fileOf({ dataDir }: MailConfig, id: string): string {
  return join(dataDir, filePathOf(id));
}
