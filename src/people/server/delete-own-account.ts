import { sendNotice } from '#accounts/server/account-mail.ts';
import { checkOwner } from '#accounts/server/check-owner.ts';
import { reauthoriseSockets } from '#accounts/server/reauthorise-sockets.ts';
import { ownRow } from '#accounts/server/users.ts';
import { removeFiledMail } from '#mail/server/filed-mail.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { people } from '#people/contract.ts';
import { erasePerson } from '#people/server/kept-data.ts';
import type { PeopleServices } from '#people/server/services.ts';
import type { CallTo } from '#platform/http/serve.ts';

export async function deleteOwnAccount(
  services: Pick<PeopleServices, 'config' | 'jobs' | 'kept' | 'log' | 'mail' | 'menus' | 'realtime'>,
  call: CallTo<typeof people, 'DELETE /v1/auth/user', Db, Tx>,
): Promise<void> {
  const { db, body, viewer, now, afterCommit, audit } = call;
  const user = await ownRow(db, viewer);
  await checkOwner(db, user, { password: body.password ?? '', viewer, now });
  await inTransaction(db, async (tx) => {
    // Before the row is deleted that the log's line refers to.
    await audit(tx);
    await erasePerson(tx, services.kept, user);
    await sendNotice(tx, services, 'account_deleted', user);
  });
  afterCommit(reauthoriseSockets(services, user.id));
  // Filed mail up to now, so that the last mail is kept.
  afterCommit(async () => void (await removeFiledMail(services.config, now, user.email)));
}
