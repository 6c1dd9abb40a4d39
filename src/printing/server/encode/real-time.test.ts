import { expect, test } from 'vitest';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { escPosDialect } from '#printing/server/encode/encode-receipt.ts';
import { decodeEscPos } from '#simulators/printers/decode/decode-escpos.ts';

test('no picture has a real-time command among its bytes, whatever its dots are', () => {
  const across = 72;
  const risky = [0x10, 0x04, 0x10, 0x05, 0x10, 0x14, 0x01, 0x00, 0x10, 0x10, 0x04];
  for (let shift = 0; shift < risky.length; shift += 1) {
    const bits = Uint8Array.from({ length: across * 250 }, (_, at) => risky[(at + shift) % risky.length] ?? 0);
    const sent = Buffer.concat(escPosDialect.picture({ width: across * 8, height: 250, bits }));
    for (const second of [0x04, 0x05, 0x14]) expect(sent.includes(Buffer.from([0x10, second]))).toBe(false);
    const { dots } = findPrinterProfile('epson-tm-m30', 80)!;
    const [picture] = decodeEscPos(Buffer.concat([sent, Buffer.from('\x1dVB\x00', 'latin1')]), dots).rows;
    const wanted = bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    const ink = picture?.kind === 'picture' ? picture.ink.reduce((sum, dot) => sum + dot, 0) : 0;
    // Some dots more, and none fewer.
    expect(ink).toBeGreaterThan(wanted);
    expect(ink).toBeLessThan(wanted * 1.5);
  }
});
