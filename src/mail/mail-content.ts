/** A price or an amount with its label. */
export interface MailLine {
  name: string;
  /** In small letters below: options, a note. */
  detail?: string;
  value: string;
  isTotal?: true;
}

/** A button, in plain text an address. Secret links are never stored. */
export interface MailLink {
  words: string;
  link: string;
  isSecret?: true;
}

/** A part of a mail: paragraph, heading, banner, button, amounts, or facts. */
export type MailPart =
  | string
  | { heading: string }
  | { big: string }
  | MailLink
  | { lines: readonly MailLine[] }
  | { facts: readonly (readonly [name: string, value: string])[] };

/** A mail's content in one language; the look is common. Texts may contain names. */
export interface MailContent {
  /** Also its first line, in large letters. */
  subject: string;
  parts: readonly MailPart[];
}

export interface MailShop {
  id: string | null;
  name: string;
  /** Where answers to its mails go; null: it has no mail address. */
  email: string | null;
  /** Its address and telephone number, one a line. */
  signature: string;
  logo: MailLogo | null;
  /** `#rrggbb`: the strip below the name, and buttons with the text on them. */
  light: MailColors;
  dark: MailColors;
}

export interface MailColors {
  strip: string;
  accent: string;
  ink: string;
}

/** A PNG with twice the pixels that it takes on a screen. */
export interface MailLogo {
  png: Buffer;
  /** Of the screen. */
  width: number;
  height: number;
}

/** The storable content, without secret links. */
export function withoutSecrets(content: MailContent): MailContent {
  return {
    ...content,
    parts: content.parts.map((part) => (isSecretLink(part) ? { words: part.words, link: '', isSecret: true } : part)),
  };
}

/** Its address opens an account, or takes something into one. */
export function isSecretLink(part: MailPart): part is MailLink & { isSecret: true } {
  return typeof part === 'object' && 'link' in part && part.isSecret === true;
}

/** A letter as one text: paragraphs with empty lines, one of which may be the link. */
export function partsOfLetter(letter: string, link?: MailLink): MailPart[] {
  return letter
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => (link && paragraph === link.link ? link : paragraph));
}
