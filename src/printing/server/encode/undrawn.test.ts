import { expect, it } from 'vitest';
import { escapeReceiptText } from '#printing/receipt/text.ts';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { decodeEscPos } from '#simulators/printers/decode/decode-escpos.ts';

const epson = findPrinterProfile('epson-tm-m30', 80)!;

/** Ends the process while it draws. */
async function withoutProcess<T>(encoding: Promise<T>): Promise<T> {
  const [encoded] = await Promise.all([encoding, stopDrawingProcess()]);
  return encoded;
}

it('an order is printed though nothing can be drawn: without accents, and with a mark for each letter that is lacking', async () => {
  const source = `|${escapeReceiptText('Phở for 陳大文!')}\n|Hello`;
  const { bytes, missing } = await withoutProcess(encodeReceipt(source, epson));
  const rows = decodeEscPos(bytes, 576).rows.map((row) =>
    row.kind === 'text' ? row.spans.map(({ text }) => text) : [],
  );
  expect(rows).toEqual([['Pho for ? ? ? !'], ['Hello']]);
  expect(missing).toEqual(['ở', '陳', '大', '文']);
});

it('a form that is a picture cannot be made then', async () => {
  const star = findPrinterProfile('star-tsp100', 80)!;
  await expect(withoutProcess(encodeReceipt('|Hello', star))).rejects.toThrow('The shop is closing down.');
});
