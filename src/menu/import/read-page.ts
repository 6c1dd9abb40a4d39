import { m } from '#messages';
import { type DraftDish, draftOf, type DraftSize, type MenuDraft } from '#menu/import/draft.ts';
import { dishesOfText, type TextLine } from '#menu/import/read-text.ts';
import { withoutMarkup } from '#platform/markup.ts';
import { minorDigits } from '#platform/money.ts';

/** Reads a menu from a page's HTML: from its schema.org data if that names dishes, otherwise from its text. */
export function readPage(html: string, currency: string): MenuDraft {
  const stated = dishesOfData(html, currency);
  const written = dishesOfText(linesOfPage(html), currency);
  return draftOf(stated.length > 0 && stated.length * 2 >= written.length ? stated : written);
}

type Thing = Record<string, unknown>;

/** The dishes of the page's JSON-LD: menus and their sections, dishes, and products with an offer. */
export function dishesOfData(html: string, currency: string): DraftDish[] {
  const found: DraftDish[] = [];
  const reader: DataReader = { currency, found, seen: new Set() };
  for (const [, text = ''] of html.matchAll(/<script[^>]*application\/ld\+json[^>]*>([^]*?)<\/script\s*>/gi)) {
    try {
      readThing(reader, JSON.parse(text.replace(/^\s*<!--|-->\s*$|^\s*\/\/.*$/gm, '')), '', 0);
    } catch {
      // A script with broken JSON names no dishes.
    }
  }
  return found;
}

interface DataReader {
  currency: string;
  found: DraftDish[];
  seen: Set<string>;
}

const deepest = 12;

function readThing(reader: DataReader, value: unknown, category: string, depth: number): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    for (const one of value) readThing(reader, one, category, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const thing = value as Thing;
  const types = [thing['@type']].flat().map(String);
  if (types.some((type) => /(?:MenuItem|Product|ProductGroup)\b/.test(type))) return addDish(reader, thing, category);
  const isSection = types.some((type) => type.endsWith('MenuSection'));
  const own = isSection ? textOf(thing['name']) || category : category;
  for (const key of [
    '@graph',
    'hasMenu',
    'hasMenuSection',
    'hasMenuItem',
    'menuSection',
    'menuItem',
    'mainEntity',
    'hasOfferCatalog',
    'itemListElement',
    'item',
    'itemOffered',
  ])
    readThing(reader, thing[key], own || (types[0]?.endsWith('OfferCatalog') ? textOf(thing['name']) : ''), depth + 1);
}

function addDish({ currency, found, seen }: DataReader, thing: Thing, section: string): void {
  const name = textOf(thing['name']);
  const category = section || textOf(thing['category']).split('>').at(-1)?.trim() || '';
  const { price, sizes, isDoubtful, text } = pricesOf(thing, name, currency);
  const key = JSON.stringify([category, name, price, sizes]);
  if (name === '' || seen.has(key)) return;
  seen.add(key);
  const description = textOf(thing['description']).slice(0, 1000);
  found.push({
    name,
    category,
    price,
    sizes,
    doubts: isDoubtful ? ['price'] : [],
    cells: description === '' ? {} : { description },
    text: `${name} · ${text}`,
    sheet: '',
    number: found.length + 1,
  });
}

