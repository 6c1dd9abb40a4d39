import { afterAll, describe, expect, it } from 'vitest';
import { findPrinterProfile, printerProfiles } from '#printing/paper/profiles.ts';
import { stopDrawingProcess } from '#printing/server/draw/drawing.ts';
import { encodeReceipt } from '#printing/server/encode/encode-receipt.ts';
import { encodeTestPage } from '#printing/server/encode-job.ts';
import { decode } from '#simulators/printers/decode/decode.ts';
import { decodeEscPos } from '#simulators/printers/decode/decode-escpos.ts';
import { upperHalves } from '#simulators/printers/decode/tables.ts';

afterAll(stopDrawingProcess);

describe('the test page', () => {
  it('prints £, é and ł in each table under the name by which it is chosen', async () => {
    const other = findPrinterProfile('other', 80)!;
    const { bytes, missing } = await encodeTestPage('Kitchen', other);
    expect(missing).toEqual([]);
    const printed = bytes.toString('latin1');
    for (const [name, table, sent] of [
      ['0A', '\x00', '\x9c \x82'],
      ['19A', '\x13', '\x9c \x82'],
      ['16B', '\x10', '\xa3 \xe9'],
      ['18C', '\x12', '\x88'],
      ['45D', '\x2d', '\xb3'],
    ] as const) {
      const [row = ''] = printed.slice(printed.indexOf(`\x1bE\x01${name.slice(0, -1)}A`)).split('\n');
      const [before = '', after = ''] = row.split(`\x1bE\x01${name}`);
      expect([name, before + after]).toEqual([name, expect.stringContaining(`\x1bt${table}`)]);
      expect([name, after.split('\x1bE\x01')[0]]).toEqual([name, expect.stringContaining(sent)]);
    }
    expect(upperHalves.cp858[0x9c - 128]! + upperHalves.cp858[0x82 - 128]!).toBe('£é');
    expect(upperHalves.cp1252[0xa3 - 128]! + upperHalves.cp1252[0xe9 - 128]!).toBe('£é');
    expect(upperHalves.cp852[0x88 - 128]! + upperHalves.cp1250[0xb3 - 128]!).toBe('łł');
  });

  it('starts with the name, the width and other scripts, and ends with a cut', async () => {
    const epson = findPrinterProfile('epson-tm-m30', 58)!;
    const { bytes } = await encodeTestPage('Pass <&> window', epson);
    const above = bytes.subarray(0, bytes.indexOf('0A') - 4);
    const sheet = decodeEscPos(Buffer.concat([above, Buffer.from('\n')]), epson.dots);
    const words = sheet.rows.flatMap((row) => (row.kind === 'text' ? row.spans.map(({ text }) => text) : []));
    expect(words).toContain('Pass <&> window');
    expect(words).toContain('12345678901234567890123456789012');
    expect(sheet.rows.some(({ kind }) => kind === 'picture')).toBe(true);
    expect(bytes.subarray(-4).toString('latin1')).toBe('\x1dVB\x00');
  });

  it('can be encoded for every profile and form', async () => {
    for (const profile of printerProfiles) {
      for (const format of profile.formats.filter((each) => each !== 'png')) {
        const { bytes } = await encodeTestPage('Kitchen', profile, { format });
        expect([profile.id, bytes.length > 500]).toEqual([profile.id, true]);
      }
    }
  });
});

describe('tables that an owner chose by looking', () => {
  it('are used instead of the model’s, for what is the same in all tables of their kind', async () => {
    const chosen = findPrinterProfile('other:16B,18C', 80)!;
    expect(chosen.code_pages).toEqual([
      { name: 'latin', number: 16 },
      { name: 'cp852', number: 18 },
    ]);
    const { bytes } = await encodeReceipt('|£9 é ł\n|€5', chosen);
    expect(bytes.toString('latin1')).toContain('\x1bt\x10\xa39 \xe9 \x1bt\x12\x88\n');
    // € differs among the tables that have £ and é there.
    const sheet = await decode(bytes, 'escpos', chosen);
    expect(sheet.rows.map(({ kind }) => kind)).toContain('picture');
  });

  it.each(['other:', 'other:16', 'other:16E', 'other:99A', 'other:16B,', 'nobody', 'nobody:16B'])(
    '%s is none',
    (id) => {
      expect(findPrinterProfile(id, 80)).toBeNull();
    },
  );
});
