import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import readWithJsQr from 'jsqr';
import sharp from 'sharp';
import type { SheetRow } from '#simulators/printers/decode/sheet.ts';
import { usesProgram } from '#testing/stand-ins.ts';

type Picture = Extract<SheetRow, { kind: 'picture' }>;

/** Debian's `zbar-tools`. */
const hasZbar = usesProgram('zbarimg');

/** The texts of the QR codes in a picture, read by zbar, or where it is not installed by jsQR, which finds one. */
export async function readQrCodes(picture: Picture): Promise<string[]> {
  return hasZbar ? readWithZbar(picture) : jsQr(picture);
}

/** Reads one code with jsQR. */
export function jsQr({ width, height, ink }: Picture): string[] {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [dot, isBlack] of ink.entries()) if (isBlack === 1) pixels.fill(0, dot * 4, dot * 4 + 3);
  // Its types describe a default export; Node is given the function itself, or an object with it.
  const read = ('default' in readWithJsQr ? readWithJsQr.default : readWithJsQr) as typeof readWithJsQr.default;
  const found = read(pixels, width, height);
  return found ? [found.data] : [];
}

async function readWithZbar({ width, height, ink }: Picture): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-'));
  try {
    const file = join(folder, 'code.png');
    const greys = Uint8Array.from(ink, (isBlack) => (isBlack === 1 ? 0 : 255));
    await writeFile(
      file,
      await sharp(greys, { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer(),
    );
    const { stdout } = await promisify(execFile)('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', file]);
    return stdout.split('\n').filter((line) => line !== '');
  } finally {
    await rm(folder, { recursive: true });
  }
}
