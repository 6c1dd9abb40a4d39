import type { FastifyBaseLogger } from 'fastify';

/** Work done after a change is committed, such as network calls. */
export type Effect = () => Promise<void> | void;

/** Adds an effect to run after the commit; it does not run if the change is rolled back. */
export type AfterCommit = (effect: Effect) => void;

/** Runs the effects one by one. The change is committed either way: an effect that fails is logged, and the next one runs. */
export async function runEffects(effects: readonly Effect[], log: Pick<FastifyBaseLogger, 'error'>): Promise<void> {
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      log.error({ err: error }, 'after commit');
    }
  }
}
