import { readFileSync } from 'node:fs';
import type { MailContent, MailLine, MailPart, MailShop } from '#mail/mail-content.ts';

/** The content id of the logo's picture in a mail's HTML. */
export const logoContentId = 'logo@shop';

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/**
 * Renders a mail as plain text and as HTML in the shop's colours. `logo` is the address of the picture in the HTML, by
 * default that of the attachment. `scheme` forces light or dark, for a preview.
 */
export function renderMail(
  content: MailContent,
  shop: MailShop,
  language: string,
  { logo = `cid:${logoContentId}`, scheme }: { logo?: string; scheme?: 'light' | 'dark' } = {},
): RenderedMail {
  const { subject, parts } = content;
  const html = fill(
    look,
    {
      lang: language,
      subject,
      preview: previewOf(parts),
      strip: shop.light.strip,
      'strip-dark': shop.dark.strip,
      'accent-dark': shop.dark.accent,
      'ink-dark': shop.dark.ink,
    },
    {
      brand: brandOf(shop, logo),
      title: lines(subject).replaceAll(reference, '<span style="white-space: nowrap">$&</span>'),
      parts: parts.map((part) => htmlOf(part, shop)).join('\n'),
      footer: lines(shop.signature),
    },
  );
  const text = [...parts.map(textOf), plain(shop.signature)].filter(Boolean).join('\n\n');
  return { subject, text: `${text}\n`, html: scheme ? inScheme(html, scheme) : html };
}

/** Matches a reference such as C-7KQ4M2XW, within which a line must not break. */
const reference = /\b[A-Z]{1,4}-[A-Z0-9]{1,12}\b/g;

/** A template: HTML with `{{names}}` to fill in, and the templates of the parts that it may repeat. */
interface Template {
  html: string;
  parts: ReadonlyMap<string, Template>;
}

const look = parse(readFileSync(new URL('./look.html', import.meta.url), 'utf8').replace(/^<!--.*-->\n/, ''));

function parse(source: string): Template {
  const parts = new Map<string, Template>();
  const html = source.replaceAll(/<!-- part (\w+) -->([^]*?)<!-- end \1 -->/g, (_all, name: string, inner: string) => {
    parts.set(name, parse(inner));
    return '';
  });
  return { html, parts };
}

function part(within: Template, name: string): Template {
  const found = within.parts.get(name);
  if (!found) throw new Error(`the look of mails has no ${name}`);
  return found;
}

/**
 * Fills in a template. Values in `texts` are escaped. Values in `html` are filled-in templates, so they are not
 * escaped.
 */
function fill(
  { html: source }: Template,
  texts: Readonly<Record<string, string>>,
  html: Readonly<Record<string, string>> = {},
): string {
  return source.replaceAll(/\{\{([\w-]+)\}\}/g, (_all, name: string) => {
    const made = html[name];
    if (made !== undefined) return made;
    const text = texts[name];
    if (text === undefined) throw new Error(`the look of mails needs ${name}`);
    return lines(text);
  });
}

function brandOf(shop: MailShop, src: string): string {
  const { logo, name } = shop;
  if (!logo) return fill(part(look, 'name'), { name });
  return fill(part(look, 'logo'), { src, name, width: String(logo.width), height: String(logo.height) });
}

function htmlOf(content: MailPart, shop: MailShop): string {
  if (typeof content === 'string') return fill(part(look, 'paragraph'), { text: content });
  if ('heading' in content) return fill(part(look, 'heading'), { text: content.heading });
  if ('big' in content) return fill(part(look, 'big'), { text: content.big });
  if ('link' in content) {
    return fill(part(look, 'button'), { ...shop.light, link: content.link, words: content.words });
  }
  if ('lines' in content) {
    const template = part(look, 'lines');
    return fill(template, {}, { lines: content.lines.map((line) => htmlOfLine(template, line)).join('\n') });
  }
  const template = part(look, 'facts');
  const facts = content.facts.map(([name, value]) => fill(part(template, 'fact'), { name, value }));
  return fill(template, {}, { facts: facts.join('\n') });
}

function htmlOfLine(within: Template, { name, detail, value, isTotal }: MailLine): string {
  if (isTotal) return fill(part(within, 'total'), { name, value });
  const line = part(within, 'line');
  return fill(line, { name, value }, { detail: detail ? fill(part(line, 'detail'), { text: detail }) : '' });
}

function textOf(content: MailPart): string {
  if (typeof content === 'string') return plain(content);
  if ('heading' in content) return plain(content.heading);
  if ('big' in content) return plain(content.big);
  if ('link' in content) return `${plain(content.words)}:\n${content.link}`;
  if ('lines' in content) {
    return content.lines
      .map(({ name, detail, value }) => plain(`${name}${detail ? ` (${detail})` : ''}: ${value}`))
      .join('\n');
  }
  return content.facts.map(([name, value]) => plain(`${name}: ${value}`)).join('\n');
}

function previewOf(parts: readonly MailPart[]): string {
  const first = parts.flatMap((content) =>
    typeof content === 'string' ? [content] : 'big' in content ? [content.big] : [],
  );
  return first.slice(0, 2).join(' ');
}

/** Forces the light or dark scheme, by changing the one media query for dark screens. */
function inScheme(html: string, scheme: 'light' | 'dark'): string {
  return html
    .replaceAll('(prefers-color-scheme: dark)', scheme === 'dark' ? 'all' : 'not all')
    .replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`)
    .replaceAll('content="light dark"', `content="${scheme}"`);
}

/** Replaces no-break spaces and removes word joiners, because they have no effect in plain text. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll('\u2060', '');
}

function lines(text: string): string {
  return escape(text).replaceAll(/\r\n|\r|\n/g, '<br>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
