import { m } from '#messages';
import { addDoubt, type DraftDish, type ImportedDishSize, type ParsedMenuText } from '#menu/import/draft.ts';
import { type ClassifiedLine, classifyLines, type TextLine } from '#menu/import/classify-lines.ts';
import {
  type FoundAmount,
  findPriceOutliers,
  cleanSizeName,
  readSizeColumns,
  readNamedSizes,
  statesForeignPrices,
} from '#menu/import/read-amounts.ts';
import { findOccasionSizeNames } from '#menu/import/foreign-cells.ts';
import {
  cleanDishName,
  deliveryFeesBelow,
  splitNameAndDescription,
  isUpperCase,
  isDishBadge,
  isSentence,
  isSizeWord,
  splitSizeHeadings,
  splitTrailingSizes,
} from '#menu/import/text-patterns.ts';

/**
 * Reads the dishes from lines of text. Allergens are not read, because a misread line could hide one. `trustsPrices:
 * false`, for photos, marks every price as doubtful.
 */
export function dishesOfText(lines: readonly TextLine[], currency: string, trustsPrices = true): ParsedMenuText {
  const parts = classifyLines(lines, currency);
  const reader = new TextReader(parts, trustsPrices);
  for (let at = 0; at < parts.length; at += 1) reader.read(at);
  reader.end();
  const { dishes, unread } = reader;
  // If the text lists allergens by numbers, a lone number in brackets is an allergen; otherwise it is a number of
  // pieces.
  if (lines.some(({ text }) => /\(\d{1,2}(?:\s*,\s*\d{1,2})+\)/.test(text)))
    for (const dish of dishes) dish.name = dish.name.replaceAll(/\s*\(\d{1,2}\)/g, '');
  const prices = dishes.map(({ price, sizes }) => price ?? sizes[0]?.price ?? null);
  for (const at of findPriceOutliers(prices)) markDoubtful(dishes[at], 'price');
  for (const dish of dishes) {
    const occasions = findOccasionSizeNames(dish.sizes);
    if (occasions.length > 0) addDoubt(dish, m.menu_import_doubt_occasion({ names: occasions.join(', ') }));
  }
  const foreign = lines.find(({ text }) => statesForeignPrices(text, currency));
  if (foreign) for (const dish of dishes) addDoubt(dish, m.menu_import_doubt_currency({ text: foreign.text.trim() }));
  return { dishes, unread };
}

function markDoubtful(dish: DraftDish | undefined, field: DraftDish['doubts'][number]): void {
  if (dish && !dish.doubts.includes(field)) dish.doubts.push(field);
}

function markOddAmounts(dish: DraftDish, found: readonly FoundAmount[]): void {
  if (found.some((one) => one.isDoubtful)) markDoubtful(dish, 'price');
}

/** Lines with these words never become descriptions, because only a person states allergens. */
const allergenWords = /\b(?:contains|allergens?|may contain|gluten)\b/i;

class TextReader {
  readonly dishes: DraftDish[] = [];
  readonly unread: string[] = [];
  private category = '';
  private heads: string[] = [];
  /** The size that precedes the last dish's first price: `Small £7`. */
  private firstSize = '';
  /** The lines after the last price. The next price decides their roles. */
  private pending: ClassifiedLine[] = [];
  private readonly parts: readonly ClassifiedLine[];
  private readonly trustsPrices: boolean;
  /** The most frequent weight of lines with a name and a price. */
  private readonly usualWeight: number;
  /** The weight of names whose price is on a later line. */
  private readonly nameWeight: number;
  private readonly describesFirst: boolean;

  constructor(parts: readonly ClassifiedLine[], trustsPrices: boolean) {
    this.parts = parts;
    this.trustsPrices = trustsPrices;
    this.usualWeight = mostFrequent(parts.flatMap(({ kind, line }) => (kind === 'priced' ? line.weight : []))) ?? 0;
    const runs = linesBeforePrices(parts);
    const weights = runs.flatMap((run) => [...new Set(run.map(({ line }) => line.weight))]);
    this.nameWeight = mostFrequent(weights) ?? 0;
    this.describesFirst = describesBeforePrices(runs, this.nameWeight);
  }

