import { type ApkManifest, readManifest } from '#app-release/server/apk/android-manifest.ts';
import type { ApkFile } from '#app-release/server/apk/apk-file.ts';
import { Unreadable } from '#app-release/server/apk/byte-reader.ts';
import { type ApkSigner, Unsigned, verifySignature, WrongSignature } from '#app-release/server/apk/verify-signature.ts';
import { readEntry, readZip } from '#app-release/server/apk/zip-archive.ts';

/** The facts in an Android app's file, with its signature verified. */
export interface ReadApk extends ApkManifest, ApkSigner {}

/** Why a file cannot be released, whatever the shop has released so far. */
export type ApkFault = 'no_apk' | 'damaged' | 'unsigned' | 'wrong_signature';

const mostManifest = 2 * 1024 * 1024;

/** Reads an APK, of which nothing is trusted. Returns its fault if Android would not install it. */
export async function readApk(file: ApkFile): Promise<ReadApk | ApkFault> {
  if (!(await isArchive(file))) return 'no_apk';
  try {
    const zip = await readZip(file);
    const entry = zip.entries.get('AndroidManifest.xml');
    if (!entry) return 'no_apk';
    const manifest = readManifest(await readEntry(file, entry, mostManifest));
    return { ...manifest, ...(await verifySignature(file, zip)) };
  } catch (error) {
    if (error instanceof Unsigned) return 'unsigned';
    if (error instanceof WrongSignature) return 'wrong_signature';
    if (error instanceof Unreadable) return 'damaged';
    throw error;
  }
}

async function isArchive(file: ApkFile): Promise<boolean> {
  return file.size > 4 && (await file.read(0, 4)).equals(Buffer.from('PK\u0003\u0004', 'latin1'));
}
