import { afterAll, expect, it } from 'vitest';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { receiptPictures, renderPreviewPictures } from '#printing/server/encode-job.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';
import { decodePng } from '#simulators/printers/decode/decode-png.ts';
import { decodeEscPos } from '#simulators/printers/decode/decode-escpos.ts';

afterAll(stopDrawingProcess);

const sources = {
  files: { open: async () => null },
  drawPicture: (name: string) =>
    ({
      grey: '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="#808080"/></svg>',
      broken: 'this is no picture',
    })[name] ?? null,
};
const epson = findPrinterProfile('epson-tm-m30', 80)!;
const source = '{command:logo}\n|Hello';

it('a logo is printed in the middle, its greys as dots', async () => {
  const pictures = await receiptPictures({ logo: '/pictures/grey.svg' }, sources);
  const { bytes } = await encodeReceipt(source, epson, { pictures });
  const [logo, text] = decodeEscPos(bytes, 576).rows;
  if (logo?.kind !== 'picture') throw new Error('no picture');
  expect(text?.kind).toBe('text');
  expect([logo.width, logo.height]).toEqual([576, 116]);
  const columns = new Set(Array.from(logo.ink.entries(), ([dot, ink]) => (ink === 1 ? dot % 576 : -1)));
  columns.delete(-1);
  expect([Math.min(...columns), Math.max(...columns)]).toEqual([188, 387]);
  const share = logo.ink.reduce((sum, ink) => sum + ink, 0) / (200 * 100);
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.55);
});

it('a screen shows the same dots', async () => {
  const pictures = await receiptPictures({ logo: '/pictures/grey.svg' }, sources);
  const shown = await renderPreviewPictures(pictures, 576);
  const svg = renderReceipt(source, { format: 'svg', pictures: shown });
  const [, base64 = ''] = /<image [^>]*href="data:image\/png;base64,([^"]+)"/.exec(svg) ?? [];
  const [onScreen] = (await decodePng(Buffer.from(base64, 'base64'))).rows;
  expect(onScreen).toMatchObject({ kind: 'picture', width: 200, height: 100 });
});

it.each([
  '/pictures/broken.svg',
  '/pictures/none.svg',
  '/uploads/gone.jpg',
  'https://elsewhere.example/logo.png',
  null,
])('a receipt is printed without a logo that cannot be had: %s', async (logo) => {
  const pictures = await receiptPictures({ logo }, sources);
  const { bytes } = await encodeReceipt(source, epson, { pictures });
  expect(decodeEscPos(bytes, 576).rows.map(({ kind }) => kind)).toEqual(['text']);
  expect(await renderPreviewPictures(pictures, 576)).toEqual({});
});
