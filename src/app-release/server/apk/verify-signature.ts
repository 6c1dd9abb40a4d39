import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { type ApkFile, ByteReader, UnreadableApkError, type ZipArchive } from '#app-release/server/apk/apk-file.ts';

export interface ApkSigner {
  scheme: 'v2' | 'v3';
  signer: string;
  /** The certificate's subject, e.g. `CN=Android Debug`. */
  subject: string;
}

/** The error of an APK without a signature of the whole file. */
export class UnsignedApkError extends Error {}
export class WrongSignatureError extends Error {}

const schemes = { v2: 0x7109871a, v3: 0xf05368c0 } as const;
/** The id of scheme v3.1, which names another signer for newer phones. */
const secondSigner = 0x1b93ad61;
/**
 * The id of an attribute in v2's signed data, which states that a newer scheme also signs the file. If that scheme's
 * signature is missing, somebody removed it.
 */
const strippingProtection = 0xbeeff00d;
const newestScheme = 3;

interface Algorithm {
  hash: 'sha256' | 'sha512';
  key: 'rsa' | 'ec' | 'dsa';
  isPss?: true;
}

/**
 * The signature algorithms by id. fs-verity's ids (0x04…) are left out, because a file with an fs-verity signature is
 * also signed by one of these algorithms.
 */
const algorithms: Readonly<Record<number, Algorithm>> = {
  0x0101: { hash: 'sha256', key: 'rsa', isPss: true },
  0x0102: { hash: 'sha512', key: 'rsa', isPss: true },
  0x0103: { hash: 'sha256', key: 'rsa' },
  0x0104: { hash: 'sha512', key: 'rsa' },
  0x0201: { hash: 'sha256', key: 'ec' },
  0x0202: { hash: 'sha512', key: 'ec' },
  0x0301: { hash: 'sha256', key: 'dsa' },
};

/**
 * Verifies each known signature by its certificate's key, and the digests of the file's contents. Throws
 * `UnsignedApkError`, `WrongSignatureError`, or `UnreadableApkError` for a damaged block. Several signers are refused.
 */
export async function verifyApkSignature(file: ApkFile, zip: ZipArchive): Promise<ApkSigner> {
  const block = await readSigningBlock(file, zip);
  if (!block) throw new UnsignedApkError('no signing block');
  // A second signer is refused, because phones from Android 13 on use the second signer, and older phones the first.
  if (block.values.has(secondSigner)) throw new WrongSignatureError('a second signer');
  const found = (['v3', 'v2'] as const).flatMap((scheme) => {
    const value = block.values.get(schemes[scheme]);
    return value ? [{ scheme, ...verifySigner(value, scheme) }] : [];
  });
  const [first] = found;
  if (!first) throw new UnsignedApkError('no scheme that we know');
  const demanded = found.find(({ stripping }) => stripping === newestScheme);
  if (demanded && first.scheme !== 'v3') throw new WrongSignatureError('the newer signature was removed');
  if (found.some(({ signer }) => signer !== first.signer)) throw new WrongSignatureError('two schemes, two signers');
  for (const { digests } of found) await checkDigests(file, zip, block, digests);
  return { scheme: first.scheme, signer: first.signer, subject: first.subject };
}

interface Signer {
  signer: string;
  subject: string;
  digests: Map<number, Buffer>;
  stripping: number;
}

function verifySigner(value: Buffer, scheme: 'v2' | 'v3'): Signer {
  const signers = new ByteReader(value).sized().parts();
  const [signer] = signers;
  if (!signer || signers.length > 1) throw new WrongSignatureError('not one signer');
  const signed = signer.sized();
  if (scheme === 'v3') signer.skip(8);
  const signatures = signer.sized().parts();
  const publicKey = signer.sized().bytes;
  const { certificate, digests, stripping } = readSigned(signed, scheme);
  const key = certificate.publicKey;
  if (!publicKey.equals(key.export({ type: 'spki', format: 'der' }))) throw new WrongSignatureError('another key');
  const verified = signatures.flatMap((part) => {
    const [id, signature] = [part.u32(), part.sized().bytes];
    const algorithm = algorithms[id];
    if (!algorithm) return [];
    if (!isValid(algorithm, key, signed.bytes, signature)) throw new WrongSignatureError('a signature');
    return [id];
  });
  if (verified.length === 0) throw new UnsignedApkError('no signature that we know');
  const kept = verified.map((id): [number, Buffer] => {
    const digest = digests.get(id);
    if (!digest) throw new WrongSignatureError('no digest');
    return [id, digest];
  });
  return {
    signer: createHash('sha256').update(certificate.raw).digest('hex'),
    subject: certificate.subject.replaceAll('\n', ', '),
    digests: new Map(kept),
    stripping,
  };
}

