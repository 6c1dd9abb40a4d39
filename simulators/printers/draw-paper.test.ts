import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createRoll } from './paper-roll.ts';

const dots = 384;
/** Two letters twice as large, white on black; then a black square of 16 dots in a row of its own; then a cut. */
const job = Buffer.concat([
  Buffer.from('\x1b@\x1d!\x11\x1dB\x01<H\n\x1dB\x00\x1d!\x00', 'latin1'),
  Buffer.from([0x1d, 0x76, 0x30, 0, 2, 0, 16, 0, ...Array.from({ length: 32 }, () => 255)]),
  Buffer.from('\x1dV\x00', 'latin1'),
]);

test('a paper is drawn as wide as it is, with its letters in their places and its pictures dot by dot', async () => {
  const roll = createRoll({ brand: 'Epson', dots });
  await roll.print(job, 'escpos');
  const drawn = roll.papers[0]?.draw();
  expect(drawn?.type).toBe('image/svg+xml');
  const { data, info } = await sharp(drawn?.bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const black = (left: number, top: number, width: number, height: number) => {
    let count = 0;
    for (let y = top; y < top + height; y += 1) {
      for (let x = left; x < left + width; x += 1)
        if ((data[(y * info.width + x) * info.channels] ?? 255) < 128) count += 1;
    }
    return count;
  };
  expect([info.width, info.height]).toEqual([dots, 48 + 16]);
  // Beside the two cells of 24 by 48 dots nothing is black, and in each there is a letter in white.
  expect(black(48, 0, dots - 48, 48)).toBe(0);
  for (const left of [0, 24]) {
    expect(black(left, 0, 24, 48)).toBeGreaterThan(24 * 48 * 0.4);
    expect(black(left, 0, 24, 48)).toBeLessThan(24 * 48);
  }
  expect(black(0, 48, dots, 16)).toBe(16 * 16);
  expect(black(0, 48, 16, 16)).toBe(16 * 16);
});

test('a paper that came as a PNG is shown as it is, and none that cannot be read', async () => {
  const roll = createRoll({ brand: 'Star', dots });
  const png = await sharp({ create: { width: dots, height: 8, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  await roll.print(png, 'png');
  await roll.print(Buffer.from([0x1b, 0xff]), 'starprnt');
  expect(roll.papers.map((paper) => paper.draw())).toEqual([{ type: 'image/png', bytes: png }, null]);
});
