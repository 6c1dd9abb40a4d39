import { m } from '#messages';
import type { DraftDish, DraftSize } from '#menu/import/draft.ts';
import { type FoundAmount, findAmounts, findOutliers, sizeName, sizesOf } from '#menu/import/read-amounts.ts';
import { minorDigits } from '#platform/money.ts';

/** A line of a page, PDF or picture, in the order of reading. */
export interface TextLine {
  text: string;
  /** How large or bold the line is: 0 for the usual text, more for headings. */
  weight: number;
  /** The page, from 1, for the person who compares. */
  page: number;
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

/** Texts beside a menu that have amounts or look like dishes. */
const beside =
  /\b(?:deliver(?:y|ies)? (?:charge|fee|cost|from|within|over|is)|(?:free|local) delivery|minimum order|min\.? ?(?:order|spend)|orders? (?:over|above|under)|spend|discount|% off|vouchers?|service charge|deposit|opening (?:hours|times)|opens?|closed|mon(?:day)?s?|tue(?:s|sday)?s?|wed(?:nesday)?s?|thu(?:rs|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|tel|telephone|phone|call us|e-?mail|www|copyright|allerg(?:y|ies|ens?)|cookies?|terms|privacy|follow us|all prices|prices (?:include|are)|card (?:fee|payments?)|page \d+)\b|https?:|@|©|\d{5}\s?\d{5,6}|\b0\d{3,4} \d{3}/i;

/** Signs of diets, allergens and popularity beside a name; this program never takes them over. */
const marks =
  /\s*(?:\((?:v|ve|vg|vgn|veg|vegan|vegetarian|gf|gfo|df|n|h|halal|hot|mild|medium hot|new!?|contains nuts|\d{1,2}(?:\s*,\s*\d{1,2})*|[a-n](?:\s*,\s*[a-n])*)\)|\[[^\]]{1,12}\]|(?:\p{Extended_Pictographic}|\uFE0F|[*†‡¹²³⁴⁵⁶⁷⁸⁹])+)/giu;
const leaders = /(?:\s*[.…·_]){3,}|\s[-–—]+\s*$|[:\-–—\s]+$/g;

/** A name without numbers before it, dots after it and marks. */
export function cleanName(text: string): string {
  return text
    .replaceAll(marks, ' ')
    .replaceAll(leaders, ' ')
    .replace(/^\s*(?:\d{1,3}\s?[.)]|[•▪◦●‣*-])\s+/, '')
    .replace(/[\s,;:.\-–—|/(]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Reads the dishes from lines of text. Nothing is taken from words about allergens and diets. */
export function dishesOfText(lines: readonly TextLine[], currency: string, isSure = true): DraftDish[] {
  const parts = lines.flatMap((line, at) => partOf(line, at, currency, wholePrices(lines)));
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

/** Whether many lines end in a whole number after dots or a gap, so that it is a price: `Chips ..... 3`. */
function wholePrices(lines: readonly TextLine[]): boolean {
  const count = (pattern: RegExp) => lines.filter(({ text }) => pattern.test(text)).length;
  return count(wholePrice) >= 4 && count(wholePrice) * 2 > count(/[.,]\d{2}\s*$/);
}
const wholePrice = /^(?=.*\p{L}).*(?:\.{2,}|…|\t| {2,}|[-–—])\s*\d{1,2}\s*$/u;

function partOf(line: TextLine, at: number, currency: string, hasWhole: boolean): Part[] {
  const text = line.text.replaceAll(/[^\S\t]+/g, ' ').trim();
  if (text === '' || !/[\p{L}\d]/u.test(text)) return [];
  const found = findAmounts(text, currency);
  if (hasWhole && found.length === 0 && wholePrice.test(line.text)) {
    const start = text.search(/\d{1,2}$/);
    const amount = Number(text.slice(start)) * 10 ** minorDigits(currency);
    found.push({ start, end: text.length, amount, hasSymbol: false });
  }
  if (isBeside(text, found)) return [];
  if (found.length === 0) return [{ line, at, kind: sizeHeads(text) ? 'sizes' : 'text', found, name: text }];
  const name = nameBeside(text, found);
  return [{ line, at, kind: name === '' ? 'prices' : 'priced', found, name }];
}

/** The name before the first amount, or after the only one as in `£4.50 Chips`; empty if there is none. */
function nameBeside(text: string, found: readonly FoundAmount[]): string {
  const before = cleanName(nameAndMore(text.slice(0, found[0]?.start))[0]).replace(/(?:^|\s)(?:from|only)$/i, '');
  if (/\p{L}{2}/u.test(before)) return isSizeWord(before) ? '' : before;
  const after = found.length === 1 && before === '' ? cleanName(text.slice(found[0]?.end)) : '';
  return /\p{L}{3}/u.test(after) && !isSizeWord(after) ? after : '';
}

/** The name, and the description that stands in a column or behind a dash between it and the price. */
function nameAndMore(before: string): [name: string, more: string] {
  const cells = before.split('\t').filter((cell) => /\p{L}{2}/u.test(cell) && !isSizeWord(cell));
  if (cells.length > 1) return [cells[0] ?? '', cells.slice(1).join(' ')];
  const dashed = /^(.{2,60}?)\s[-–—]\s(.+?)\s[-–—]\s*$/.exec(before);
  return dashed ? [dashed[1] ?? '', dashed[2] ?? ''] : [before, ''];
}

function isBeside(text: string, found: readonly FoundAmount[]): boolean {
  if (/\d{1,2}[.:]\d{2}\s*(?:am|pm|h)?\s*(?:-|–|—|to|until)\s*\d{1,2}[.:]\d{2}/i.test(text) && !/[£€$]/.test(text))
    return true;
  return beside.test(text) && (found.length === 0 || !/^[^£€$\d]{3,40}(?:\.{3,}|\t)/.test(text));
}

const sizeWords =
  /^(?:small|medium|large|regular|reg|x-?large|xl|s|m|l|half|full|whole|family|kids?|child(?:ren)?|mini|single|double|triple|pint|half pint|bottle|glass|can|carafe|portion|standard|junior|giant|party|starter|main|slice|each|cup|mug|to share|\d+(?:[.,]\d+)?\s?(?:"|”|″|''|in(?:ch(?:es)?)?|cm|ml|cl|l|oz|pcs?|pieces?))$/i;

function isSizeWord(text: string): boolean {
  return sizeWords.test(text.trim());
}

/** The names of sizes in a line that heads columns of prices: `Small Medium Large`, `10" 12"`; null for other lines. */
function sizeHeads(text: string): string[] | null {
  const bare = text.replace(/^\s*(?:size|price|dish|item)s?\s*(?=\t|:)/i, '').replaceAll(/[|/]/g, '\t');
  const cells = bare.split('\t').flatMap((cell) => cell.trim() || []);
  if (cells.length > 1 && cells.every(isSizeWord)) return cells;
  const words =
    bare
      .trim()
      .match(/\d+(?:[.,]\d+)?\s?(?:"|”|″|''|inch(?:es)?|in\b|cm|ml|cl|oz|pcs?|pieces?)|half pint|x-?large|\S+/gi) ?? [];
  const tail = words.filter(isSizeWord);
  return tail.length > 1 && tail.length === words.length ? words.map(String) : null;
}

/** Words about allergens are left out: only a person states them. */
const ofAllergens = /\b(?:contains|allergens?|may contain|gluten)\b/i;

class TextReader {
  readonly dishes: DraftDish[] = [];
  private category = '';
  /** The sizes that head the columns of the current category. */
  private heads: string[] = [];
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
    const first = runs[0]?.filter(({ line }) => line.weight === this.nameWeight) ?? [];
    this.describesFirst = first.length > 1 && !isCapitals(first[0]?.name ?? '');
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
      if (next !== null && this.isCategory(part, isLast)) this.begin(cleanName(part.name));
      else this.describe(part);
    }
  }

  private isCategory({ line, name: text, at }: Part, isLast: boolean): boolean {
    const name = cleanName(text);
    if (name.length > 50 || !/\p{L}{2}/u.test(name)) return false;
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
    const waiting = this.waiting.splice(0);
    if (waiting.length === 0) return this.addToLast(part);
    const at = this.nameAmong(waiting);
    for (const [index, one] of waiting.slice(0, at).entries()) {
      const name = cleanName(one.name);
      const isHeading = one.line.weight > this.nameWeight || isCapitals(name);
      if (name.length <= 50 && (isHeading || (index === at - 1 && this.dishes.length === 0))) this.begin(name);
      else this.describe(one);
    }
    this.add(part, cleanName(waiting[at]?.name ?? ''));
    for (const one of waiting.slice(at + 1)) this.describe(one);
  }

  /** Adds further sizes to the dish above: `Large £9.50`. */
  private addToLast(part: Part): void {
    const last = this.dishes.at(-1);
    const read = this.sizes(part);
    if (!last || read.length === 0) return;
    if (read.every(({ name }) => name !== '')) {
      if (last.price !== null)
        last.sizes.push({ name: this.heads[0] ?? m.menu_import_size_number({ number: 1 }), price: last.price });
      last.price = null;
      last.sizes.push(...read);
    }
    doubt(last, 'price');
  }

  /** The index of the name among the lines before a price. */
  private nameAmong(waiting: readonly Part[]): number {
    const named = waiting.flatMap(({ line }, at) => (line.weight === this.nameWeight ? at : []));
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
    const more = part.kind === 'priced' ? nameAndMore(text.slice(0, first?.start))[1].trim() : '';
    if (more !== '' && name !== more && !ofAllergens.test(more)) dish.cells['description'] = more.slice(0, 1000);
    // Fewer prices than columns: some sizes are not sold, and only a person knows which.
    if (found.length < this.heads.length) doubt(dish, 'price');
    if (found.length === 1 && first) this.addOne(dish, part, first, text);
    else this.addSizes(dish, found, text);
    if (!/\p{L}{2}/u.test(name) || name.length > 80) doubt(dish, 'name');
    if ([dish.price, ...dish.sizes.map(({ price }) => price)].some((price) => price === 0)) doubt(dish, 'price');
    this.dishes.push(dish);
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
      /^\s*[-–]?\s*\d/.test(text.slice(end))
    )
      doubt(dish, 'price');
    dish.name = dish.name.replace(/\s*\bfrom$/i, '').trim() || name;
    if (!hasSymbol && /\d{1,4}[.,·]\d$/.test(text.slice(start, end))) doubt(dish, 'price');
    const rest = text.slice(end).trim();
    if (/^[+]|\d/.test(rest.replaceAll(/\(?[\d,\s]+\)?$/g, ''))) doubt(dish, 'price');
    if (/\p{L}{4}/u.test(rest) && start > 0 && !/^(?:each|only)\b/i.test(rest))
      dish.cells['description'] = rest.slice(0, 1000);
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

/** A category and the sizes on one line: `PIZZAS  10" 12"`; null for other lines. */
function trailingSizes(text: string): { title: string; names: string[] } | null {
  const words = text.trim().split(/\s+/);
  const first = words.findIndex(
    (_, at) => words.length - at > 1 && at > 0 && sizeHeads(words.slice(at).join(' ')) !== null,
  );
  if (first < 1) return null;
  const title = words.slice(0, first).join(' ');
  return { title, names: sizeHeads(words.slice(first).join(' ')) ?? [] };
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

function isCapitals(text: string): boolean {
  return /\p{Lu}{3}/u.test(text) && text === text.toUpperCase();
}

function isSentence(text: string): boolean {
  return (
    text.length > 60 || /[.!?]$|,.*,|^\p{Ll}/u.test(text) || /\b(?:with|served|topped|and a|our|your)\b/i.test(text)
  );
}
