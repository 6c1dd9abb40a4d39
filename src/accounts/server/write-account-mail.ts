import { m } from '#messages';
import { parseUserAgent } from '#accounts/devices.ts';
import type { AccountMailKind } from '#database/mail-values.ts';
import { type MailContent, type MailLink, type MailPart, textToMailParts } from '#mail/mail-content.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';

export interface AccountMailData {
  shop: { name: string; timezone: string };
  /** The recipient's name; empty if the mail must not reveal it. */
  name: string;
  publicUrl: string;
  token?: string;
  provider?: string;
  userAgent?: string;
  at?: Date;
  change?: FactorChange;
  passkey?: string;
  by?: string;
}

export type FactorChange = keyof typeof changes;

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

export function writeAccountMail(kind: AccountMailKind, about: AccountMailData): MailContent {
  if (kind === 'new_device' || kind === 'password_known') return deviceMail(kind, about);
  if (kind === 'sign_in_changed') return changeMail(about);
  const { subject, letter, button } = letters[kind];
  const { shop, provider = '', at } = about;
  const to = button && buttons[button](about);
  const words = {
    hello: greetingWords(about.name),
    shop: shop.name,
    provider,
    date: at ? dateWords(at, shop.timezone) : '',
    link: to?.link ?? '',
  };
  return { subject: subject(words), parts: textToMailParts(letter(words), to) };
}

interface Letter {
  subject: (words: LetterWords) => string;
  letter: (words: LetterWords) => string;
  button?: keyof typeof buttons;
}

interface LetterWords {
  hello: string;
  shop: string;
  provider: string;
  date: string;
  link: string;
}

const letters: Record<Exclude<AccountMailKind, keyof typeof onDevices | 'sign_in_changed'>, Letter> = {
  password_reset: { subject: m.accounts_reset_mail_subject, letter: m.accounts_reset_mail, button: 'choose' },
  email_verification: { subject: m.accounts_verify_mail_subject, letter: m.accounts_verify_mail, button: 'confirm' },
  invitation: { subject: m.accounts_invitation_mail_subject, letter: m.accounts_invitation_mail, button: 'choose' },
  account_exists: { subject: m.accounts_exists_mail_subject, letter: m.accounts_exists_mail, button: 'forgotten' },
  password_changed: {
    subject: m.accounts_password_mail_subject,
    letter: m.accounts_password_mail,
    button: 'forgotten',
  },
  email_changed: { subject: m.accounts_email_mail_subject, letter: m.accounts_email_mail },
  identity_connected: { subject: m.accounts_connected_mail_subject, letter: m.accounts_connected_mail, button: 'ways' },
  identity_removed: {
    subject: m.accounts_disconnected_mail_subject,
    letter: m.accounts_disconnected_mail,
    button: 'ways',
  },
  account_idle: { subject: m.accounts_idle_mail_subject, letter: m.accounts_idle_mail, button: 'keep' },
  account_deleted: { subject: m.accounts_deleted_mail_subject, letter: m.accounts_deleted_mail },
};

const buttons = {
  choose: (about: AccountMailData) => secretButton(about, 'reset-password', m.accounts_mail_choose()),
  confirm: (about: AccountMailData) => secretButton(about, 'verify-email', m.accounts_mail_confirm()),
  forgotten: ({ publicUrl }: AccountMailData): MailLink => ({
    words: m.accounts_mail_choose(),
    link: `${publicUrl}/forgot-password`,
  }),
  ways: ({ publicUrl }: AccountMailData): MailLink => ({
    words: m.accounts_mail_ways(),
    link: `${publicUrl}/customer/profile`,
  }),
  keep: ({ publicUrl }: AccountMailData): MailLink => ({ words: m.accounts_mail_keep(), link: `${publicUrl}/login` }),
};

function secretButton({ publicUrl, token = '' }: AccountMailData, page: SecretPage, words: string): MailLink {
  return { words, link: tokenLink({ publicUrl }, page, token), isSecret: true };
}

/** The greeting. `name` is empty while the address is unconfirmed, because anybody could have typed the name. */
export function greetingWords(name: string): string {
  return name === '' ? m.accounts_mail_hello_unnamed() : m.accounts_mail_hello({ name });
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

function deviceMail(kind: keyof typeof onDevices, about: AccountMailData): MailContent {
  const { subject, letter, advice } = onDevices[kind];
  const shop = about.shop.name;
  const parts: MailPart[] = [
    ...textToMailParts(letter({ hello: greetingWords(about.name), shop })),
    { facts: [...deviceFact(about), ...timeFact(about)] },
    advice(),
    buttons.forgotten(about),
  ];
  return { subject: subject({ shop }), parts };
}

function changeMail(about: AccountMailData): MailContent {
  const { shop, change = 'passkey_added', passkey, by, publicUrl } = about;
  const { subject, letter } = changes[change];
  const see = { words: m.accounts_ways_see(), link: `${publicUrl}/kitchen/my-sign-in` };
  const isOthers = change === 'removed_at_start' || change === 'removed_on_machine' || change === 'removed_by_owner';
  const parts: MailPart[] = [
    ...textToMailParts(letter({ hello: greetingWords(about.name), shop: shop.name })),
    {
      facts: [
        ...(passkey === undefined ? [] : [[m.accounts_ways_passkey(), passkey] as const]),
        ...(by === undefined ? [] : [[m.accounts_ways_removed_by(), by] as const]),
        ...(isOthers ? [] : deviceFact(about)),
        ...timeFact(about),
      ],
    },
    ...adviceAfter(change, buttons.forgotten(about), see),
  ];
  return { subject: subject({ shop: shop.name }), parts };
}

function adviceAfter(change: FactorChange, forgotten: MailLink, see: MailLink): MailPart[] {
  if (change === 'removed_at_start' || change === 'removed_on_machine') return [m.accounts_ways_start_you(), see];
  if (change === 'removed_by_owner')
    return [m.accounts_ways_owner_you(), see, m.accounts_ways_owner_not_you(), forgotten];
  return [m.accounts_device_mail_you(), forgotten, m.accounts_ways_then(), see];
}

type Fact = readonly [name: string, value: string];

function deviceFact({ userAgent = '' }: AccountMailData): Fact[] {
  const { browser, system } = parseUserAgent(userAgent);
  return [
    [m.accounts_device_mail_device(), [browser, system].filter(Boolean).join(', ') || m.accounts_device_unknown()],
  ];
}

function timeFact({ shop: { timezone }, at }: AccountMailData): Fact[] {
  return [[m.accounts_device_mail_when(), at ? `${dateWords(at, timezone)}, ${timeWords(at, timezone)}` : '']];
}

type SecretPage = 'reset-password' | 'verify-email';

/** A link that opens an account. The token is behind `#`, so that it reaches no server's log. */
export function tokenLink({ publicUrl }: { publicUrl: string }, page: SecretPage, token: string): string {
  return `${publicUrl}/${page}#token=${token}`;
}
