import type { FoundAmount } from '#menu/import/read-amounts.ts';

/** Matches lines that have amounts but are no dishes, such as delivery charges and opening hours. */
const besideMenu =
  /\b(?:deliver(?:y|ies)? (?:charge|fee|cost|from|within|over|is)|(?:free|local) delivery|minimum (?:delivery )?order|min\.? ?(?:order|spend)|orders? (?:over|above|under)|spend|discount|% off|vouchers?|service charge|deposit|opening (?:hours|times)|opens?|closed|mon(?:day)?s?|tue(?:s|sday)?s?|wed(?:nesday)?s?|thu(?:rs|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?|tel|telephone|phone|call us|e-?mail|www|copyright|allerg(?:y|ies|ens?)|(?:use|accept|our) cookies|cookie (?:notice|policy)|terms|privacy|follow us|all prices|prices (?:include|are)|card (?:fee|payments?)|page \d+|(?:with)?in (?:an? )?\d+(?:\.\d+)? ?(?:miles?|km)|(?:over|up to|under|[-–]) ?\d+(?:\.\d+)? ?(?:miles?|km))\b|https?:|@|©|\d{5}\s?\d{5,6}|\b0\d{3,4} \d{3}/i;

const dietSigns =
  /\s*(?:\((?:v|ve|vg|vgn|veg|vegan|vegetarian|gf|gfo|df|n|h|halal|hot|mild|medium hot|new!?|contains nuts|\d{1,2}(?:\s*,\s*\d{1,2})+|[a-n](?:\s*,\s*[a-n])*)\)|\[[^\]]{1,12}\]|(?:\p{Extended_Pictographic}|\uFE0F|[*†‡¹²³⁴⁵⁶⁷⁸⁹])+)/giu;
const dotLeaders = /(?:\s*[.…·_]){3,}|\s[-–—]+\s*$|[:\-–—\s]+$/g;

