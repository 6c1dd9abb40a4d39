import { m } from '#messages';
import type { DraftDish, DraftSize } from '#menu/import/draft.ts';
import {
  type FoundAmount,
  findAmounts,
  findOutliers,
  sizeName,
  sizesInColumns,
  sizesOf,
} from '#menu/import/read-amounts.ts';
import {
  cleanName,
  nameAndMore,
  nameBeside,
  isBeside,
  isButton,
  isCapitals,
  isMark,
  isSentence,
  isSizeWord,
  sizeHeads,
  trailingSizes,
  withoutLetterSpaces,
} from '#menu/import/text-words.ts';
import { minorDigits } from '#platform/money.ts';

/** A line of a page, PDF or picture, in the order of reading. */
export interface TextLine {
  text: string;
  /** How large or bold the line is: 0 for the usual text, more for headings. */
  weight: number;
  /** The page, from 1, for the person who compares. */
  page: number;
  /** Its role by the page's own markup. */
  role?: 'heading' | 'name' | 'description';
  /** Whether it ends in an empty cell of a table. */
  hasEmptyEnd?: boolean;
}

/** A line with its role in the menu. */
interface Part {
  line: TextLine;
  at: number;
  kind: 'priced' | 'prices' | 'sizes' | 'text';
  found: FoundAmount[];
  /** The text before the first amount, or the whole text. */
  name: string;
}

/** Reads the dishes from lines of text. Nothing is taken from words about allergens and diets. */
export function dishesOfText(lines: readonly TextLine[], currency: string, isSure = true): DraftDish[] {
  const habits = habitsOf(lines);
  const parts = lines.flatMap((line, at) => partOf(line, at, currency, habits));
  const reader = new TextReader(parts, isSure);
  for (let at = 0; at < parts.length; at += 1) reader.read(at);
  reader.end();
  const { dishes } = reader;
  const prices = dishes.map(({ price, sizes }) => price ?? sizes[0]?.price ?? null);
  for (const at of findOutliers(prices)) doubt(dishes[at], 'price');
  return dishes;
}

function doubt(dish: DraftDish | undefined, what: DraftDish['doubts'][number]): void {
  if (dish && !dish.doubts.includes(what)) dish.doubts.push(what);
}

/** How a menu writes its prices. */
interface Habits {
  /** Whether many lines end in a short number after dots or a gap, so that it is a price: `Chips ..... 3`. */
  isShort: boolean;
  /** Whether a few lines lack the price that others have after dots or in a table's last cell. */
  lacksSome: boolean;
}

function habitsOf(lines: readonly TextLine[]): Habits {
  const count = (pattern: RegExp) => lines.filter(({ text }) => pattern.test(text)).length;
  const [short, usual] = [count(shortPrice), count(/[.,]\d{2}\s*$/)];
  const lacking = lines.filter(lacksPrice).length;
  return { isShort: short >= 4 && short * 2 > usual, lacksSome: lacking * 2 < short + usual };
}
const shortPrice = /^(?=.*\p{L}).*(?:\.{2,}|…|\t| {2,}|[-–—])\s*\d{1,2}(?:[.,]\d)?\s*$/u;

function lacksPrice({ text, weight, hasEmptyEnd }: TextLine): boolean {
  return /\p{L}.*(?:\.{4,}|…)\s*$/u.test(text) || (hasEmptyEnd === true && weight <= 0 && !isCapitals(text));
}

function partOf(line: TextLine, at: number, currency: string, habits: Habits): Part[] {
  const text = withoutLetterSpaces(line.text)
    .replaceAll(/[^\S\t]+/g, ' ')
    .trim();
  if (text === '' || !/[\p{L}\d]/u.test(text)) return [];
  const found = findAmounts(text, currency);
  if (found.length === 0) found.push(...shortAmounts(line, text, currency, habits));
  if (isBeside(text, found)) return [];
  if (found.length === 0)
    return isButton(text) ? [] : [{ line, at, kind: sizeHeads(text) ? 'sizes' : 'text', found, name: text }];
  const name = nameBeside(text, found);
  if (isButton(name)) return [];
  return [{ line, at, kind: name === '' ? 'prices' : 'priced', found, name }];
}