  read(at: number): void {
    const part = this.parts[at];
    if (!part) return;
    if (part.kind === 'text') return this.readText(part);
    if (part.kind === 'prices') return this.addPrices(part);
    this.settlePending(part.kind === 'sizes' ? 'sizes' : 'priced');
    if (part.kind === 'sizes') this.heads = splitSizeHeadings(part.line.text.trim()) ?? [];
    else this.add(part, part.name);
  }

  /** Settles the roles of the last lines, after which no price follows. */
  end(): void {
    this.settlePending(null);
  }

  private readText(part: ClassifiedLine): void {
    const sizes = splitTrailingSizes(part.line.text);
    if (!sizes) {
      this.pending.push(part);
      return;
    }
    this.settlePending(null);
    this.begin(sizes.title);
    this.heads = sizes.names;
  }

  /** Decides which pending lines are categories, unpriced dishes or descriptions. */
  private settlePending(next: 'priced' | 'sizes' | null): void {
    const pending = this.pending.splice(0);
    for (const [index, part] of pending.entries()) {
      const isLast = index === pending.length - 1;
      if (isUnpricedName(part)) this.addUnpricedDish(part);
      else if ((next !== null || part.line.role === 'heading') && this.isCategory(part, isLast))
        this.begin(cleanDishName(part.name));
      else this.describe(part);
    }
  }

  private isCategory({ line, name: text, at }: ClassifiedLine, isLast: boolean): boolean {
    const name = cleanDishName(text);
    if (name.length > 50 || !/\p{L}{2}/u.test(name)) return false;
    if (line.role !== undefined) return line.role === 'heading';
    if (line.weight > this.usualWeight || isUpperCase(name)) return true;
    const last = this.dishes.at(-1);
    // A short line of the usual weight may describe the dish above, unless that dish is far away or already has a
    // description.
    const isFar = !last || at - last.number > 1 || last.cells['description'] !== undefined;
    return line.weight >= this.usualWeight && isLast && isFar && !isSentence(name);
  }

  private begin(name: string): void {
    this.category = cleanDishName(name);
    this.heads = [];
  }

  private describe({ line, at }: ClassifiedLine): void {
    const last = this.dishes.at(-1);
    const text = line.text.replaceAll(/\s+/g, ' ').trim();
    if (line.weight > Math.max(this.usualWeight, this.nameWeight) || allergenWords.test(text)) return;
    if (last && at - last.number <= 3)
      last.cells['description'] = [last.cells['description'], text].filter(Boolean).join(' ').slice(0, 1000);
    else this.unread.push(text);
  }

  private addPrices(part: ClassifiedLine): void {
    const pending = withoutBadges(this.pending.splice(0));
    if (pending.length === 0) return this.addSizesToLastDish(part);
    const at = this.indexOfName(pending);
    for (const [index, one] of pending.slice(0, at).entries()) {
      if (isUnpricedName(one)) this.addUnpricedDish(one);
      else if (this.isCategoryOfName(one, index === at - 1)) this.begin(one.name);
      else this.describe(one);
    }
    this.add(part, cleanDishName(pending[at]?.name ?? ''));
    for (const one of pending.slice(at + 1)) this.describe(one);
  }

  private isCategoryOfName({ line, name: text }: ClassifiedLine, isLast: boolean): boolean {
    const name = cleanDishName(text);
    if (name.length > 50) return false;
    if (line.role !== undefined) return line.role === 'heading';
    if (line.weight > this.nameWeight || isUpperCase(name)) return true;
    // Some pages mark up both names and categories as headings. Then the heading before a name is the name's category.
    const isHeading = this.nameWeight > 0 && line.weight === this.nameWeight;
    return isHeading || (isLast && this.dishes.length === 0 && !isSentence(name));
  }

  private addUnpricedDish(part: ClassifiedLine): void {
    const end = part.line.text.length;
    const found = [{ start: end, end, amount: null, hasSymbol: true, isDoubtful: true }];
    this.add({ ...part, found }, cleanDishName(part.name));
  }

