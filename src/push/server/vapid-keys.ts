import { generateKeyPairSync, randomUUIDv7 } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Db } from '#database/schema.ts';
import { openSecretStore, type SecretStore } from '#platform/server/secrets/secret-store.ts';

/** The installation's key pair for push services (RFC 8292): the public point and the private scalar, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const PushSecret = z.object({ privateKey: z.string() });
type PushSecret = z.infer<typeof PushSecret>;

export interface VapidOptions {
  db: Db;
  log: FastifyBaseLogger;
  now: () => Date;
  config: { dataDir: string; SECRETS_KEY?: string | undefined };
}

/**
 * Opens the keys, which the first start creates for all instances. Null: this machine cannot read the private key. No
 * new keys are then created, because browsers have subscribed with the old keys.
 */
export async function openVapidKeys(options: VapidOptions): Promise<VapidKeys | null> {
  const { db, log, config } = options;
  const store = openSecretStore(config, { folder: 'push-keys', use: 'hatch push keys', schema: PushSecret });
  const row = (await readRow(db)) ?? (await makeRow(options, store));
  const secret = await store.read(row.id, row.sealed);
  if (secret) return { publicKey: row.public_key, privateKey: secret.privateKey };
  log.error('the key for push messages is not on this machine: put SECRETS_KEY or the folder push-keys back');
  return null;
}

function readRow(db: Db) {
  return db.selectFrom('push_keys').select(['id', 'public_key', 'sealed']).executeTakeFirst();
}

async function makeRow({ db, now }: VapidOptions, store: SecretStore<PushSecret>) {
  const id = randomUUIDv7();
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const sealed = await store.keep(id, { privateKey: d });
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('push_keys')
    .values({ id, public_key: point.toString('base64url'), sealed, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // Another instance inserted its keys first, so the new keys are wiped.
  if (inserted === 0n) await store.wipe(id);
  return db.selectFrom('push_keys').select(['id', 'public_key', 'sealed']).executeTakeFirstOrThrow();
}
