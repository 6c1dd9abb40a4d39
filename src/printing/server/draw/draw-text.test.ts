import { expect, it } from 'vitest';
import { escapeReceiptText } from '#printing/receipt/text.ts';
import { drawTextRow } from '#printing/server/draw/draw-text.ts';
import { openFonts } from '#printing/server/draw/fonts.ts';
import { parseReceiptSource } from '#printing/server/encode/read-paper.ts';

const fonts = await openFonts();

it.each(['Łódź £9.50', 'محمد <b> & 12', 'ไม่เผ็ด', '陳大文 さくら 김철수', '🥜 👩‍👩‍👧 🇬🇧', 'ᚠ </text>'])(
  'is outlines only, so that no font of the machine is asked for: %s',
  async (text) => {
    const [row] = parseReceiptSource(`|\`"_${escapeReceiptText(text)}_"\``, 48).rows;
    if (row?.kind !== 'text') throw new Error('no text');
    const { svg } = await drawTextRow(row, fonts);
    expect(svg).toContain('<path ');
    expect(svg.replace(/<\/?(?:g|path)(?: [a-z-]+="[-\w#.,() ]*")*\/?>/g, '')).toBe('');
    expect(svg).not.toMatch(/NaN|Infinity|undefined|font/);
  },
);