  /** Adds further sizes to the dish above: `Large £9.50`. */
  private addSizesToLastDish(part: ClassifiedLine): void {
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
    addDoubt(last, reasonOf(part.found));
  }

  /** The index of the dish's name among the lines before its price. */
  private indexOfName(pending: readonly ClassifiedLine[]): number {
    const byRole = pending.findLastIndex(({ line }) => line.role === 'name');
    if (byRole >= 0) return byRole;
    const named = pending.flatMap(({ line }, at) => (line.weight === this.nameWeight && !line.role ? at : []));
    const [first, second] = named;
    if (first === undefined) return pending.length - 1;
    if (second === undefined) return first;
    const lead = isUpperCase(pending[first]?.name ?? '') && !isUpperCase(pending[second]?.name ?? '') ? second : first;
    if (this.describesFirst) return lead;
    return named.findLast((at) => !isSentence(cleanDishName(pending[at]?.name ?? ''))) ?? lead;
  }

  private sizes({ line, found }: ClassifiedLine): ImportedDishSize[] {
    const read = readNamedSizes(line.text.replaceAll(/\s+/g, ' ').trim(), found);
    return found.length > 1
      ? read.sizes
      : found.map(({ start, amount }) => ({ name: cleanSizeName(line.text.trim().slice(0, start)), price: amount }));
  }

  private add(part: ClassifiedLine, name: string): void {
    const { found, line, at } = part;
    const fees = deliveryFeesBelow(this.category);
    if (fees === 'sure') return;
    const text = line.text.replaceAll(/[^\S\t]+/g, ' ').trim();
    const dish: DraftDish = {
      name,
      category: this.category,
      price: null,
      sizes: [],
      doubts: this.trustsPrices ? [] : ['price'],
      cells: {},
      text,
      sheet: '',
      number: at + 1,
    };
    const [first] = found;
    this.describeBesidePrice(dish, part, text.slice(0, first?.start));
    const columns = readSizeColumns(text, this.heads, found);
    // With fewer prices than columns, only a person knows which size has no price.
    if (!columns && found.length < this.heads.length) markDoubtful(dish, 'price');
    if (columns) dish.sizes = columns;
    else if (found.length === 1 && first) this.addSinglePrice(dish, part, first, text);
    else this.addSizes(dish, found, text);
    if (!/\p{L}{2}/u.test(name) || name.length > 80 || fees !== null) markDoubtful(dish, 'name');
    if ([dish.price, ...dish.sizes.map(({ price }) => price)].some((price) => price === 0)) markDoubtful(dish, 'price');
    const reason = reasonOf(found);
    if (reason !== undefined) addDoubt(dish, reason);
    this.dishes.push(dish);
  }

  /** Takes the description, or the first size's name, from the text before a price. */
  private describeBesidePrice(dish: DraftDish, { kind, found }: ClassifiedLine, before: string): void {
    const more = kind === 'priced' ? splitNameAndDescription(before)[1].trim() : '';
    const lead = cleanSizeName(before);
    this.firstSize = kind === 'prices' && found.length === 1 && isSizeWord(lead) ? lead : '';
    if (more !== '' && dish.name !== more && !allergenWords.test(more)) dish.cells['description'] = more.slice(0, 1000);
  }

  private addSinglePrice(dish: DraftDish, { name }: ClassifiedLine, found: FoundAmount, text: string): void {
    const { start, end, amount, hasSymbol } = found;
    dish.price = amount;
    if (found.isDoubtful) markDoubtful(dish, 'price');
    const around = `${text.slice(Math.max(0, start - 12), start)} ${text.slice(end)}`;
    if (
      /\bfor\s*$/i.test(text.slice(0, start)) ||
      /\bfrom\b|\bup to\b|\bextra\b|\+\s*$|\bp\/?p\b|(?:per|\/) ?(?:person|head|kg|lb|100)|\bon(?:ly)? request\b|^\s*[-–]\s*\d/i.test(
        around,
      ) ||
      (start > 0 && /^\s*[-–]?\s*\d/.test(text.slice(end)))
    )
      markDoubtful(dish, 'price');
    dish.name = dish.name.replace(/\s*\b(?:from|up to)$/i, '').trim() || name;
    if (!hasSymbol && /\d{1,4}[.,·]\d$/.test(text.slice(start, end))) markDoubtful(dish, 'price');
    const rest = start > 0 ? text.slice(end).trim() : '';
    if (/^[+]|\d/.test(rest.replaceAll(/\(?[\d,\s]+\)?$/g, ''))) markDoubtful(dish, 'price');
    if (/\p{L}{4}/u.test(rest) && !/^(?:each|only)\b/i.test(rest)) dish.cells['description'] = rest.slice(0, 1000);
  }

