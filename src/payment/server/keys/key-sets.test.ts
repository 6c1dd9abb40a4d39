import { expect, test } from 'vitest';
import { openKeySecrets } from '#payment/server/keys/key-sets.ts';

/** What the first release that had key sets encrypted with the SECRETS_KEY below, for the set `a`. */
const kept =
  'AUQu1f0YhgpK9GGDITlA7p6d1xYa0bhyWbIjc0PO8LjUnFqJVH0gerzCkBUWzI0bRK+Ay9eHs+vmF3OKpVs5aDQXzHTWPcv2Cjsck26yQG0O9lMnBOm5vjE=';

test('keys that an earlier release encrypted are still read', async () => {
  const store = openKeySecrets({ dataDir: '/nowhere', SECRETS_KEY: 'x'.repeat(32) });
  expect(await store.read('a', Buffer.from(kept, 'base64'))).toEqual({
    secretKey: 'rk_test_51AbC',
    webhookSecrets: ['whsec_one'],
  });
});
