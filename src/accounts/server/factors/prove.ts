import { m } from '#messages';
import { checkPassword } from '#accounts/server/check-owner.ts';
import { type FactorCall, type FactorServices, siteFor } from '#accounts/server/factors/factor-calls.ts';
import { factorsOf, isSecondNeeded, takeOneTimeCode } from '#accounts/server/factors/factor-rows.ts';
import { assertionIn, takePasskey } from '#accounts/server/factors/passkeys.ts';
import { noteProof } from '#accounts/server/sign-ins.ts';
import { countOwn, forgiveOwn, type OwnCount } from '#accounts/server/throttle.ts';
import { ownRow, type UserRow } from '#accounts/server/users.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { freshUntil } from '#platform/http/viewer.ts';

type ProofCall = FactorCall<'POST /v1/auth/proof'>;

/** Makes the caller's sign-in fresh, and no other one of theirs. Throws 422 on a wrong proof. */
export async function prove(services: FactorServices, call: ProofCall): Promise<{ data: { until: string } }> {
  const { db, viewer, now } = call;
  const user = await ownRow(db, viewer);
  await check(services, call, user).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid') call.note('failed', viewer);
    throw error;
  });
  await inTransaction(db, async (tx) => {
    await noteProof(tx, viewer.signInId, now);
    await call.audit(tx, { data: { id: user.id } });
  });
  return { data: { until: freshUntil(now).toISOString() } };
}

/** Each sign-in has counts of its own: who guesses on a stolen one does not slow its owner down. */
async function check(services: FactorServices, call: ProofCall, user: UserRow): Promise<void> {
  const { db, viewer, now, body } = call;
  if (body.password !== undefined) {
    // Else a stolen password and a sign-in that was left open would be enough to remove the factor.
    if (isSecondNeeded(await factorsOf(db, user.id))) throw invalid('password', m.accounts_proof_needs_factor());
    await checkPassword(db, user, { password: body.password, field: 'password', viewer, now });
    return;
  }
  const own: OwnCount = { kind: 'proof', id: viewer.signInId ?? user.id };
  await countOwn(db, own, now);
  if (body.response !== undefined) {
    const { userId } = await takePasskey(db, siteFor(services, call), assertionIn(body.response), now);
    if (userId !== user.id) throw invalid('response', m.accounts_passkey_other());
  } else {
    const given = { userId: user.id, code: body.one_time_code ?? '', now };
    const isRight = await inTransaction(db, (tx) => takeOneTimeCode(tx, services.totpSecrets, given));
    if (!isRight) throw invalid('one_time_code', m.accounts_code_wrong());
  }
  await forgiveOwn(db, own);
}