/** The prices of a dish: that of its only offer, or a size for each of several offers or variants. */
function pricesOf(thing: Thing, name: string, currency: string) {
  const variants = [thing['hasVariant'] ?? []].flat() as Thing[];
  const offers = variants.flatMap((variant) =>
    [variant['offers'] ?? []].flat().map((offer): Thing => ({ ...(offer as Thing), name: variantName(variant, name) })),
  );
  if (variants.length === 0) offers.push(...([thing['offers'] ?? []].flat() as Thing[]));
  const read = offers.map((offer) => ({
    name: textOf(offer['name'] ?? offer['size'] ?? offer['description'] ?? offer['eligibleQuantity']),
    ...priceOf(offer, currency),
  }));
  const isSized = read.length > 1;
  const sizes = read.map(({ name: size, price }, at): DraftSize => ({
    name: size || m.menu_import_size_number({ number: at + 1 }),
    price,
  }));
  return {
    price: isSized ? null : (read[0]?.price ?? null),
    sizes: isSized ? sizes : [],
    isDoubtful: read.length === 0 || read.some((one) => one.isDoubtful || !one.price || (isSized && one.name === '')),
    text: offers.map((offer) => `${textOf(offer['name'])} ${textOf(offer['price'] ?? offer['lowPrice'])}`).join(' · '),
  };
}

function variantName(variant: Thing, name: string): string {
  const size = textOf(variant['size']);
  return (
    size ||
    textOf(variant['name'])
      .replace(name, '')
      .replaceAll(/^[\s\-–(]+|[\s)]+$/g, '') ||
    textOf(variant['name'])
  );
}

function priceOf(offer: Thing, currency: string): { price: number | null; isDoubtful: boolean } {
  const specified = ([offer['priceSpecification'] ?? []].flat()[0] ?? {}) as Thing;
  const stated = offer['price'] ?? specified['price'] ?? offer['lowPrice'];
  const code = textOf(offer['priceCurrency'] ?? specified['priceCurrency']);
  const amount = Number(
    String(stated ?? '')
      .replace(/[£€$\s]/g, '')
      .replace(/,(?=\d{1,2}$)/, '.'),
  );
  const price =
    stated === undefined || !Number.isFinite(amount) ? null : Math.round(amount * 10 ** minorDigits(currency));
  const isRange =
    offer['price'] === undefined &&
    offer['highPrice'] !== undefined &&
    textOf(offer['highPrice']) !== textOf(offer['lowPrice']);
  return { price, isDoubtful: price === null || isRange || (code !== '' && code !== currency) };
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return typeof value === 'string' ? withoutMarkup(value).replaceAll(/\s+/g, ' ').trim() : '';
}

const skipped =
  /<(script|style|noscript|template|svg|nav|footer|head|select|iframe|object|button)\b[^>]*>[^]*?<\/\1\s*>|<!--[^]*?-->|<![^>]*>|<\?[^>]*>|<(?:\w+)\b[^>]*\bhidden(?:=""|="hidden")?(?=[\s>])[^>]*>[^<]*<\/\w+>/gi;
const blocks =
  /^(?:address|article|aside|blockquote|body|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|form|h[1-6]|header|hr|html|li|main|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)$/;

/** The lines of a page as a browser shows them: blocks apart, cells of tables with a tab between them. */
export function linesOfPage(html: string): TextLine[] {
  const writer = new LineWriter();
  for (const [token, name] of html.replaceAll(skipped, ' ').matchAll(/<\/?([a-z][\w:-]*)\b[^>]*>|[^<]+|</gi)) {
    if (name === undefined) writer.write(token);
    else writer.tag(name.toLowerCase(), token);
  }
  writer.end();
  return writer.lines;
}

/** The role of an element's text by the names that the page's author or program gave the element. */
function roleOf(tag: string, token: string): TextLine['role'] {
  if (tag === 'dt') return 'name';
  const names = [...token.matchAll(/\s(?:class|id|itemprop|data-[\w-]+)="([^"]{1,200})"/g)].map(([, name]) => name);
  const words = names.join(' ').toLowerCase();
  if (/desc(?:ription)?\b|ingredients/.test(words)) return 'description';
  if (/(?:section|category)[-_.]{0,2}(?:name|title|head(?:er|ing)?)\b/.test(words)) return 'heading';
  return /(?:item|product|dish|food|meal)[-_.]{0,2}(?:name|title)\b/.test(words) ? 'name' : undefined;
}