/** Removes a dish's number, diet signs and dot leaders from its name. */
export function cleanDishName(text: string): string {
  return text
    .replaceAll(dietSigns, ' ')
    .replaceAll(dotLeaders, ' ')
    .replace(/^\s*(?:\d{1,3}[a-z]?\s?[.)]|[•▪◦●‣*-])\s+/, '')
    .replace(/[\s,;:.\-–—|/(]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function isNonMenuLine(text: string, amounts: readonly FoundAmount[]): boolean {
  if (/\d{1,2}[.:]\d{2}\s*(?:am|pm|h)?\s*(?:-|–|—|to|until)\s*\d{1,2}[.:]\d{2}/i.test(text) && !/[£€$]/.test(text))
    return true;
  return besideMenu.test(text) && (amounts.length === 0 || !/^[^£€$\d]{3,40}(?:\.{3,}|\t)/.test(text));
}

/**
 * Whether the lines below a heading are delivery fees and not dishes. `perhaps`: the heading is only `Delivery`, which
 * may be a menu's title; null: no.
 */
export function deliveryFeesBelow(category: string): 'sure' | 'perhaps' | null {
  const words = /^(?:our )?deliver(?:y|ies)\b ?(.*)$/i.exec(category.trim())?.[1];
  if (words === undefined) return null;
  if (words === '') return 'perhaps';
  return /^(?:charges?|fees?|areas?|costs?|prices?|rates?|zones?)\b/i.test(words) ? 'sure' : null;
}

const sizeWords =
  /^(?:small|medium|large|regular|reg|x-?large|xl|s|m|l|half|full|whole|family|kids?|child(?:ren)?|mini|single|double|triple|pint|half pint|bottle|glass|can|carafe|portion|standard|junior|giant|party|starter|main|slice|each|cup|mug|to share|\d+(?:[.,]\d+)?\s?(?:"|”|″|''|in(?:ch(?:es)?)?|cm|ml|cl|l|oz|pcs?|pieces?))$/i;

export function isSizeWord(text: string): boolean {
  return sizeWords.test(text.trim());
}

/** Splits a heading of size columns, such as `Small Medium Large` or `10" 12"`; null for other lines. */
export function splitSizeHeadings(text: string): string[] | null {
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

/** Splits a category from the sizes on its line: `PIZZAS  10" 12"`; null for other lines. */
export function splitTrailingSizes(text: string): { title: string; names: string[] } | null {
  const words = text.trim().split(/\s+/);
  const first = words.findIndex(
    (_, at) => words.length - at > 1 && at > 0 && splitSizeHeadings(words.slice(at).join(' ')) !== null,
  );
  if (first < 1) return null;
  const title = words.slice(0, first).join(' ');
  return { title, names: splitSizeHeadings(words.slice(first).join(' ')) ?? [] };
}

export function isUpperCase(text: string): boolean {
  return /\p{Lu}{3}/u.test(text) && text === text.toUpperCase();
}

export function isSentence(text: string): boolean {
  return (
    text.length > 60 || /[.!?]$|,.*,|^\p{Ll}/u.test(text) || /\b(?:with|served|topped|and a|our|your)\b/i.test(text)
  );
}

const buttonLabels =
  /^(?:add(?: to (?:basket|cart|order|bag))?|(?:select|choose|view) (?:options?|product|details|menu|basket)|read more|(?:buy|order) now|quick view|(?:sub)?total|basket|checkout)$/i;
const badges =
  /^(?:popular|best ?sellers?|chef'?s choice|new!?|sold out|(?:in|out of) stock|sale!?|vegetarian|vegan|spicy|halal|gluten[ -]free)$/i;

export function isButtonLabel(text: string): boolean {
  return buttonLabels.test(text.trim());
}

export function isDishBadge(text: string): boolean {
  return badges.test(text.trim());
}

const extraPattern =
  /^(?:(?:any |each )?extras?|additional|add|swap|upgrade|make it|go large)\b(?! (?:large|hot|spicy|virgin|special|long|strong|crispy|mature|thick|big))/i;
const extrasSection = /^(?:.* )?(?:extras?|add.?ons?|toppings?|sauces|dips)$/i;

/** Whether a line names an extra of other dishes. In a section of extras the lines are dishes of their own. */
export function isDishExtra({ name, category }: { name: string; category: string }): boolean {
  return extraPattern.test(name) && !extrasSection.test(category.trim());
}

/** Joins the letters of letter-spaced headings, whose words have wider gaps: `H O T  D R I N K S`. */
export function withoutLetterSpaces(text: string): string {
  const words = text.trim().split(/ {2,}/);
  const isSpaced = words.every((word) => /^(?:\p{L}(?: \p{L})*|&)$/u.test(word)) && /(?:\p{L} ){3}/u.test(text);
  return isSpaced ? words.map((word) => word.replaceAll(' ', '')).join(' ') : text;
}

/** The name before the first amount, or after a single amount: `£4.50 Chips`. Empty if there is no name. */
export function nameBesidePrice(text: string, amounts: readonly FoundAmount[]): string {
  const before = cleanDishName(splitNameAndDescription(text.slice(0, amounts[0]?.start))[0]).replace(
    /(?:^|\s)(?:from|only)$/i,
    '',
  );
  if (/\p{L}{2}/u.test(before)) return isSizeWord(before) ? '' : before;
  const after = amounts.length === 1 && before === '' ? cleanDishName(text.slice(amounts[0]?.end)) : '';
  return /\p{L}{3}/u.test(after) &&
    !isSizeWord(after) &&
    !/^(?:per|for)\b/i.test(after) &&
    !isButtonLabel(after) &&
    !isDishBadge(after)
    ? after
    : '';
}

/** Splits the text before a price into the name and a description, which follows a tab or a dash. */
export function splitNameAndDescription(before: string): [name: string, more: string] {
  const cells = before.split('\t').filter((cell) => /\p{L}{2}/u.test(cell) && !isSizeWord(cell));
  if (cells.length > 1) return [cells[0] ?? '', cells.slice(1).join(' ')];
  const dashed = /^(.{2,60}?)\s[-–—]\s(.+?)\s[-–—]\s*$/.exec(before);
  return dashed ? [dashed[1] ?? '', dashed[2] ?? ''] : [before, ''];
}
