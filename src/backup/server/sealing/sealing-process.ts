import type { SealingKeys } from '#backup/server/sealing/key-pair.ts';
import { createIdleProcess } from '#platform/server/idle-process.ts';
import { createTurnQueue } from '#platform/server/turns.ts';

/** `key`: a sealed key pair to try the passphrase on; null: a new one is made. */
export interface SealingQuestion {
  passphrase: string;
  key: string | null;
}
export type SealingAnswer = { made: SealingKeys } | { isRight: boolean };

/** scrypt takes half a second of a processor, for which no order waits. */
const sealer = createIdleProcess<SealingQuestion, SealingAnswer>({
  module: new URL('./sealing-worker.ts', import.meta.url),
  task: 'seals keys',
  maxOldGenerationSizeMb: 128,
});
const turns = createTurnQueue({ maxWaiting: 3, pause: 0 });

/** Makes a key pair in a process of its own. */
export async function makeKeysAside(passphrase: string): Promise<SealingKeys> {
  const answer = await turns.take(() => sealer.ask({ passphrase, key: null }));
  if ('made' in answer) return answer.made;
  throw new Error('The process that seals keys made none.');
}

/** Whether this is the passphrase of a sealed key pair. */
export async function isPassphraseOf(key: string, passphrase: string): Promise<boolean> {
  const answer = await turns.take(() => sealer.ask({ passphrase, key }));
  return 'isRight' in answer && answer.isRight;
}

/** Ends the process that seals; the next question starts another one. */
export const stopSealing = sealer.stop;
