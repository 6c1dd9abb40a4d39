import { stopDrawingProcess } from '../../src/printing/server/draw/drawing.ts';
import { fuzzReceipt, textsOfReceipt } from '../../src/printing/testing/fuzz-receipts.ts';

/**
 * Prints generated texts on receipts of all kinds and decodes the papers: `npm run soak -- receipts [texts] [seed]`, a
 * hundred thousand by default. Half of the texts contain markup, commands and other scripts. The other half contain the
 * characters of Unicode, one after the other. Returns whether no text became a command and all are readable.
 */
export async function soakReceiptTexts([wanted = '100000', seed = String(Date.now())]: string[]): Promise<boolean> {
  const [texts, from] = [Number(wanted), Number(seed)];
  if (![texts, from].every((number) => Number.isSafeInteger(number) && number > 0)) {
    console.error('Texts and seed are whole numbers.');
    return false;
  }
  console.log(`seed ${from}`);
  // The timer keeps this process alive, because the drawing process does not.
  const alive = setInterval(() => {}, 60_000);
  const began = performance.now();
  const counts = { texts: 0, letters: 0, pictures: 0, boxes: 0 };
  try {
    for (let index = 0; counts.texts < texts; index += 1) {
      const fuzzed = await fuzzReceipt(from, index);
      counts.texts += fuzzed.texts;
      counts.letters += fuzzed.letters;
      counts.pictures += fuzzed.pictures;
      counts.boxes += fuzzed.boxes;
      if (index % 250 === 249) console.log(`${counts.texts} texts, ${minutesSince(began)}`);
    }
  } catch (error) {
    console.log(error);
    return false;
  } finally {
    await stopDrawingProcess();
    clearInterval(alive);
  }
  const receipts = counts.texts / textsOfReceipt;
  console.log(
    `${counts.texts} texts on ${receipts} receipts: no command, no fault; ` +
      `${counts.letters} rows in the printers' letters, ${counts.pictures} drawn, with ${counts.boxes} boxes; ${minutesSince(began)}`,
  );
  return true;
}

function minutesSince(began: number): string {
  return `${((performance.now() - began) / 60_000).toFixed(1)} min`;
}
