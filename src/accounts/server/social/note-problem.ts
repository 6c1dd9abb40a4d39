import type { Failure } from '#accounts/server/social/provider-client.ts';
import { environmentId } from '#accounts/server/social/providers.ts';
import type { Db } from '#database/schema.ts';

/**
 * Keeps for the office what went wrong with a provider, and since when; `null` after a success. The one of the environment
 * has no row: its problems are only in the log.
 */
export async function noteProblem(db: Db, providerId: string, failure: Failure | null, now: Date): Promise<void> {
  // A code that is not valid is the browser's.
  if (failure === 'refused' || providerId === environmentId) return;
  await db
    .updateTable('sign_in_providers')
    .set({ problem: failure, problem_since: failure && now })
    .where('id', '=', providerId)
    .where('problem', 'is distinct from', failure)
    .execute();
}
