/** Names of HTML elements that occur in pasted descriptions; other words in angle brackets stay text. */
const elements =
  'a|abbr|article|b|big|blockquote|body|br|button|caption|center|code|dd|del|div|dl|dt|em|figure|font|footer|h[1-6]|head|' +
  'header|hr|html|i|iframe|img|input|ins|label|li|link|main|mark|meta|nav|o:p|ol|p|pre|q|s|script|section|small|span|' +
  'strike|strong|style|sub|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|wbr';
/** Elements that begin a new line or cell; the plain text gets a separator before them. */
const breaks = /^(?:article|blockquote|br|dd|div|dl|dt|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|td|th|tr|ul)$/;

const unseen = /<(script|style|title)\b[^<>]*>[^]*?<\/\1\s*>|<!--[^]*?-->|<!(?:doctype|\[)[^<>]*>|<\?xml[^<>]*>/gi;
const tag = new RegExp(`<\\/?(${elements})(?:\\s[^<>]*|\\/)?>`, 'gi');

/** HTML's named characters that occur in descriptions, each followed by its character. */
const signs =
  'amp& lt< gt> quot" apos\' pound£ euro€ cent¢ deg° frac12½ frac14¼ frac34¾ times× middot· bull• hellip… ndash– mdash— ' +
  'lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» copy© reg® trade™ szligß aeligæ AEligÆ oslashø OslashØ';
const named = new Map(signs.split(' ').map((one) => [one.slice(0, -1), one.slice(-1)]));
const blanks = /^(?:nbsp|ensp|emsp|thinsp)$/;
/** Combining accents by the ending of an entity's name: `&eacute;` is `e` with `acute`. */
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

/** The maximum number of times that a text is unescaped. No program escapes a text more often. */
const maxRounds = 8;
/**
 * The maximum length of a converted text in characters. A longer text is returned unchanged: no field accepts it, and
 * converting it could take quadratic time.
 */
const longest = 20_000;

/**
 * Converts HTML to the text that a browser shows, on one line if the HTML has tags. `<p>Still &amp; cold<br>330 ml</p>`
 * becomes `Still & cold, 330 ml`. A text without tags and entities stays unchanged, even `<3`. Idempotent.
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

/**
 * Whether the code is a control character or the no-break space. Both become a space, because PostgreSQL cannot store
 * NUL, and the others are invisible.
 */
function isInvisible(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0xa0);
}

/** Whether the code is a whole character; half of a surrogate pair cannot be stored. */
function isWhole(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