function readSigned(signed: ByteReader, scheme: 'v2' | 'v3') {
  const digests = new Map(
    signed
      .sized()
      .parts()
      .map((part): [number, Buffer] => [part.u32(), part.sized().bytes]),
  );
  const [first] = signed.sized().parts();
  if (!first) throw new WrongSignatureError('no certificate');
  if (scheme === 'v3') signed.skip(8);
  const attributes = signed.left > 0 ? signed.sized().parts() : [];
  const demand = attributes.find((part) => part.left >= 8 && part.u32() === strippingProtection);
  return { certificate: readCertificate(first.bytes), digests, stripping: demand?.u32() ?? 0 };
}

function readCertificate(bytes: Buffer): X509Certificate {
  try {
    const certificate = new X509Certificate(bytes);
    // The key is parsed on access, so a damaged key throws here.
    certificate.publicKey.export({ type: 'spki', format: 'der' });
    return certificate;
  } catch {
    throw new UnreadableApkError('a certificate');
  }
}

function isValid({ hash, key, isPss }: Algorithm, publicKey: KeyObject, signed: Buffer, signature: Buffer): boolean {
  if (publicKey.asymmetricKeyType !== key) return false;
  const saltLength = hash === 'sha256' ? 32 : 64;
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
    : key === 'rsa'
      ? { padding: constants.RSA_PKCS1_PADDING }
      : {};
  try {
    return verify(hash, signed, { key: publicKey, ...padding }, signature);
  } catch {
    return false;
  }
}

async function checkDigests(
  file: ApkFile,
  zip: ZipArchive,
  block: SigningBlock,
  digests: ReadonlyMap<number, Buffer>,
): Promise<void> {
  for (const [id, digest] of digests) {
    const { hash } = algorithms[id] ?? { hash: 'sha256' as const };
    if (!digest.equals(await digestContents(file, zip, block, hash))) throw new WrongSignatureError('other contents');
  }
}

const chunkSize = 1024 * 1024;

/**
 * The digest of the whole file except the signing block, in chunks of 1 MiB ("APK Signature Scheme v2",
 * integrity-protected contents). In the hashed copy of the zip's end record, the offset of the signing block replaces
 * the offset of the central directory.
 */
async function digestContents(
  file: ApkFile,
  { directory, end }: ZipArchive,
  { blockAt }: SigningBlock,
  hash: 'sha256' | 'sha512',
): Promise<Buffer> {
  const moved = Buffer.from(end);
  moved.writeUInt32LE(blockAt, 16);
  const digests: Buffer[] = [];
  const add = (chunk: Buffer) =>
    digests.push(createHash(hash).update(numbered(0xa5, chunk.length)).update(chunk).digest());
  for (let at = 0; at < blockAt; at += chunkSize) add(await file.read(at, Math.min(chunkSize, blockAt - at)));
  for (const part of [directory, moved]) {
    for (let at = 0; at < part.length; at += chunkSize) add(part.subarray(at, at + chunkSize));
  }
  const whole = createHash(hash).update(numbered(0x5a, digests.length));
  for (const digest of digests) whole.update(digest);
  return whole.digest();
}

function numbered(mark: number, count: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(mark);
  bytes.writeUInt32LE(count, 1);
  return bytes;
}

/** The block with the signatures, which is before the central directory ("APK Signature Scheme v2"). */
interface SigningBlock {
  blockAt: number;
  values: ReadonlyMap<number, Buffer>;
}

const magic = 'APK Sig Block 42';
const maxBlock = 8 * 1024 * 1024;

/** Reads the signing block; null: none. Throws `UnreadableApkError` if it is damaged. */
async function readSigningBlock(file: ApkFile, { directoryAt }: ZipArchive): Promise<SigningBlock | null> {
  if (directoryAt < 32) return null;
  const tail = await file.read(directoryAt - 24, 24);
  if (tail.toString('latin1', 8) !== magic) return null;
  const size = new ByteReader(tail).u64();
  const blockAt = directoryAt - size - 8;
  if (size < 24 || size > maxBlock || blockAt < 0) throw new UnreadableApkError('a signing block of this size');
  const block = new ByteReader(await file.read(blockAt, size + 8));
  if (block.u64() !== size) throw new UnreadableApkError('two sizes of the signing block');
  const pairs = new ByteReader(block.take(size - 24));
  const values = new Map<number, Buffer>();
  while (pairs.left > 0) {
    const pair = new ByteReader(pairs.take(pairs.u64()));
    const id = pair.u32();
    if (values.has(id)) throw new UnreadableApkError('a pair twice');
    values.set(id, pair.take(pair.left));
  }
  return { blockAt, values };
}
