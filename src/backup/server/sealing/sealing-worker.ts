import { makeSealingKeys, decryptKeyPair } from '#backup/server/sealing/key-pair.ts';
import type { SealingAnswer, SealingKeyRequest } from '#backup/server/sealing/sealing-process.ts';
import { serveOnDemandProcess } from '#platform/server/on-demand-process.ts';

serveOnDemandProcess<SealingKeyRequest, SealingAnswer>(async ({ passphrase, key }) =>
  key === null
    ? { made: await makeSealingKeys(passphrase) }
    : { isRight: (await decryptKeyPair(key, passphrase)) !== null },
);
