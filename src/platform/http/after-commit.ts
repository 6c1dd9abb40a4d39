import type { FastifyBaseLogger } from 'fastify';

/** What is done once a change is committed; network calls, say. */
export type Effect = () => Promise<void> | void;

/** Leaves an effect for after the commit; nothing is done where the change is not made. */
export type AfterCommit = (effect: Effect) => void;

/** Runs them one by one. The change is made whatever becomes of them: one that fails is logged, and the next one runs. */
export async function runEffects(effects: readonly Effect[], log: Pick<FastifyBaseLogger, 'error'>): Promise<void> {
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      log.error({ err: error }, 'after commit');
    }
  }
}
