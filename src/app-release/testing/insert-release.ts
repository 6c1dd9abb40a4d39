import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '#database/schema.ts';

let releases = 0;

/** Writes a draft, and a file of version 99.0.0 that a call can make another one of. */
export async function insertRelease(db: Db, now: Date): Promise<string> {
  const sha256 = 'a'.repeat(64);
  const signed = { signer: 'b'.repeat(64), is_debug_key: false, is_debuggable: false, app: 'customer', shop: null };
  const facts = (version: string, code: number) =>
    JSON.stringify({ package: 'com.example', version, version_code: code, min_sdk: 24, target_sdk: 36, ...signed });
  const file = { sha256, size: 1, created_at: now };
  await db
    .insertInto('app_files')
    .values({ ...file, facts: facts('99.0.0', 99_000_000) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const id = randomUUIDv7();
  releases += 1;
  const version = `1.0.${releases}`;
  const release = { id, platform: 'android', version, download_url: `/uploads/${sha256}.apk`, notes: '' };
  await db
    .insertInto('app_releases')
    .values({ ...file, ...release, facts: facts(version, releases) })
    .execute();
  return id;
}
