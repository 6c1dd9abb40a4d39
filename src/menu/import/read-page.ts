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
    else writer.tag(name.toLowerCase(), token.startsWith('</'));
  }
  writer.end();
  return writer.lines;
}

class LineWriter {
  readonly lines: TextLine[] = [];
  private text = '';
  private weight = 0;
  /** The weight of the open heading, or of bold text. */
  private level = 0;

  write(text: string): void {
    if (this.text.trim() === '') this.weight = this.level;
    this.text += text;
  }

  tag(tag: string, isEnd: boolean): void {
    if (tag === 'td' || tag === 'th') this.text += '\t';
    else if (blocks.test(tag)) this.end();
    else if (tag === 'sup' && /\d$/.test(this.text)) this.text += isEnd ? '' : '.';
    else this.text = joinInline(this.text);
    const heading = /^h([1-6])$/.exec(tag)?.[1];
    if (heading) this.level = isEnd ? 0 : 10 - Number(heading);
    if ((tag === 'strong' || tag === 'b') && this.level < 1) this.level = isEnd ? 0 : 0.5;
  }

  end(): void {
    const text = decode(this.text)
      .replaceAll(/[^\S\t]+/g, ' ')
      .trim();
    if (text !== '') this.lines.push({ text, weight: this.weight, page: 1 });
    this.text = '';
  }
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
