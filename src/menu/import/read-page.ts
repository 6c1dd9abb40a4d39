import { m } from '#messages';
import { type DraftDish, draftOf, draftOfText, type ImportedDishSize, type MenuDraft } from '#menu/import/draft.ts';
import { type ColumnMeaning, meaningOfHeading } from '#menu/import/match-columns.ts';
import type { TextLine } from '#menu/import/classify-lines.ts';
import { namesOnlyForeignCurrency } from '#menu/import/read-amounts.ts';
import { dishesOfText } from '#menu/import/read-text.ts';
import { isSizeWord } from '#menu/import/text-patterns.ts';
import { htmlToText } from '#platform/markup.ts';
import { minorDigits } from '#platform/money.ts';

/** Reads a menu from a page's HTML: from its schema.org data if that names most dishes, otherwise from its text. */
export function readPage(html: string, currency: string): MenuDraft {
  const stated = dishesOfJsonLd(html, currency);
  const written = dishesOfText(visibleLinesOfHtml(html), currency);
  const isStated = stated.length > 0 && stated.length * 2 >= written.dishes.length;
  return isStated ? draftOf(stated) : draftOfText(written);
}

type SchemaNode = Record<string, unknown>;

/** Reads the page's JSON-LD: menus with sections and dishes, and products with offers. */
export function dishesOfJsonLd(html: string, currency: string): DraftDish[] {
  const found: DraftDish[] = [];
  const reader: DataReader = { currency, found, seen: new Set() };
  for (const [, text = ''] of html.matchAll(/<script[^>]*application\/ld\+json[^>]*>([^]*?)<\/script\s*>/gi)) {
    try {
      readNode(reader, JSON.parse(text.replace(/^\s*<!--|-->\s*$|^\s*\/\/.*$/gm, '')), '', 0);
    } catch {
      // Invalid JSON-LD is ignored, because the dishes can be read from the page's text.
    }
  }
  return found;
}

interface DataReader {
  currency: string;
  found: DraftDish[];
  seen: Set<string>;
}

const maxDepth = 12;

