import { z } from 'zod';
import { openSecretStore, type SecretStore } from '#platform/server/secrets/secret-store.ts';

/** What nobody but the provider and this shop may know of a key set. */
const KeySecrets = z.object({
  secretKey: z.string(),
  /** What its webhook endpoints sign with, newest first. */
  webhookSecrets: z.array(z.string()),
});
export type KeySecrets = z.infer<typeof KeySecrets>;

/** The secrets of key sets, by the set's id. */
export function openKeySecrets(config: { dataDir: string; SECRETS_KEY?: string | undefined }): SecretStore<KeySecrets> {
  return openSecretStore(config, { folder: 'payment-keys', use: 'hatch payment keys', schema: KeySecrets });
}
