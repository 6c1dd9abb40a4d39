export interface MailLine {
  name: string;
  /** A small text below the name, such as options or a note. */
  detail?: string;
  value: string;
  isTotal?: true;
}

/**
 * A link, which is a button in HTML and an address in plain text. The address of a secret link is not stored in the
 * database.
 */
export interface MailLink {
  words: string;
  link: string;
  isSecret?: true;
}

export type MailPart =
  | string
  | { heading: string }
  | { big: string }
  | MailLink
  | { lines: readonly MailLine[] }
  | { facts: readonly (readonly [name: string, value: string])[] };

/** The content of a mail in one language, without its look. */
export interface MailContent {
  /** The subject, which the mail also shows as its title. */
  subject: string;
  parts: readonly MailPart[];
}

export interface MailShop {
  id: string | null;
  name: string;
  /** The shop's address for answers to its mails; null: the shop has none. */
  email: string | null;
  /** The shop's address and telephone number, one on each line. */
  signature: string;
  logo: MailLogo | null;
  light: MailColors;
  dark: MailColors;
}

/**
 * Colours as `#rrggbb`: of the strip below the shop's name (`strip`), of buttons (`accent`), and of the text on buttons
 * (`ink`).
 */
export interface MailColors {
  strip: string;
  accent: string;
  ink: string;
}

/** A PNG logo, with two pixels for each CSS pixel of `width` and `height`. */
export interface MailLogo {
  png: Buffer;
  /** The size on a screen, in CSS pixels. */
  width: number;
  height: number;
}

export function withoutSecretLinks(content: MailContent): MailContent {
  return {
    ...content,
    parts: content.parts.map((part) => (isSecretLink(part) ? { words: part.words, link: '', isSecret: true } : part)),
  };
}

/** Whether a part is a link with a secret address, which opens an account or adds orders to one. */
export function isSecretLink(part: MailPart): part is MailLink & { isSecret: true } {
  return typeof part === 'object' && 'link' in part && part.isSecret === true;
}

/** Splits a text into paragraphs at empty lines. A paragraph that is the address of `link` becomes that link. */
export function textToMailParts(letter: string, link?: MailLink): MailPart[] {
  return letter
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => (link && paragraph === link.link ? link : paragraph));
}
