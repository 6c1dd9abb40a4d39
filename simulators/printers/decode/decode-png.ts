import sharp from 'sharp';
import type { Sheet } from './sheet.ts';

/** A picture of the paper: one row, black where it is darker than half. */
export async function decodePng(bytes: Uint8Array): Promise<Sheet> {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const ink = Uint8Array.from({ length: info.width * info.height }, (_, dot) =>
    Number((data[dot * info.channels] ?? 255) < 128),
  );
  const rows: Sheet['rows'] = [{ kind: 'picture', width: info.width, height: info.height, ink }];
  return { rows, cuts: 0, drawer: 0, buzzer: 0, commands: {} };
}
