/** Names of HTML elements in descriptions from websites and word processors; other words in angle brackets are text. */
const elements =
  'a|abbr|article|b|big|blockquote|body|br|button|caption|center|code|dd|del|div|dl|dt|em|figure|font|footer|h[1-6]|head|' +
  'header|hr|html|i|iframe|img|input|ins|label|li|link|main|mark|meta|nav|o:p|ol|p|pre|q|s|script|section|small|span|' +
  'strike|strong|style|sub|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|wbr';
/** Elements that begin a new line or cell; plain text gets a separator before them. */
const breaks = /^(?:article|blockquote|br|dd|div|dl|dt|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|td|th|tr|ul)$/;

const unseen = /<(script|style|title)\b[^<>]*>[^]*?<\/\1\s*>|<!--[^]*?-->|<!(?:doctype|\[)[^<>]*>|<\?xml[^<>]*>/gi;
const tag = new RegExp(`<\\/?(${elements})(?:\\s[^<>]*|\\/)?>`, 'gi');

/** HTML's names of characters that occur in descriptions; each name is followed by its character. */
const signs =
  'amp& lt< gt> quot" apos\' pound£ euro€ cent¢ deg° frac12½ frac14¼ frac34¾ times× middot· bull• hellip… ndash– mdash— ' +
  'lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» copy© reg® trade™ szligß aeligæ AEligÆ oslashø OslashØ';
const named = new Map(signs.split(' ').map((one) => [one.slice(0, -1), one.slice(-1)]));
const blanks = /^(?:nbsp|ensp|emsp|thinsp)$/;
/** Accents by the end of an HTML name: `&eacute;` is `e` with `acute`. */
const accents = new Map([
  ['acute', '\u0301'],
  ['grave', '\u0300'],
  ['circ', '\u0302'],
  ['uml', '\u0308'],
  ['tilde', '\u0303'],
  ['ring', '\u030A'],
  ['caron', '\u030C'],
  ['cedil', '\u0327'],
]);
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi;

/** The most rounds in which a text is unescaped; no program escapes a text so often. */
const maxRounds = 8;
/**
 * The longest text in characters. A longer one is not changed: no field accepts it, and it could take quadratic time.
 */
const longest = 20_000;

/**
 * Returns the text that a browser shows for HTML, on one line if the HTML has tags: `<p>Still &amp; cold<br>330 ml</p>`
 * becomes `Still & cold, 330 ml`. A text without tags and entities is not changed, even `<3`. Idempotent.
 */
export function htmlToText(text: string): string {
  let before = text;
  if (text.length > longest) return text;
  for (let round = 0; round < maxRounds; round += 1) {
    if (!/[<&]/.test(before)) return before;
    const after = withoutTags(before)
      .replaceAll(/&(?:amp;)+/gi, '&')
      .replaceAll(entity, character);
    if (after === before) return after;
    before = after;
  }
  return before;
}

function withoutTags(text: string): string {
  const seen = text.replaceAll(unseen, ' ');
  const pieces = seen.replaceAll(tag, (_, name: string) => (breaks.test(name.toLowerCase()) ? '\0' : '\u0001'));
  if (pieces === text) return text;
  return pieces
    .replaceAll('\u0001', '')
    .split('\0')
    .map((piece) => piece.replaceAll(/\s+/g, ' ').trim())
    .filter((piece) => piece !== '')
    .reduce((said, piece) => (said === '' ? piece : `${said}${/[\p{P}]$/u.test(said) ? '' : ','} ${piece}`), '');
}

function character(whole: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  if (isInvisible(code) || blanks.test(name)) return ' ';
  if (isWhole(code)) return String.fromCodePoint(code);
  const [, letter = '', accent = ''] = /^([a-z])([a-z]+)$/i.exec(name) ?? [];
  const mark = accents.get(accent);
  return named.get(name) ?? (mark ? (letter + mark).normalize() : name === 'shy' ? '' : whole);
}

/** NUL, which cannot be stored, and the other control characters. */
function isInvisible(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0xa0);
}

/** Whether the code is a character and not half of a surrogate pair, which cannot be stored. */
function isWhole(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