  private addSizes(dish: DraftDish, found: readonly FoundAmount[], text: string): void {
    const names = this.heads;
    if (names.length === found.length) {
      dish.sizes = found.map(({ amount }, at) => ({ name: names[at] ?? '', price: amount }));
      markOddAmounts(dish, found);
      return;
    }
    const [first] = found;
    const head = text.slice(0, first?.start ?? 0);
    const lead = new RegExp(`(?:^|\\s)(\\S+|\\d+\\s?\\S+)\\s*$`).exec(head.replaceAll(/[£€$(:]\s*$/g, ''))?.[1] ?? '';
    const own = isSizeWord(lead.replaceAll(/[^\p{L}\d"”.]/gu, '')) ? lead : '';
    const read = readNamedSizes(
      text.slice(head.length - (own === '' ? 0 : head.length - head.lastIndexOf(own))),
      shiftAmounts(found, head.lastIndexOf(own || '\0') >= 0 && own !== '' ? head.lastIndexOf(own) : head.length),
    );
    if (own !== '') dish.name = cleanDishName(head.slice(0, head.lastIndexOf(own))) || dish.name;
    dish.sizes = read.sizes;
    if (read.isDoubtful || names.length > 0) markDoubtful(dish, 'price');
  }
}

function reasonOf(found: readonly FoundAmount[]): string | undefined {
  return found.find(({ doubtReason }) => doubtReason !== undefined)?.doubtReason;
}

function shiftAmounts(found: readonly FoundAmount[], by: number): FoundAmount[] {
  return found.map((one) => ({ ...one, start: one.start - by, end: one.end - by }));
}

/** Returns the text lines directly above each line that holds only prices, up to the nearest line of another kind. */
function linesBeforePrices(parts: readonly ClassifiedLine[]): ClassifiedLine[][] {
  const runs: ClassifiedLine[][] = [];
  let run: ClassifiedLine[] = [];
  for (const part of parts) {
    if (part.kind === 'text') run.push(part);
    else if (part.kind === 'prices' && run.length > 0) runs.push(run);
    if (part.kind !== 'text') run = [];
  }
  return runs;
}

/** Returns the most frequent number; among equally frequent numbers the largest. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = [...Map.groupBy(numbers, (one) => one)];
  return counts.toSorted(([a, x], [b, y]) => y.length - x.length || b - a)[0]?.[0];
}

/** Whether descriptions stand between names and prices, rather than after the prices. */
function describesBeforePrices(runs: readonly ClassifiedLine[][], nameWeight: number): boolean {
  let votes = 0;
  for (const run of runs) {
    const texts = run.flatMap(({ line, name }) => (line.weight === nameWeight && !line.role ? name : []));
    const [first = '', last = ''] = texts.slice(-2);
    if (texts.length < 2 || isUpperCase(first)) continue;
    const [isLeading, isTrailing] = [isSentence(first), isSentence(last)];
    const longer = last.length > first.length ? 1 : -1;
    votes += isLeading === isTrailing ? longer : isTrailing ? 1 : -1;
  }
  return votes > 0;
}

/** Whether the page's markup says that this line without a price is a dish's name. */
function isUnpricedName({ line: { role }, name }: ClassifiedLine): boolean {
  return role === 'name' && name.length <= 60 && !/\?|[.!]$/.test(name);
}

/** Removes badges such as `Vegan` between a name and its price. */
function withoutBadges(pending: readonly ClassifiedLine[]): ClassifiedLine[] {
  const named = pending.filter(({ line, name }) => line.role !== undefined || !isDishBadge(name));
  return named.length > 0 ? named : [...pending];
}
