import type { SealingKeys } from '#backup/server/sealing/key-pair.ts';
import { createOnDemandProcess } from '#platform/server/on-demand-process.ts';
import { createSerialQueue } from '#platform/server/call-queues.ts';

/** `key`: the encrypted key pair on which the passphrase is tried; null: a new key pair is created. */
export interface SealingKeyRequest {
  passphrase: string;
  key: string | null;
}
export type SealingAnswer = { made: SealingKeys } | { isRight: boolean };

/** Runs scrypt in another process, because scrypt blocks its thread for half a second. */
const sealer = createOnDemandProcess<SealingKeyRequest, SealingAnswer>({
  module: new URL('./sealing-worker.ts', import.meta.url),
  task: 'seals keys',
  maxOldGenerationSizeMb: 128,
});
const turns = createSerialQueue({ maxWaiting: 3, pause: 0 });

export async function makeKeysInChildProcess(passphrase: string): Promise<SealingKeys> {
  const answer = await turns.take(() => sealer.ask({ passphrase, key: null }));
  if ('made' in answer) return answer.made;
  throw new Error('The process that seals keys made none.');
}

export async function isPassphraseCorrect(key: string, passphrase: string): Promise<boolean> {
  const answer = await turns.take(() => sealer.ask({ passphrase, key }));
  return 'isRight' in answer && answer.isRight;
}

/** Ends the process; the next request starts a new one. */
export const stopSealingProcess = sealer.stop;
