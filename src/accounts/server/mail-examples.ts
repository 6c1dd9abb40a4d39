import { writeAccountMail } from '#accounts/server/write-account-mail.ts';
import { noticeFor } from '#accounts/server/idle-accounts.ts';
import { accountMailKinds, type AccountMailKind } from '#database/mail-columns.ts';
import type { MailContent } from '#mail/mail-content.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

const chromeOnWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

/** The mails about an account with invented data. */
export function accountMailExamples(
  { publicUrl }: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Record<AccountMailKind, (db: Db) => Promise<MailContent>> {
  const write = (kind: AccountMailKind) => async (db: Db) => {
    const { name, timezone } = await readStore(db);
    const ahead = kind === 'account_idle' ? noticeFor : 0;
    const device = { userAgent: chromeOnWindows, at: new Date(now().getTime() + ahead) };
    const about = {
      shop: { name, timezone },
      name: 'Ada Byron',
      publicUrl,
      token: 'example',
      provider: 'Google',
      ...device,
    };
    return writeAccountMail(kind, about);
  };
  // Every kind of the list is a key.
  return Object.fromEntries(accountMailKinds.map((kind) => [kind, write(kind)])) as Record<
    AccountMailKind,
    (db: Db) => Promise<MailContent>
  >;
}
