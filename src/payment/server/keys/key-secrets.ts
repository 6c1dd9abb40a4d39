import { z } from 'zod';
import { openSecretStore, type SecretStore } from '#platform/server/secrets/secret-store.ts';

/** The secrets of a key set that only the provider and this shop may know. */
const KeySecrets = z.object({
  secretKey: z.string(),
  /** The signing secrets of its webhook endpoints, newest first. */
  webhookSecrets: z.array(z.string()),
});
export type KeySecrets = z.infer<typeof KeySecrets>;

/** The secrets of key sets, by the set's id. */
export function openKeySecrets(config: { dataDir: string; SECRETS_KEY?: string | undefined }): SecretStore<KeySecrets> {
  return openSecretStore(config, { folder: 'payment-keys', use: 'hatch payment keys', schema: KeySecrets });
}