function readNode(reader: DataReader, value: unknown, category: string, depth: number): void {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    for (const one of value) readNode(reader, one, category, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const node = value as SchemaNode;
  const types = [node['@type']].flat().map(String);
  if (types.some((type) => /(?:MenuItem|Product|ProductGroup)\b/.test(type))) return addDish(reader, node, category);
  const isSection = types.some((type) => type.endsWith('MenuSection'));
  const own = isSection ? textOf(node['name']) || category : category;
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
    readNode(reader, node[key], own || (types[0]?.endsWith('OfferCatalog') ? textOf(node['name']) : ''), depth + 1);
}

function addDish({ currency, found, seen }: DataReader, node: SchemaNode, section: string): void {
  const name = textOf(node['name']);
  const category = section || textOf(node['category']).split('>').at(-1)?.trim() || '';
  const { price, sizes, isDoubtful, foreign, text } = pricesOf(node, name, currency);
  const key = JSON.stringify([category, name, price, sizes]);
  if (name === '' || seen.has(key)) return;
  seen.add(key);
  const description = textOf(node['description']).slice(0, 1000);
  found.push({
    name,
    category,
    price,
    sizes,
    doubts: isDoubtful ? ['price'] : [],
    ...(foreign !== undefined && { doubtReason: m.menu_import_doubt_currency({ text: foreign }) }),
    cells: description === '' ? {} : { description },
    text: `${name} · ${text}`,
    sheet: '',
    number: found.length + 1,
  });
}

/** The price of a dish's only offer, or a size for each of several offers or variants. */
function pricesOf(node: SchemaNode, name: string, currency: string) {
  const variants = [node['hasVariant'] ?? []].flat() as SchemaNode[];
  const offers = variants.flatMap((variant) =>
    [variant['offers'] ?? []]
      .flat()
      .map((offer): SchemaNode => ({ ...(offer as SchemaNode), name: variantName(variant, name) })),
  );
  if (variants.length === 0) offers.push(...([node['offers'] ?? []].flat() as SchemaNode[]));
  const read = offers.map((offer) => ({
    name: textOf(offer['name'] ?? offer['size'] ?? offer['description'] ?? offer['eligibleQuantity']),
    ...priceOf(offer, currency),
  }));
  const isSized = read.length > 1;
  const sizes = read.map(({ name: size, price }, at): ImportedDishSize => ({
    name: size || m.menu_import_size_number({ number: at + 1 }),
    price,
  }));
  return {
    price: isSized ? null : (read[0]?.price ?? null),
    sizes: isSized ? sizes : [],
    foreign: read.find((one) => one.foreign !== undefined)?.foreign,
    isDoubtful: read.length === 0 || read.some((one) => one.isDoubtful || !one.price || (isSized && one.name === '')),
    text: offers.map((offer) => `${textOf(offer['name'])} ${textOf(offer['price'] ?? offer['lowPrice'])}`).join(' · '),
  };
}

function variantName(variant: SchemaNode, name: string): string {
  const size = textOf(variant['size']);
  return (
    size ||
    textOf(variant['name'])
      .replace(name, '')
      .replaceAll(/^[\s\-–(]+|[\s)]+$/g, '') ||
    textOf(variant['name'])
  );
}

function priceOf(
  offer: SchemaNode,
  currency: string,
): { price: number | null; isDoubtful: boolean; foreign: string | undefined } {
  const specified = ([offer['priceSpecification'] ?? []].flat()[0] ?? {}) as SchemaNode;
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
  const foreign = foreignWords(String(stated ?? ''), code, currency);
  return { price, isDoubtful: price === null || isRange || foreign !== undefined, foreign };
}

/** Returns the stated amount with its currency code if it is foreign money; otherwise undefined. */
function foreignWords(stated: string, code: string, currency: string): string | undefined {
  const isForeign = (code !== '' && code !== currency) || namesOnlyForeignCurrency(stated, currency);
  return isForeign ? `${stated} ${code === currency ? '' : code}`.trim() : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return typeof value === 'string' ? htmlToText(value).replaceAll(/\s+/g, ' ').trim() : '';
}

const skippedElements =
  /<(script|style|noscript|template|svg|nav|footer|head|select|iframe|object|button)\b[^>]*>[^]*?<\/\1\s*>|<!--[^]*?-->|<![^>]*>|<\?[^>]*>|<(?:\w+)\b[^>]*\bhidden(?:=""|="hidden")?(?=[\s>])[^>]*>[^<]*<\/\w+>/gi;
const blockElements =
  /^(?:address|article|aside|blockquote|body|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|form|h[1-6]|header|hr|html|li|main|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)$/;

/** Splits a page into the lines that a browser shows, with tabs between the cells of a table. */
export function visibleLinesOfHtml(html: string): TextLine[] {
  const writer = new LineWriter();
  for (const [token, name] of html.replaceAll(skippedElements, ' ').matchAll(/<\/?([a-z][\w:-]*)\b[^>]*>|[^<]+|</gi)) {
    if (name === undefined) writer.write(token);
    else writer.tag(name.toLowerCase(), token);
  }
  writer.end();
  return writer.lines;
}

/** The role of an element's text, from its class, id and itemprop. */
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
  /**
   * The weight that the open tags give to the text: more for headings and bold text, less for small and italic text.
   */
  private level = 0;
  private openRole: TextLine['role'];
  /** The index in `lines` at which the open table row begins; null outside of a row. */
  private row: number | null = null;
  private cells: string[] = [];
  private heads: TableHeads | null = null;

  write(text: string): void {
    this.addToCell(text.replaceAll(/\s+/g, ' '));
    if (this.text.trim() === '') {
      this.weight = this.level;
      this.role = this.openRole;
    }
    this.text += text;
  }

  tag(tag: string, token: string): void {
    const isEnd = token.startsWith('</');
    if (tag === 'td' || tag === 'th') this.turnCell(isEnd);
    else if (blockElements.test(tag)) {
      this.end();
      this.addToCell('\n');
    } else if (tag === 'sup' && /\d$/.test(this.text)) {
      this.text += isEnd ? '' : '.';
      this.addToCell(isEnd ? '' : '.');
    } else {
      this.text = joinInline(this.text);
      this.addToCell('\uE000');
    }
    if (tag === 'table') this.heads = null;
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
    const text = decodeText(this.text).replaceAll(/[^\S\t]+/g, ' ');
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

  private turnCell(isEnd: boolean): void {
    if (isEnd) return;
    this.text += '\t';
    this.cells.push('');
  }

  private addToCell(text: string): void {
    const last = this.cells.length - 1;
    if (last >= 0) this.cells[last] += text;
  }

  private turnRow(isEnd: boolean): void {
    if (isEnd && this.row !== null) {
      const row = this.lines.splice(this.row);
      const cells = this.cells.map((cell) =>
        cell.split('\n').flatMap((line) => decodeText(line).replaceAll(/\s+/g, ' ').trim() || []),
      );
      const heads = findTableHeads(cells.map((lines) => lines.join(' ')));
      this.heads = heads ?? this.heads;
      this.lines.push(
        ...(heads ? linesOfHeads(heads) : (this.heads && linesByHeads(cells, this.heads)) || joinRowCells(row)),
      );
    }
    this.cells = [];
    this.row = isEnd ? null : this.lines.length;
  }
}

interface TableHeads {
  meanings: (ColumnMeaning | undefined)[];
  /** The heading above the dishes' names if it names their category, as in `Pizzas | Price`; otherwise empty. */
  title: string;
  sizes: string[];
  /** The currency's sign in each heading. A cell that is a bare number gets the sign of its heading. */
  signs: string[];
  category: string;
}

/** Reads a row as the table's headings; null if it is a dish. */
function findTableHeads(cells: readonly string[]): TableHeads | null {
  const found = cells.map((cell) => {
    const meaning = meaningOfHeading(cell);
    return meaning === 'sizePrice' && !isSizeWord(cell) && !/\bprice\b/i.test(cell) ? undefined : meaning;
  });
  const sizes = cells.filter((_, at) => found[at] === 'sizePrice');
  const isAnyFilled = cells.some((cell, at) => cell !== '' && found[at] === undefined && at > 0);
  if (isAnyFilled || cells.some((cell) => /[£€$]\s*\d|\d[.,]\d{2}/.test(cell))) return null;
  const signs = cells.map((cell) => /[£€$]|zł|\b(?:CHF|GBP|EUR|USD|PLN|kr)\b/i.exec(cell)?.[0] ?? '');
  if (found.includes('name') && found[0] !== undefined && (found.includes('price') || sizes.length > 0))
    return { meanings: found, title: '', sizes, signs, category: '' };
  const [title = ''] = cells;
  if (title === '' || found[0] !== undefined || !found.includes('price')) return null;
  return { meanings: ['name', ...found.slice(1)], title, sizes, signs, category: '' };
}

function linesOfHeads({ title, sizes }: TableHeads): TextLine[] {
  return [
    ...(title === '' ? [] : [{ text: title, weight: 1, page: 1, role: 'heading' as const }]),
    ...(sizes.length > 1 ? [{ text: sizes.join('\t'), weight: 0, page: 1 }] : []),
  ];
}

/** Orders a row's cells by the table's headings; null for a row without a name, such as a title across the columns. */
function linesByHeads(cells: readonly (readonly string[])[], heads: TableHeads): TextLine[] | null {
  const { meanings, sizes, signs } = heads;
  const { length } = cells;
  // A category cell that spans several rows is only in the first of these rows.
  const spans = length === meanings.length - 1 && meanings[0] === 'category';
  const row = spans ? [[], ...cells] : cells;
  const linesOf = (meaning: ColumnMeaning) => row[meanings.indexOf(meaning)] ?? [];
  const [name, ...below] = linesOf('name');
  if (name === undefined || length < 2 || row.length > meanings.length) return null;
  const category = linesOf('category').join(' ') || heads.category;
  const isNew = category !== heads.category;
  heads.category = category;
  const prices = meanings.flatMap((one, at) => {
    const cell = (row[at] ?? []).join(' ');
    const text = /^\d[\d.,]*$/.test(cell) ? `${signs[at] ?? ''} ${cell}`.trim() : cell;
    return one === 'price' || one === 'sizePrice' ? text || (sizes.length > 1 ? '-' : []) : [];
  });
  const size = linesOf('size').join(' ');
  const description = [...below, ...linesOf('description')];
  return [
    ...(isNew ? linesOfHeads({ ...heads, title: category }) : []),
    {
      text: [size === '' ? name : `${name} (${size})`, ...prices].join('\t'),
      weight: 0,
      page: 1,
      role: 'name',
      isPriceLast: prices.length > 0,
    },
    ...description.map((text): TextLine => ({ text, weight: 0, page: 1, role: 'description' })),
  ];
}

/** Moves a row's prices to its name if the first cell has a description below the name. */
function joinRowCells(row: readonly TextLine[]): readonly TextLine[] {
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

/** Marks the border of an inline element, because styles often show a gap there although the HTML has no space. */
function joinInline(text: string): string {
  return text === '' || /\s$/.test(text) ? text : `${text}\uE000`;
}

function decodeText(text: string): string {
  // A `<` in the text is no tag, but the decoder would take it for one and drop the rest of the line.
  const decoded = text.includes('&')
    ? htmlToText(text.replaceAll('<', ' ').replaceAll(/\t/g, '\uE001')).replaceAll('\uE001', '\t')
    : text;
  return decoded
    .replaceAll(/(?<=\p{Lu})\uE000+(?=\p{Ll})|(?<=[£€$.,]\s?)\uE000+(?=\d)|(?<=\d)\uE000+(?=[.,"”%])/gu, '')
    .replaceAll(/\uE000+\s*(?=[£€$]?\s*\d)/g, '\t')
    .replaceAll(/\uE000+/g, ' ');
}
