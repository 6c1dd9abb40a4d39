import { m } from '#messages';
import { deviceName } from '#accounts/devices.ts';
import type { AccountMailKind } from '#database/mail-values.ts';
import { type MailContent, type MailLink, type MailPart, partsOfLetter } from '#mail/mail-content.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';

export interface AccountMailAbout {
  shop: { name: string; timezone: string };
  /** The recipient's name; empty if the mail must not reveal it. */
  name: string;
  publicUrl: string;
  /** The token of the mail's secret link. */
  token?: string;
  provider?: string;
  userAgent?: string;
  at?: Date;
  change?: SignInChange;
  /** The name of the passkey that was removed. */
  passkey?: string;
  /** The person who removed somebody else's second factor. */
  by?: string;
}

/** A change of how somebody signs in, other than of their password. */
export type SignInChange = keyof typeof changes;

const changes = {
  passkey_added: { subject: m.accounts_ways_passkey_added_subject, letter: m.accounts_ways_passkey_added },
  passkey_removed: { subject: m.accounts_ways_passkey_removed_subject, letter: m.accounts_ways_passkey_removed },
  totp_added: { subject: m.accounts_ways_totp_added_subject, letter: m.accounts_ways_totp_added },
  totp_removed: { subject: m.accounts_ways_totp_removed_subject, letter: m.accounts_ways_totp_removed },
  recovery_codes_made: { subject: m.accounts_ways_recovery_codes_subject, letter: m.accounts_ways_recovery_codes },
  removed_by_owner: { subject: m.accounts_ways_removed_by_owner_subject, letter: m.accounts_ways_removed_by_owner },
  removed_at_start: { subject: m.accounts_ways_removed_at_start_subject, letter: m.accounts_ways_removed_at_start },
  removed_on_machine: { subject: m.accounts_ways_removed_at_start_subject, letter: m.accounts_ways_removed_on_machine },
};

/** A mail's subject and text in the current language. */
export function writeAccountMail(kind: AccountMailKind, about: AccountMailAbout): MailContent {
  const { publicUrl, token = '', provider = '' } = about;
  const hello = helloWords(about.name);
  const shop = about.shop.name;
  const secret = (page: SecretPage, words: string): MailLink => ({
    words,
    link: secretLink({ publicUrl }, page, token),
    isSecret: true,
  });
  const written = (subject: string, letter: (link: string) => string, button: MailLink): MailContent => ({
    subject,
    parts: partsOfLetter(letter(button.link), button),
  });
  const plain = (subject: string, letter: string): MailContent => ({ subject, parts: partsOfLetter(letter) });
  const choose = secret('reset-password', m.accounts_mail_choose());
  const forgotten = { words: m.accounts_mail_choose(), link: `${publicUrl}/forgot-password` };
  const ways = { words: m.accounts_mail_ways(), link: `${publicUrl}/customer/profile` };
  const keep = { words: m.accounts_mail_keep(), link: `${publicUrl}/login` };
  const confirm = secret('verify-email', m.accounts_mail_confirm());
  switch (kind) {
    case 'password_reset':
      return written(
        m.accounts_reset_mail_subject({ shop }),
        (link) => m.accounts_reset_mail({ hello, shop, link }),
        choose,
      );
    case 'email_verification':
      return written(
        m.accounts_verify_mail_subject({ shop }),
        (link) => m.accounts_verify_mail({ hello, shop, link }),
        confirm,
      );
    case 'invitation':
      return written(
        m.accounts_invitation_mail_subject({ shop }),
        (link) => m.accounts_invitation_mail({ hello, shop, link }),
        choose,
      );
    case 'account_exists':
      return written(
        m.accounts_exists_mail_subject({ shop }),
        (link) => m.accounts_exists_mail({ hello, shop, link }),
        forgotten,
      );
    case 'new_device':
    case 'password_known':
      return deviceMail(kind, about, forgotten);
    case 'password_changed':
      return written(
        m.accounts_password_mail_subject({ shop }),
        (link) => m.accounts_password_mail({ hello, shop, link }),
        forgotten,
      );
    case 'sign_in_changed':
      return changeMail(about, forgotten);
    case 'email_changed':
      return plain(m.accounts_email_mail_subject({ shop }), m.accounts_email_mail({ hello, shop }));
    case 'identity_connected':
      return written(
        m.accounts_connected_mail_subject({ provider, shop }),
        (link) => m.accounts_connected_mail({ hello, shop, provider, link }),
        ways,
      );
    case 'identity_removed':
      return written(
        m.accounts_disconnected_mail_subject({ provider, shop }),
        (link) => m.accounts_disconnected_mail({ hello, shop, provider, link }),
        ways,
      );
    case 'account_idle':
      return written(m.accounts_idle_mail_subject({ shop }), (link) => idleLetter(hello, about, link), keep);
    case 'account_deleted':
      return plain(m.accounts_deleted_mail_subject({ shop }), m.accounts_deleted_mail({ hello, shop }));
  }
}