class LineWriter {
  readonly lines: TextLine[] = [];
  private text = '';
  private weight = 0;
  private role: TextLine['role'];
  /** The weight of the open heading, of bold text, or of small and italic text. */
  private level = 0;
  private openRole: TextLine['role'];
  /** The index of the first line of the open row of a table. */
  private row: number | null = null;

  write(text: string): void {
    if (this.text.trim() === '') {
      this.weight = this.level;
      this.role = this.openRole;
    }
    this.text += text;
  }

  tag(tag: string, token: string): void {
    const isEnd = token.startsWith('</');
    if (tag === 'td' || tag === 'th') this.text += isEnd ? '' : '\t';
    else if (blocks.test(tag)) this.end();
    else if (tag === 'sup' && /\d$/.test(this.text)) this.text += isEnd ? '' : '.';
    else this.text = joinInline(this.text);
    if (tag === 'tr') this.turnRow(isEnd);
    this.openRole = isEnd ? undefined : (roleOf(tag, token) ?? this.openRole);
    this.turnLevel(tag, token, isEnd);
  }

  private turnLevel(tag: string, token: string, isEnd: boolean): void {
    const heading = /^h([1-6])$/.exec(tag)?.[1];
    if (heading) this.level = isEnd ? 0 : 10 - Number(heading);
    if ((tag === 'strong' || tag === 'b') && this.level < 1) this.level = isEnd ? 0 : 0.5;
    const isSmall = /^(?:small|em|i)$/.test(tag) || (tag === 'font' && (isEnd || /size="?[12]\b/.test(token)));
    if (isSmall && this.level <= 0) this.level = isEnd ? 0 : -0.5;
  }

  end(): void {
    const text = decode(this.text).replaceAll(/[^\S\t]+/g, ' ');
    const { weight, role } = this;
    if (text.trim() !== '')
      this.lines.push({
        text: text.trim(),
        weight,
        page: 1,
        ...(role && { role }),
        ...(/[^\s\t].*\t\s*$/.test(text) && { hasEmptyEnd: true }),
      });
    this.text = '';
  }

  private turnRow(isEnd: boolean): void {
    if (isEnd && this.row !== null) this.lines.push(...joinCells(this.lines.splice(this.row)));
    this.row = isEnd ? null : this.lines.length;
  }
}

/** Puts a row's prices beside its name if the first cell has a description below the name. */
function joinCells(row: readonly TextLine[]): readonly TextLine[] {
  const [name, ...more] = row;
  const last = more.pop();
  const isCell = row.slice(0, -1).every(({ text }) => !text.includes('\t'));
  const [below = '', ...prices] = last?.text.split('\t') ?? [];
  if (!name || !last || more.length > 2 || !isCell || (prices.length === 0 && !last.hasEmptyEnd)) return row;
  const first = { ...last, ...name, text: [name.text, ...prices].join('\t') };
  const { weight, page } = last;
  return [
    first,
    ...[...more, { text: below, weight, page }].map((line): TextLine => ({ ...line, role: 'description' })),
  ];
}

/** Marks the border of an inline element, at which browsers show no blank but many pages have a gap. */
function joinInline(text: string): string {
  return text === '' || /\s$/.test(text) ? text : `${text}\uE000`;
}

function decode(text: string): string {
  // Markup of text that has `<` itself is no concern here: only its entities are decoded.
  const decoded = text.includes('&')
    ? withoutMarkup(text.replaceAll('<', ' ').replaceAll(/\t/g, '\uE001')).replaceAll('\uE001', '\t')
    : text;
  return decoded
    .replaceAll(/(?<=\p{Lu})\uE000+(?=\p{Ll})|(?<=[£€$.,]\s?)\uE000+(?=\d)|(?<=\d)\uE000+(?=[.,"”%])/gu, '')
    .replaceAll(/\uE000+\s*(?=[£€$]?\s*\d)/g, '\t')
    .replaceAll(/\uE000+/g, ' ');
}
