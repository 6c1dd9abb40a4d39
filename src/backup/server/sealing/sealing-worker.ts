import { makeSealingKeys, openKeyPair } from '#backup/server/sealing/key-pair.ts';
import type { SealingAnswer, SealingKeyRequest } from '#backup/server/sealing/sealing-process.ts';
import { serveIdleProcess } from '#platform/server/on-demand-process.ts';

serveIdleProcess<SealingKeyRequest, SealingAnswer>(async ({ passphrase, key }) =>
  key === null
    ? { made: await makeSealingKeys(passphrase) }
    : { isRight: (await openKeyPair(key, passphrase)) !== null },
);
