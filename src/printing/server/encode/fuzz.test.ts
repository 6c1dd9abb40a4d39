import { afterAll, expect, test } from 'vitest';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { fuzzReceipt, receiptsOfUnicode, textsOfReceipt } from '#printing/testing/fuzz-receipts.ts';

afterAll(stopDrawingProcess);

const receipts = 16;

// `npm run soak -- receipts` prints a hundred thousand texts.
test('nobody writes a command, and every text can be read on the paper', async () => {
  const seed = Date.now();
  const counts = { texts: 0, letters: 0, pictures: 0 };
  for (let index = 0; index < receipts; index += 1) {
    // Places all over Unicode, each time others.
    const at = Math.floor(((index + (seed % 1000) / 1000) / receipts) * receiptsOfUnicode);
    const fuzzed = await fuzzReceipt(seed, at - (at % 8) + (index % 8));
    counts.texts += fuzzed.texts;
    counts.letters += fuzzed.letters;
    counts.pictures += fuzzed.pictures;
  }
  expect(counts.texts).toBe(receipts * textsOfReceipt);
  expect(counts.letters).toBeGreaterThan(100);
  expect(counts.pictures).toBeGreaterThan(100);
});