/** The greeting; without a name while the address is unconfirmed, because anybody could have typed the name. */
export function helloWords(name: string): string {
  return name === '' ? m.accounts_mail_hello_unnamed() : m.accounts_mail_hello({ name });
}

function idleLetter(hello: string, { shop, at }: AccountMailAbout, link: string): string {
  return m.accounts_idle_mail({ hello, shop: shop.name, date: at ? dateWords(at, shop.timezone) : '', link });
}

const onDevices = {
  new_device: {
    subject: m.accounts_device_mail_subject,
    letter: m.accounts_device_mail,
    advice: m.accounts_device_mail_you,
  },
  password_known: {
    subject: m.accounts_known_mail_subject,
    letter: m.accounts_known_mail,
    advice: m.accounts_known_mail_you,
  },
};

function deviceMail(kind: keyof typeof onDevices, about: AccountMailAbout, forgotten: MailLink): MailContent {
  const { subject, letter, advice } = onDevices[kind];
  const shop = about.shop.name;
  const parts: MailPart[] = [
    ...partsOfLetter(letter({ hello: helloWords(about.name), shop })),
    { facts: [...deviceFact(about), ...timeFact(about)] },
    advice(),
    forgotten,
  ];
  return { subject: subject({ shop }), parts };
}

function changeMail(about: AccountMailAbout, forgotten: MailLink): MailContent {
  const { shop, change = 'passkey_added', passkey, by, publicUrl } = about;
  const { subject, letter } = changes[change];
  const see = { words: m.accounts_ways_see(), link: `${publicUrl}/kitchen/my-sign-in` };
  const isOthers = change === 'removed_at_start' || change === 'removed_on_machine' || change === 'removed_by_owner';
  const parts: MailPart[] = [
    ...partsOfLetter(letter({ hello: helloWords(about.name), shop: shop.name })),
    {
      facts: [
        ...(passkey === undefined ? [] : [[m.accounts_ways_passkey(), passkey] as const]),
        ...(by === undefined ? [] : [[m.accounts_ways_removed_by(), by] as const]),
        ...(isOthers ? [] : deviceFact(about)),
        ...timeFact(about),
      ],
    },
    ...adviceAfter(change, forgotten, see),
  ];
  return { subject: subject({ shop: shop.name }), parts };
}

function adviceAfter(change: SignInChange, forgotten: MailLink, see: MailLink): MailPart[] {
  if (change === 'removed_at_start' || change === 'removed_on_machine') return [m.accounts_ways_start_you(), see];
  if (change === 'removed_by_owner')
    return [m.accounts_ways_owner_you(), see, m.accounts_ways_owner_not_you(), forgotten];
  return [m.accounts_device_mail_you(), forgotten, m.accounts_ways_then(), see];
}

type Fact = readonly [name: string, value: string];

function deviceFact({ userAgent = '' }: AccountMailAbout): Fact[] {
  const { browser, system } = deviceName(userAgent);
  return [
    [m.accounts_device_mail_device(), [browser, system].filter(Boolean).join(', ') || m.accounts_device_unknown()],
  ];
}

function timeFact({ shop: { timezone }, at }: AccountMailAbout): Fact[] {
  return [[m.accounts_device_mail_when(), at ? `${dateWords(at, timezone)}, ${timeWords(at, timezone)}` : '']];
}

type SecretPage = 'reset-password' | 'verify-email';

/** A link that opens an account. The token stands behind `#`, so that it reaches no server's log. */
export function secretLink({ publicUrl }: { publicUrl: string }, page: SecretPage, token: string): string {
  return `${publicUrl}/${page}#token=${token}`;
}