/** The price of a menu's own habit: `3` or `7.5` at the end of the line, or an empty place. */
function shortAmounts(line: TextLine, text: string, currency: string, habits: Habits): FoundAmount[] {
  const end = text.length;
  if (habits.isShort && shortPrice.test(line.text)) {
    const start = text.search(/\d{1,2}(?:[.,]\d)?$/);
    const amount = Math.round(Number(text.slice(start).replace(',', '.')) * 10 ** minorDigits(currency));
    return [{ start, end, amount, hasSymbol: true }];
  }
  if (!habits.lacksSome || !lacksPrice(line)) return [];
  return [{ start: end, end, amount: null, hasSymbol: true, isDoubtful: true }];
}

/** Words about allergens are left out: only a person states them. */
const ofAllergens = /\b(?:contains|allergens?|may contain|gluten)\b/i;

class TextReader {
  readonly dishes: DraftDish[] = [];
  private category = '';
  /** The sizes that head the columns of the current category. */
  private heads: string[] = [];
  /** The size of the last dish's only price so far. */
  private firstSize = '';
  /** The lines since the last price. */
  private waiting: Part[] = [];
  private readonly parts: readonly Part[];
  private readonly isSure: boolean;
  /** The weight of lines with a name and a price. */
  private readonly usual: number;
  /** The weight of names whose price is on a later line. */
  private readonly nameWeight: number;
  /** Whether a description stands between a name and its price. */
  private readonly describesFirst: boolean;

  constructor(parts: readonly Part[], isSure: boolean) {
    this.parts = parts;
    this.isSure = isSure;
    this.usual = mostFrequent(parts.flatMap(({ kind, line }) => (kind === 'priced' ? line.weight : []))) ?? 0;
    const runs = runsBeforePrices(parts);
    const weights = runs.flatMap((run) => [...new Set(run.map(({ line }) => line.weight))]);
    this.nameWeight = mostFrequent(weights) ?? 0;
    this.describesFirst = describesBeforePrices(runs, this.nameWeight);
  }

  read(at: number): void {
    const part = this.parts[at];
    if (!part) return;
    if (part.kind === 'text') return this.readText(part);
    if (part.kind === 'prices') return this.addPrices(part);
    this.settle(part.kind === 'sizes' ? 'sizes' : 'priced');
    if (part.kind === 'sizes') this.heads = sizeHeads(part.line.text.trim()) ?? [];
    else this.add(part, part.name);
  }

  /** Ends the reading: the last lines describe the last dish. */
  end(): void {
    this.settle(null);
  }

  private readText(part: Part): void {
    const sizes = trailingSizes(part.line.text);
    if (!sizes) {
      this.waiting.push(part);
      return;
    }
    this.settle(null);
    this.begin(sizes.title);
    this.heads = sizes.names;
  }

  /** Takes the waiting lines as headings or descriptions. */
  private settle(next: 'priced' | 'sizes' | null): void {
    const waiting = this.waiting.splice(0);
    for (const [index, part] of waiting.entries()) {
      const isLast = index === waiting.length - 1;
      if (isUnpricedName(part)) this.addUnpriced(part);
      else if ((next !== null || part.line.role === 'heading') && this.isCategory(part, isLast))
        this.begin(cleanName(part.name));
      else this.describe(part);
    }
  }

  private isCategory({ line, name: text, at }: Part, isLast: boolean): boolean {
    const name = cleanName(text);
    if (name.length > 50 || !/\p{L}{2}/u.test(name)) return false;
    if (line.role !== undefined) return line.role === 'heading';
    if (line.weight > this.usual || isCapitals(name)) return true;
    const last = this.dishes.at(-1);
    // A short line of the usual weight heads dishes only where it cannot describe the one above.
    const isFar = !last || at - last.number > 1 || last.cells['description'] !== undefined;
    return line.weight >= this.usual && isLast && isFar && !isSentence(name);
  }

  private begin(name: string): void {
    this.category = cleanName(name);
    this.heads = [];
  }

  private describe({ line, at }: Part): void {
    const last = this.dishes.at(-1);
    if (!last || at - last.number > 3) return;
    const text = line.text.replaceAll(/\s+/g, ' ').trim();
    if (ofAllergens.test(text)) return;
    last.cells['description'] = [last.cells['description'], text].filter(Boolean).join(' ').slice(0, 1000);
  }

  private addPrices(part: Part): void {
    const waiting = withoutMarks(this.waiting.splice(0));
    if (waiting.length === 0) return this.addToLast(part);
    const at = this.nameAmong(waiting);
    for (const [index, one] of waiting.slice(0, at).entries()) {
      if (isUnpricedName(one)) this.addUnpriced(one);
      else if (this.headsNames(one, index === at - 1)) this.begin(one.name);
      else this.describe(one);
    }
    this.add(part, cleanName(waiting[at]?.name ?? ''));
    for (const one of waiting.slice(at + 1)) this.describe(one);
  }

