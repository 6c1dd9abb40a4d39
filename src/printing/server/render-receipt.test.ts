import { describe, expect, it } from 'vitest';
import { customerReceipt } from '#printing/receipt/receipt.ts';
import { deliveryOrder, printedAt, sampleStore } from '#printing/testing/sample-receipts.ts';
import { escapeReceiptText } from '#printing/receipt/text.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';

/** The bytes that one piece of text comes to, between the row's set-up and its line feed. */
function bytesOf(text: string, format: 'escpos' | 'starprnt'): string {
  const printed = renderReceipt(`|<${escapeReceiptText(text)}>`, { format }).toString('latin1');
  return printed.slice(printed.indexOf('<') + 1, printed.lastIndexOf('>'));
}

describe('for an ESC/POS printer', () => {
  const page = { cp437: '\x1bt\x00', cp1252: '\x1bt\x10', cp852: '\x1bt\x12', cp866: '\x1bt\x11' };

  it.each([
    ['plain letters as they are', 'Cod & chips', 'Cod & chips'],
    ['the pound sign from code page 437', '£9.50', `${page.cp437}\x9c9.50`],
    ['the euro sign from code page 1252', '€5', `${page.cp1252}\x805`],
    ['French and Spanish accents', 'crème jalapeño', `cr${page.cp437}\x8ame jalape\xa4o`],
    ['a times sign and a curly apostrophe', '2× ’nduja', `2${page.cp1252}\xd7 \x92nduja`],
    ['Polish letters', 'żurek', `${page.cp852}\xbeurek`],
    ['Cyrillic letters', 'борщ', `${page.cp866}\xa1\xae\xe0\xe9`],
    ['letters that no page has, without their accents', 'Phở ǎ', `Ph\x6f a`],
    ['a no-break space as a space', 'a\u00a0b', 'a b'],
    ['one mark for a character that cannot be printed, as wide as it was laid out', '🥜!', '? !'],
    ['one mark for a joined emoji', '👩‍👩‍👧', '? '],
    ['a mark for each letter of a script that it lacks', 'שלום', '????'],
  ])('prints %s', (_, text, bytes) => {
    expect(bytesOf(text, 'escpos')).toBe(bytes);
  });

  it('starts with a reset and ends with one cut and a request for the end of printing', () => {
    const bytes = renderReceipt('Hello', { format: 'escpos' }).toString('latin1');
    expect(bytes.startsWith('\x1b@')).toBe(true);
    expect(bytes.endsWith('\x1dVB\x00\x1dr1')).toBe(true);
  });
});

describe('for a StarPRNT printer', () => {
  it.each([
    ['the pound sign', '£9.50', '\x1b\x1dt\x01\x9c9.50'],
    ['accents', 'crème', 'cr\x1b\x1dt\x01\x8ame'],
    ['the euro sign', '€5', '\x1b\x1dt\x20\x805'],
  ])('prints %s', (_, text, bytes) => {
    expect(bytesOf(text, 'starprnt')).toBe(bytes);
  });

  it('ends with a cut', () => {
    expect(renderReceipt('Hello', { format: 'starprnt' }).toString('latin1')).toContain('\x1bd3');
  });
});

describe('as a picture', () => {
  const source = customerReceipt(deliveryOrder, sampleStore, { printedAt });

  it('is as wide as the paper: 12 units a character', () => {
    expect(renderReceipt(source, { format: 'svg' })).toMatch(
      /^<svg xmlns="[^"]+" width="576" height="\d+" viewBox="0 0 576 \d+">/,
    );
    expect(renderReceipt(source, { format: 'svg', columns: 32 })).toContain('width="384"');
  });

  it('is the same every time, so that it can be cached and compared', () => {
    expect(renderReceipt(source, { format: 'svg' })).toBe(renderReceipt(source, { format: 'svg' }));
  });

  it('loads nothing and runs nothing', () => {
    expect(renderReceipt(source, { format: 'svg' })).not.toMatch(
      /<(script|style|image|use|foreignObject|a)\b|href|url\(|@import| on\w+=/i,
    );
  });

  it('keeps text inside its text elements', () => {
    const attack = `</text><script>alert("1")</script> ' onload='x' &lt;`;
    const svg = renderReceipt(`|${escapeReceiptText(attack)}`, { format: 'svg' });
    expect(svg).not.toMatch(/<script|onload='/);
    expect(svg).toContain('&#60;/text&#62;&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;');
  });

  it('keeps right-to-left words whole, in the place that the layout gave them', () => {
    expect(renderReceipt(`|ab ${escapeReceiptText('שלום לך')}, c`, { format: 'svg' })).toContain(
      '<text x="78" y="-6">שלום לך</text>',
    );
  });
});

describe('as text', () => {
  it('writes large letters together', () => {
    expect(renderReceipt('|^^^Hello^^^', { format: 'text' })).toBe('Hello\n');
  });

  it('keeps an escaped caret', () => {
    expect(renderReceipt(`|${escapeReceiptText('a^b\\^c')}`, { format: 'text' })).toBe('a^b\\^c\n');
  });
});
