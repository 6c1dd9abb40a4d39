import fc from 'fast-check';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readApk, readApkManifest } from '#app-release/server/apk/read-apk.ts';
import { apkFileFromBytes, readZipEntry, readZip, UnreadableApkError } from '#app-release/server/apk/apk-file.ts';
import { readTestApk } from '#app-release/testing/test-apks.ts';

const read = (bytes: Buffer) => readApk(apkFileFromBytes(bytes));
const app = readTestApk('shop-18');

/** One change to a copy. */
function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

describe('an app', () => {
  test('is read as the tools that built and signed it say', async () => {
    const facts = await read(app);
    expect(facts).toMatchObject({
      package: 'com.example.shop',
      version: '3.10.18',
      versionCode: 3_010_018,
      minSdk: 24,
      targetSdk: 36,
      isDebuggable: false,
      scheme: 'v3',
      subject: 'CN=Test shop',
    });
    expect(facts).toHaveProperty('signer', expect.stringMatching(/^[0-9a-f]{64}$/));
    const { meta } = facts as Exclude<typeof facts, string>;
    expect([...meta]).toEqual([
      ['hatch.app', 'customer'],
      ['hatch.shop', 'https://shop.example.com'],
    ]);
  });

  test.each([
    ['shop-19', { version: '3.10.19', versionCode: 3_010_019 }],
    ['kitchen-18', { package: 'com.example.kitchen' }],
    ['other-signer', { subject: 'CN=Other key' }],
    ['debuggable', { isDebuggable: true }],
    ['debug-key', { subject: expect.stringContaining('CN=Android Debug') }],
    ['old-target', { targetSdk: 29 }],
    ['odd-version', { version: '3.10.20-beta' }],
    ['only-v2', { scheme: 'v2' }],
  ])('%s is read too', async (name, facts) => {
    expect(await read(readTestApk(name))).toMatchObject(facts);
  });

  test('without a signature for the whole file is refused', async () => {
    expect(await read(readTestApk('only-v1'))).toBe('unsigned');
  });
});

describe('a file from a stranger', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a picture', Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')],
  ])('%s is no app', async (_name, bytes) => {
    expect(await read(bytes)).toBe('no_apk');
  });

  test('that ends early is refused, wherever it ends', async () => {
    for (let length = 5; length < app.length; length += 13) {
      expect(await read(app.subarray(0, length)), `${length} bytes`).toBe('damaged');
    }
  });

  test('of which any byte was changed is refused, unless the byte means nothing', async () => {
    const facts = await read(app);
    let meaningless = 0;
    for (let at = 0; at < app.length; at += 17) {
      const answer = await read(changed(app, (copy) => copy.writeUInt8(app.readUInt8(at) ^ 0x40, at)));
      if (typeof answer === 'string') continue;
      // Padding in the signing block, which no signature covers.
      expect(answer, `byte ${at}`).toEqual(facts);
      meaningless += 1;
    }
    expect(meaningless).toBeLessThan(300);
  });

  test('with anything behind its end, or before its beginning, is refused', async () => {
    expect(await read(Buffer.concat([app, Buffer.from([0])]))).toBe('damaged');
    expect(await read(Buffer.concat([app, app]))).toBe('damaged');
    expect(await read(Buffer.concat([app.subarray(0, 4), app]))).toBe('damaged');
  });

  test('whose newer signature was taken off is refused', async () => {
    const id = Buffer.from('c06853f0', 'hex');
    const at = app.indexOf(id);
    expect(at).toBeGreaterThan(0);
    expect(await read(changed(app, (copy) => copy.write('00000001', at, 'hex')))).toBe('wrong_signature');
  });

  test('that gives newer phones another signer is refused', async () => {
    const at = app.indexOf(Buffer.from('77657242', 'hex'));
    expect(at).toBeGreaterThan(0);
    expect(await read(changed(app, (copy) => copy.writeUInt32LE(0x1b93ad61, at)))).toBe('wrong_signature');
  });

  test('with two manifests is refused, so that nobody reads the other one', async () => {
    const manifest = await manifestOf(app);
    const twice = zipOf([
      ['AndroidManifest.xml', manifest],
      ['AndroidManifest.xml', manifest],
    ]);
    expect(await read(twice)).toBe('damaged');
  });

  test('that unpacks to far more than it is, is not unpacked', async () => {
    const bomb = zipOf([['AndroidManifest.xml', Buffer.alloc(8 * 1024 * 1024)]]);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await read(bomb)).toBe('damaged');
    const lying = changed(bomb, (copy) => copy.writeUInt32LE(100, copy.indexOf('PK\u0001\u0002') + 24));
    expect(await read(lying)).toBe('damaged');
  });

  test('can have any bytes in its manifest', async () => {
    const manifest = await manifestOf(app);
    const edits = fc.array(fc.tuple(fc.nat(manifest.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(edits, fc.nat(manifest.length), (each, length) => {
        const bytes = changed(manifest, (copy) => each.forEach(([at, value]) => copy.writeUInt8(value, at)));
        for (const attempt of [bytes, bytes.subarray(0, length)]) {
          const answer = attemptToRead(attempt);
          expect(answer === null || /^[a-zA-Z][\w.]+ \d+$/.test(answer), String(answer)).toBe(true);
        }
      }),
    );
  });

  test('can have any bytes at all', async () => {
    const edits = fc.array(fc.tuple(fc.nat(app.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(edits, fc.uint8Array({ maxLength: 400 }), async (each, noise) => {
        await read(changed(app, (copy) => each.forEach(([at, value]) => copy.writeUInt8(value, at))));
        const answer = await read(Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.from(noise)]));
        expect(answer).toBe(noise.length === 0 ? 'no_apk' : 'damaged');
      }),
    );
  });
});

/** null for what is no manifest; any other error is a fault of the reader. */
function attemptToRead(bytes: Buffer): string | null {
  try {
    const facts = readApkManifest(bytes);
    return `${facts.package} ${facts.versionCode}`;
  } catch (error) {
    if (error instanceof UnreadableApkError) return null;
    throw error;
  }
}

async function manifestOf(bytes: Buffer): Promise<Buffer> {
  const file = apkFileFromBytes(bytes);
  const entry = (await readZip(file)).entries.get('AndroidManifest.xml');
  if (!entry) throw new Error('the app has no manifest');
  return readZipEntry(file, entry, 1024 * 1024);
}

/** An archive without a signature. */
function zipOf(files: [name: string, bytes: Buffer][]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, tail, Buffer.from(name)]),
    );
    parts.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}