  /** Whether a line before a name is the category's. */
  private headsNames({ line, name: text }: Part, isLast: boolean): boolean {
    const name = cleanName(text);
    if (name.length > 50) return false;
    if (line.role !== undefined) return line.role === 'heading';
    if (line.weight > this.nameWeight || isCapitals(name)) return true;
    // Where names are headings themselves, a heading directly before one is its category.
    const isHeading = this.nameWeight > 0 && line.weight === this.nameWeight;
    return isHeading || (isLast && this.dishes.length === 0 && !isSentence(name));
  }

  /** Adds a dish whose price is missing. */
  private addUnpriced(part: Part): void {
    const end = part.line.text.length;
    const found = [{ start: end, end, amount: null, hasSymbol: true, isDoubtful: true }];
    this.add({ ...part, found }, cleanName(part.name));
  }

  /** Adds further sizes to the dish above: `Large £9.50`. */
  private addToLast(part: Part): void {
    const last = this.dishes.at(-1);
    const read = this.sizes(part);
    if (!last || read.length === 0) return;
    if (read.every(({ name }) => name !== '')) {
      const first = this.firstSize || (this.heads[0] ?? m.menu_import_size_number({ number: 1 }));
      if (last.price !== null) last.sizes.push({ name: first, price: last.price });
      last.price = null;
      last.sizes.push(...read);
      if (this.firstSize !== '' && part.found.every((one) => !one.isDoubtful)) return;
    }
    doubt(last, 'price');
  }

  /** The index of the name among the lines before a price. */
  private nameAmong(waiting: readonly Part[]): number {
    const byRole = waiting.findLastIndex(({ line }) => line.role === 'name');
    if (byRole >= 0) return byRole;
    const named = waiting.flatMap(({ line }, at) => (line.weight === this.nameWeight && !line.role ? at : []));
    const [first, second] = named;
    if (first === undefined) return waiting.length - 1;
    if (second === undefined) return first;
    const lead = isCapitals(waiting[first]?.name ?? '') && !isCapitals(waiting[second]?.name ?? '') ? second : first;
    if (this.describesFirst) return lead;
    return named.findLast((at) => !isSentence(cleanName(waiting[at]?.name ?? ''))) ?? lead;
  }

  private sizes({ line, found }: Part): DraftSize[] {
    const read = sizesOf(line.text.replaceAll(/\s+/g, ' ').trim(), found);
    return found.length > 1
      ? read.sizes
      : found.map(({ start, amount }) => ({ name: sizeName(line.text.trim().slice(0, start)), price: amount }));
  }

  private add(part: Part, name: string): void {
    const { found, line, at } = part;
    const text = line.text.replaceAll(/[^\S\t]+/g, ' ').trim();
    const dish: DraftDish = {
      name,
      category: this.category,
      price: null,
      sizes: [],
      doubts: this.isSure ? [] : ['price'],
      cells: {},
      text,
      sheet: '',
      number: at + 1,
    };
    const [first] = found;
    this.noteBeside(dish, part, text.slice(0, first?.start));
    const columns = sizesInColumns(text, this.heads, found);
    // Fewer prices than columns: some sizes are not sold, and only a person knows which.
    if (!columns && found.length < this.heads.length) doubt(dish, 'price');
    if (columns) dish.sizes = columns;
    else if (found.length === 1 && first) this.addOne(dish, part, first, text);
    else this.addSizes(dish, found, text);
    if (!/\p{L}{2}/u.test(name) || name.length > 80) doubt(dish, 'name');
    if ([dish.price, ...dish.sizes.map(({ price }) => price)].some((price) => price === 0)) doubt(dish, 'price');
    this.dishes.push(dish);
  }

  /** Notes the description or the size before a price. */
  private noteBeside(dish: DraftDish, { kind, found }: Part, before: string): void {
    const more = kind === 'priced' ? nameAndMore(before)[1].trim() : '';
    const lead = sizeName(before);
    this.firstSize = kind === 'prices' && found.length === 1 && isSizeWord(lead) ? lead : '';
    if (more !== '' && dish.name !== more && !ofAllergens.test(more)) dish.cells['description'] = more.slice(0, 1000);
  }

