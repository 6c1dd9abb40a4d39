import { describe, expect, it } from 'vitest';
import { customerReceipt } from '#printing/receipt/receipt.ts';
import { deliveryOrder, printedAt, sampleStore } from '#printing/testing/sample-receipts.ts';
import { escapeReceiptText } from '#printing/receipt/text.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';

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

describe('what is not text', () => {
  it('shows a code as black squares, and the text that it holds as text', () => {
    const source = '{code:https://oven.example;option:qrcode,4,m}';
    expect(renderReceipt(source, { format: 'svg' })).toMatch(/<path d="M[\d,-]+h/);
    expect(renderReceipt(source, { format: 'text' })).toBe('https://oven.example\n');
  });

  it('shows a picture that the source names if it is passed in', () => {
    const picture = { href: 'data:image/png;base64,AAAA', width: 100, height: 40 };
    expect(renderReceipt('{command:logo}', { format: 'svg', pictures: { logo: picture } })).toContain(
      '<image x="238" y="-48" width="100" height="40" href="data:image/png;base64,AAAA"/>',
    );
    expect(renderReceipt('{command:logo}', { format: 'svg' })).not.toContain('<image');
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
