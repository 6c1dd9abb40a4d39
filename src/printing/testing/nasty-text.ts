import * as fc from 'fast-check';

const markup = String.raw`{command:\x1bp0AA} {image:AAAA} {code:1;option:qrcode} {width:1} {border:line} {x:\x1dV0} === = --- - | || \ \n \x1b \x0a \x5c ~ _ " ${'`'} ^ ^^^^ { }`;
const breaks = [
  '\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u0085',
  '\u000b',
  '\t',
  ' ',
  '\u00a0',
  '\u0000',
  '\u001b',
  '\u001bp0',
  '\u001dV0',
  '\u009b',
];
/** Commands of ESC/POS and Star, and the ends of the elements that carry them in XML. */
const commands = [
  '\u001b@',
  '\u001bd\u0003',
  '\u001d(k\u0003\u00001C\u0005',
  '\u0010\u0014\u0001\u0000\u0001',
  '\u0007',
  '\u001b*rA',
  'b\u0048\u0000',
  '\u001c&',
  '\\x1bp0',
  '&#27;',
  '</command></epos-print>',
  '<pulse/>',
  '</rawdata></root>',
];
const invisible = [
  '\u1fef',
  '\u037e',
  '\u212a',
  '\u0338',
  '\u0303',
  '\u0345',
  '\u0301',
  '\ufe0f',
  '\u200d',
  '\u202e',
  '\u2066',
  '\ufeff',
];
const scripts = [
  '\ud83e',
  '\udd5c',
  '\ufffe',
  '🥜',
  '👩‍👩‍👧',
  '🇬🇧',
  '1️⃣',
  '漢字',
  'ｶﾅ',
  'שלום',
  'مرحبا',
  'ไม่เผ็ด',
  'हिन्दी',
  'é',
  'ﬁ',
  'ŉ',
  'ß',
];
const words = [
  '<script>alert(1)</script>',
  ']]>',
  '&amp;',
  '"onload="x',
  'no onion',
  'x',
  'Llanfairpwllgwyngyllgogerychwyrndrobwll',
];

/** Text as an attacker or a strange keyboard would write it: markup, commands, breaks, marks, other scripts. */
export const nastyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...markup.split(' '), ...breaks, ...commands, ...invisible, ...scripts, ...words),
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
