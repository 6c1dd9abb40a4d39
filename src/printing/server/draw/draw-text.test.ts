import { describe, expect, it } from 'vitest';
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

describe.each([
  ['Hindi', 'क्षत्रिय किताब', 'क\u094d\u200cष'],
  ['Bengali', 'বাংলা ক্ষীর', 'ক\u09cd\u200cষ'],
  ['Tamil', 'தொசை கோழி', 'க\u0bcd\u200cஷ'],
  ['Gujarati', 'ક્ષીર કિલો', 'ક\u0acd\u200cષ'],
  ['Punjabi', 'ਸਿੰਘ ਪ੍ਰੀਤ', 'ਪ\u0a4d\u200cਰ'],
  ['Malayalam', 'മലയാളം ക്ഷീരം', 'ക\u0d4d\u200cഷ'],
])('a row in %s', (_, text, apart) => {
  const draw = async (typed: string) => {
    const [row] = parseReceiptSource(escapeReceiptText(typed), 48).rows;
    if (row?.kind !== 'text') throw new Error('no text');
    const drawn = await drawTextRow(row, fonts);
    expect(drawn.missing, typed).toEqual([]);
    return drawn.svg;
  };
  const outlinesOf = (svg: string) => [...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path);

  it('is shaped: letters join and vowel signs change their places', async () => {
    const shaped = outlinesOf(await draw(text));
    const single = [];
    for (const character of text) if (character !== ' ') single.push(...outlinesOf(await draw(character)));
    expect(shaped.length).toBeGreaterThan(0);
    expect(shaped).not.toEqual(single);
  });

  it('keeps a joiner, which draws its letters apart', async () => {
    expect(outlinesOf(await draw(apart))).not.toEqual(outlinesOf(await draw(apart.replace('\u200c', ''))));
  });

  it('fits the columns that the row reserves for it', async () => {
    const squeezes = [...(await draw(text)).matchAll(/scale\(([\d.]+),1\)"/g)].map(([, squeeze]) => Number(squeeze));
    for (const squeeze of squeezes) expect(squeeze).toBeGreaterThan(0.7);
  });
});
