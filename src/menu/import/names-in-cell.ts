import { plainText } from '#platform/plain-text.ts';

/** The sign between a menu and its category. */
export const within = ' > ';

const quoted = '"(?:[^"]|"")*"';
/** A menu and its category, or a name alone, of which at least one is in double quotes. */
const quotedToken = new RegExp(
  `^(?:${quoted}(?:\\s*>\\s*(?:${quoted}|[^";\\n][^;\\n]*))?|[^";\\n>][^";\\n>]*>\\s*${quoted})\\s*(?=[;\\n]|$)`,
);
const quotedPath = new RegExp(`^(${quoted}|[^">]+?)\\s*>\\s*(${quoted}|[^"][^]*)$`);
const needsQuotes = /[;>\r\n]|^"|^-$/;

/** The name as one of a list: in double quotes, as in a CSV, if it would be read as something else without them. */
export function quoteName(name: string): string {
  return needsQuotes.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

export function unquoteName(text: string): string {
  return new RegExp(`^${quoted}$`).test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** The names in a cell, as they are written there, separated by `;` or by lines. A comma may be part of a name. */
export function readNames(cell: string | undefined): string[] {
  const names: string[] = [];
  for (let rest = (cell ?? '').trim(); rest !== '';) {
    const [token = ''] = quotedToken.exec(rest) ?? /^[^;\n]*/.exec(rest) ?? [];
    if (token.trim() !== '') names.push(token.trim());
    rest = rest.slice(token.length + 1).trimStart();
  }
  return names;
}

/** A menu's and a category's name, or one name, if double quotes say so; null if they do not. */
export function readQuoted(text: string): [menu: string, name: string] | [name: string] | null {
  if (new RegExp(`^${quoted}$`).test(text)) return [unquoteName(text)];
  const [, menu, name] = text.includes('"') ? (quotedPath.exec(text) ?? []) : [];
  if (menu === undefined || name === undefined || !(menu.startsWith('"') || name.startsWith('"'))) return null;
  return [unquoteName(menu), unquoteName(name)];
}

/** Names are compared without case, accents and doubled spaces, because people do not distinguish names by those. */
export function fold(text: string): string {
  return plainText(text)
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/** As `fold`, but accents and tone marks count: they tell words apart in many languages. */
export function foldCase(text: string): string {
  return plainText(text)
    .normalize()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/** Of things with the same folded name: those whose accents are the same too, or else all. */
export function closest<T extends { name: string }>(alike: readonly T[], name: string): readonly T[] {
  const exact = alike.filter((one) => foldCase(one.name) === foldCase(name));
  return exact.length > 0 ? exact : alike;
}
