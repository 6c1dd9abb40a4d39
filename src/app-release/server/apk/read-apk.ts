import {
  type ApkFile,
  ByteReader,
  readZipEntry,
  readZip,
  UnreadableApkError,
} from '#app-release/server/apk/apk-file.ts';
import {
  type ApkSigner,
  UnsignedApkError,
  verifyApkSignature,
  WrongSignatureError,
} from '#app-release/server/apk/verify-signature.ts';

export interface VerifiedApk extends ApkManifest, ApkSigner {}

/** The faults for which a file can never be released. */
export type ApkFault = 'no_apk' | 'damaged' | 'unsigned' | 'wrong_signature';

const maxManifest = 2 * 1024 * 1024;

/** Reads an untrusted APK. Returns its fault if Android would refuse it. */
export async function readApk(file: ApkFile): Promise<VerifiedApk | ApkFault> {
  if (!(await isArchive(file))) return 'no_apk';
  try {
    const zip = await readZip(file);
    const entry = zip.entries.get('AndroidManifest.xml');
    if (!entry) return 'no_apk';
    const manifest = readApkManifest(await readZipEntry(file, entry, maxManifest));
    return { ...manifest, ...(await verifyApkSignature(file, zip)) };
  } catch (error) {
    if (error instanceof UnsignedApkError) return 'unsigned';
    if (error instanceof WrongSignatureError) return 'wrong_signature';
    if (error instanceof UnreadableApkError) return 'damaged';
    throw error;
  }
}

async function isArchive(file: ApkFile): Promise<boolean> {
  return file.size > 4 && (await file.read(0, 4)).equals(Buffer.from('PK\u0003\u0004', 'latin1'));
}

interface ApkManifest {
  package: string;
  /** The attribute `versionName`, as in the manifest. */
  version: string;
  versionCode: number;
  minSdk: number;
  targetSdk: number;
  isDebuggable: boolean;
  /** The text values of the application's `meta-data`, by name. */
  meta: ReadonlyMap<string, string>;
}

interface Attribute {
  /** The resource id of the attribute's name; 0 for a name without an id, such as `package`. */
  id: number;
  name: string;
  value: string | number | null;
}

/** Resource ids of attributes (`android.R.attr`), which obfuscation does not change. */
const attr = {
  name: 0x01010003,
  value: 0x01010024,
  debuggable: 0x0101000f,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  versionCodeMajor: 0x01010576,
} as const;
const chunk = { strings: 0x0001, xml: 0x0003, start: 0x0102, end: 0x0103, ids: 0x0180 } as const;
const deepest = 64;
const maxStrings = 65_536;

/**
 * Parses a binary `AndroidManifest.xml` (`ResourceTypes.h`). Throws `UnreadableApkError` for other bytes, or if a
 * required value is missing or is a reference.
 */
export function readApkManifest(bytes: Buffer): ApkManifest {
  const meta = new Map<string, string>();
  let root: Attribute[] | null = null;
  let sdk: Attribute[] = [];
  let isDebuggable = false;
  for (const { path, attributes } of elementsOf(bytes)) {
    if (path === 'manifest') root ??= attributes;
    if (path === 'manifest/uses-sdk') sdk = attributes;
    if (path === 'manifest/application') {
      const value = valueOf(attributes, attr.debuggable);
      // A reference (null) or a string counts as true, because only the number 0 is certainly false.
      isDebuggable ||= value !== undefined && value !== 0;
    }
    if (path === 'manifest/application/meta-data') {
      const [name, value] = [valueOf(attributes, attr.name), valueOf(attributes, attr.value)];
      if (typeof name === 'string' && typeof value === 'string') meta.set(name, value);
    }
  }
  if (!root) throw new UnreadableApkError('no manifest');
  if (numberOf(root, attr.versionCodeMajor, 0) !== 0) throw new UnreadableApkError('a version code of 64 bits');
  const minSdk = numberOf(sdk, attr.minSdkVersion, 1);
  return {
    package: packageOf(root),
    version: textOf(root, attr.versionName),
    versionCode: numberOf(root, attr.versionCode),
    minSdk,
    targetSdk: numberOf(sdk, attr.targetSdkVersion, minSdk),
    isDebuggable,
    meta,
  };
}

