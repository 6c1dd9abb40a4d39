import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { MailKind } from '#database/mail-values.ts';
import { isForRecipientOnly } from '#mail/mail-words.ts';
import { anyColumnHasWordsSql } from '#database/text-search.ts';
import { readPage } from '#database/read-page.ts';
import type { Db, MailsTable, Tx } from '#database/schema.ts';
import type { mailExampleKinds, mailEndpoints, Mail, MailSummary } from '#mail/contract.ts';
import { isSecretLink, type MailContent, type MailShop } from '#mail/mail-content.ts';
import { readFiledMail } from '#mail/server/mail-retention.ts';
import { renderMail } from '#mail/server/render-mail.ts';
import { type MailServices, mailFromWords } from '#mail/server/services.ts';
import { readMailTrouble } from '#mail/server/mail-trouble.ts';
import { AppError } from '#platform/errors.ts';
import { requireFreshSignInForBulk, requireFreshSignIn } from '#platform/http/admit.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';

/**
 * For each kind of mail, a function that writes an example in the current language, with invented data. Each domain
 * passes in the functions of its own kinds.
 */
export type MailExamples = Record<(typeof mailExampleKinds)[number], (db: Db) => Promise<MailContent> | MailContent>;

type Services = Pick<MailServices, 'config' | 'db' | 'mail' | 'mailShop'> & {
  examples: MailExamples;
  emailOf(db: Db, userId: string): Promise<{ email: string; name: string }>;
};

export function mailHandlers(services: Services): Handlers<typeof mailEndpoints, Db, Tx> {
  const { config, examples, mailShop } = services;
  return {
    'GET /v1/mail': async (call) => {
      requireFreshSignInForBulk(call);
      const page = await listMails(call);
      const trouble = await readMailTrouble(call.db);
      return {
        ...page,
        smtp_server: config.SMTP_URL ? new URL(config.SMTP_URL).host : null,
        trouble: trouble && { ...trouble, since: trouble.since.toISOString() },
      };
    },

    'GET /v1/mail/{id}': async (call) => {
      const mails = call.db.selectFrom('mails').selectAll().where('id', '=', call.params.id);
      const row = await mails.executeTakeFirst();
      if (!row) throw new AppError('not_found', m.platform_not_found());
      if (showsSecretLink(row)) requireFreshSignIn(call);
      return { data: await present(services, row) };
    },

    'GET /v1/mail-previews': async ({ db, query: { kind, locale, scheme } }) => {
      const shop = await mailShop(null);
      const content = await runInLanguage(locale, () => examples[kind](db));
      return { data: renderMail(content, shop, locale, { scheme, logo: logoAddress(shop) }) };
    },

    'POST /v1/mail-tests': async ({ db, body: { kind, locale }, viewer }) => {
      const { email, name } = await services.emailOf(db, viewer.id ?? '');
      const content = await runInLanguage(locale, () => examples[kind](db));
      const id = randomUUIDv7();
      await services.mail.send(db, { id, kind: 'test', to: email, name, language: locale, storeId: null, content });
      const row = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      return { data: headOf(row) };
    },
  };
}

type MailRow = Selectable<MailsTable>;

function listMails({ db, query }: Pick<HandlerInput<typeof mailEndpoints, 'GET /v1/mail', Db, Tx>, 'db' | 'query'>) {
  const { search = '', state, order_id: orderId } = query;
  let mails = db.selectFrom('mails');
  if (state) mails = mails.where('state', '=', state);
  if (orderId) mails = mails.where('order_id', '=', orderId);
  if (search !== '') {
    const number = /^#?(\d{1,9})$/.exec(search)?.[1];
    mails = mails.where((eb) =>
      eb.or([
        anyColumnHasWordsSql(['to_address', 'to_name', 'subject'], search),
        ...(number ? [eb('order_number', '=', Number(number))] : []),
      ]),
    );
  }
  const sorted = mails.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  return readPage(db, '/v1/mail', query, sorted, async (rows) => rows.map(headOf));
}

function headOf(row: MailRow): MailSummary {
  return {
    id: row.id,
    kind: row.kind as MailKind,
    state: row.state,
    to: row.to_address,
    name: row.to_name,
    subject: row.subject,
    order_id: row.order_id,
    order_number: row.order_number === null ? null : String(row.order_number),
    tries: row.tries,
    answer: row.answer,
    at: row.created_at.toISOString(),
    tried_at: row.tried_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/**
 * Whether the office shows a mail's file, which has the secret links. `filed` means that the shop has no mail server,
 * so the mail was only written to the file. A mail that only the recipient may read is not shown.
 */
function showsFile({ state, kind }: MailRow): boolean {
  return state === 'filed' && !isForRecipientOnly(kind as MailKind);
}

function showsSecretLink(row: MailRow): boolean {
  // Only `addMail` and `settleMail` write the column, so its type is known.
  const content = row.content as MailContent | null;
  return showsFile(row) && (content === null || content.parts.some(isSecretLink));
}

async function present({ config, mailShop }: Services, row: MailRow): Promise<Mail> {
  const shop = await mailShop(row.store_id);
  const locale = languageOfPerson(row);
  // Only `addMail` and `settleMail` write the column, so its type is known.
  const content = row.content as MailContent | null;
  const rendered = content && renderMail(content, shop, locale, { logo: logoAddress(shop) });
  const filed = showsFile(row) ? await readFiledMail(config, row.id) : null;
  const head = headOf(row);
  return {
    ...head,
    // The last mail to a deleted account has lost its address in the database, but not in the mail's file.
    to: head.to || (filed?.to ?? ''),
    from: filed?.from ?? mailFromWords(config, shop.name),
    locale,
    text: filed?.text ?? rendered?.text ?? null,
    html: rendered?.html ?? null,
  };
}

function logoAddress({ logo }: MailShop): string {
  return logo ? `data:image/png;base64,${logo.png.toString('base64')}` : '';
}