  private addOne(dish: DraftDish, { name }: Part, found: FoundAmount, text: string): void {
    const { start, end, amount, hasSymbol } = found;
    dish.price = amount;
    if (found.isDoubtful) doubt(dish, 'price');
    const around = `${text.slice(Math.max(0, start - 12), start)} ${text.slice(end)}`;
    if (
      /\bfrom\b|\bextra\b|\+\s*$|\bp\/?p\b|per (?:person|head|kg|100)|\bon(?:ly)? request\b|^\s*[-–]\s*\d/i.test(
        around,
      ) ||
      (start > 0 && /^\s*[-–]?\s*\d/.test(text.slice(end)))
    )
      doubt(dish, 'price');
    dish.name = dish.name.replace(/\s*\bfrom$/i, '').trim() || name;
    if (!hasSymbol && /\d{1,4}[.,·]\d$/.test(text.slice(start, end))) doubt(dish, 'price');
    const rest = start > 0 ? text.slice(end).trim() : '';
    if (/^[+]|\d/.test(rest.replaceAll(/\(?[\d,\s]+\)?$/g, ''))) doubt(dish, 'price');
    if (/\p{L}{4}/u.test(rest) && !/^(?:each|only)\b/i.test(rest)) dish.cells['description'] = rest.slice(0, 1000);
  }

  private addSizes(dish: DraftDish, found: readonly FoundAmount[], text: string): void {
    const names = this.heads;
    if (names.length === found.length) {
      dish.sizes = found.map(({ amount }, at) => ({ name: names[at] ?? '', price: amount }));
      return;
    }
    const [first] = found;
    const head = text.slice(0, first?.start ?? 0);
    const lead = new RegExp(`\\s(\\S+|\\d+\\s?\\S+)\\s*$`).exec(head.replaceAll(/[£€$(:]\s*$/g, ''))?.[1] ?? '';
    const own = isSizeWord(lead.replaceAll(/[^\p{L}\d"”.]/gu, '')) ? lead : '';
    const read = sizesOf(
      text.slice(head.length - (own === '' ? 0 : head.length - head.lastIndexOf(own))),
      shift(found, head.lastIndexOf(own || '\0') >= 0 && own !== '' ? head.lastIndexOf(own) : head.length),
    );
    if (own !== '') dish.name = cleanName(head.slice(0, head.lastIndexOf(own))) || dish.name;
    dish.sizes = read.sizes;
    if (read.isDoubtful || names.length > 0) doubt(dish, 'price');
  }
}

function shift(found: readonly FoundAmount[], by: number): FoundAmount[] {
  return found.map((one) => ({ ...one, start: one.start - by, end: one.end - by }));
}

/** For each line of prices alone the lines before it, back to the last price. */
function runsBeforePrices(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = [];
  let run: Part[] = [];
  for (const part of parts) {
    if (part.kind === 'text') run.push(part);
    else if (part.kind === 'prices' && run.length > 0) runs.push(run);
    if (part.kind !== 'text') run = [];
  }
  return runs;
}

/** The most frequent number; the largest of several. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = [...Map.groupBy(numbers, (one) => one)];
  return counts.toSorted(([a, x], [b, y]) => y.length - x.length || b - a)[0]?.[0];
}

/** Whether descriptions stand between names and prices; otherwise they follow the prices. */
function describesBeforePrices(runs: readonly Part[][], nameWeight: number): boolean {
  let votes = 0;
  for (const run of runs) {
    const texts = run.flatMap(({ line, name }) => (line.weight === nameWeight && !line.role ? name : []));
    const [first = '', last = ''] = texts.slice(-2);
    if (texts.length < 2 || isCapitals(first)) continue;
    const [isLeading, isTrailing] = [isSentence(first), isSentence(last)];
    const longer = last.length > first.length ? 1 : -1;
    votes += isLeading === isTrailing ? longer : isTrailing ? 1 : -1;
  }
  return votes > 0;
}

/** Whether a page names a dish that has no price. */
function isUnpricedName({ line: { role }, name }: Part): boolean {
  return role === 'name' && name.length <= 60 && !name.includes('?') && !isSentence(name);
}

/** The lines without marks such as `Vegan` between a name and its price. */
function withoutMarks(waiting: readonly Part[]): Part[] {
  const named = waiting.filter(({ line, name }) => line.role !== undefined || !isMark(name));
  return named.length > 0 ? named : [...waiting];
}