function packageOf(root: Attribute[]): string {
  const value = root.find(({ id, name }) => id === 0 && name === 'package')?.value;
  if (typeof value !== 'string' || value.length > 255 || !/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/.test(value)) {
    throw new UnreadableApkError('no package');
  }
  return value;
}

function valueOf(attributes: Attribute[], id: number): string | number | null | undefined {
  return attributes.find((attribute) => attribute.id === id)?.value;
}

function textOf(attributes: Attribute[], id: number): string {
  const value = valueOf(attributes, id);
  if (typeof value !== 'string') throw new UnreadableApkError('a text is missing');
  return value;
}

function numberOf(attributes: Attribute[], id: number, otherwise?: number): number {
  const value = valueOf(attributes, id) ?? otherwise;
  if (typeof value !== 'number') throw new UnreadableApkError('a number is missing');
  return value;
}

/** The elements in document order, each with its path, e.g. `manifest/application`. */
function* elementsOf(bytes: Buffer): Generator<{ path: string; attributes: Attribute[] }> {
  const reader = new ByteReader(bytes);
  if (reader.u16() !== chunk.xml || reader.u16() !== 8 || reader.u32() > bytes.length)
    throw new UnreadableApkError('no XML');
  let strings: string[] = [];
  let ids: number[] = [];
  const open: string[] = [];
  while (reader.left >= 8) {
    const begin = reader.at;
    const [type, headerSize, size] = [reader.u16(), reader.u16(), reader.u32()];
    if (headerSize < 8 || size < headerSize || size > bytes.length - begin)
      throw new UnreadableApkError('a chunk of this size');
    const part = new ByteReader(bytes.subarray(begin, begin + size), headerSize);
    if (type === chunk.strings) strings = readStrings(part.bytes);
    if (type === chunk.ids) ids = Array.from({ length: Math.floor(part.left / 4) }, () => part.u32());
    if (type === chunk.start) {
      const { name, attributes } = readElement(part, strings, ids);
      open.push(name);
      if (open.length > deepest) throw new UnreadableApkError('elements this deep');
      yield { path: open.join('/'), attributes };
    }
    if (type === chunk.end && open.pop() === undefined) throw new UnreadableApkError('an end without a start');
    reader.at = begin + size;
  }
}

function readElement(part: ByteReader, strings: string[], ids: number[]): { name: string; attributes: Attribute[] } {
  const begin = part.at;
  part.skip(4);
  const name = strings[part.u32()];
  const [start, each, count] = [part.u16(), part.u16(), part.u16()];
  if (name === undefined || each < 20) throw new UnreadableApkError('an element');
  const attributes: Attribute[] = [];
  for (let index = 0; index < count; index += 1) {
    part.at = begin + start + index * each;
    part.skip(4);
    const nameIndex = part.u32();
    part.skip(4 + 3);
    const [type, data] = [part.u8(), part.u32()];
    attributes.push({ id: ids[nameIndex] ?? 0, name: strings[nameIndex] ?? '', value: readValue(type, data, strings) });
  }
  return { name, attributes };
}

/** The value of an attribute; null for references and other types whose value is outside this file. */
function readValue(type: number, value: number, strings: string[]): string | number | null {
  if (type === 0x03) return strings[value] ?? null;
  return type >= 0x10 && type <= 0x12 ? value : null;
}

function readStrings(bytes: Buffer): string[] {
  const reader = new ByteReader(bytes, 8);
  const [count, , flags, start] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
  reader.skip(4);
  if (count > maxStrings) throw new UnreadableApkError('so many texts');
  const isUtf8 = (flags & 0x100) !== 0;
  const offsets = Array.from({ length: count }, () => reader.u32());
  return offsets.map((offset) => {
    const text = new ByteReader(bytes, start + offset);
    return isUtf8 ? readUtf8(text) : readUtf16(text);
  });
}

function readUtf8(text: ByteReader): string {
  const length = () => {
    const first = text.u8();
    return first & 0x80 ? ((first & 0x7f) << 8) | text.u8() : first;
  };
  length();
  return text.take(length()).toString('utf8');
}

function readUtf16(text: ByteReader): string {
  const first = text.u16();
  const length = first & 0x8000 ? (first & 0x7fff) * 0x10000 + text.u16() : first;
  return text.take(length * 2).toString('utf16le');
}
