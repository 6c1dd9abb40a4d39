import type { z } from 'zod';
import type { SignedIn } from '#accounts/contract.ts';
import { type NoticeServices, sendDeviceNotice } from '#accounts/server/account-mail.ts';
import { noteDevice } from '#accounts/server/known-devices.ts';
import { startSignIn } from '#accounts/server/sign-ins.ts';
import { presentUser, type UserRow, viewerOf } from '#accounts/server/users.ts';
import type { Viewer } from '#platform/http/viewer.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

/** The part of a call that says where it comes from; its `secret` is the row's `knownDevice`. */
interface Caller {
  header(name: string): string | undefined;
  now: Date;
  secret: string | null;
  /** Writes the audit log's line, for staff. */
  audit(tx: Tx, answer: unknown, by: Viewer): Promise<void>;
}

/** The part of it that is stored. */
export function userAgentOf(header: Caller['header']): string {
  return (header('user-agent') ?? '').slice(0, 300);
}

/**
 * Signs in a person who has proved, in any way, whose account it is. Its owner gets a mail if it was used on other
 * devices, but never on this one. `by` a `beginning`: this call has made the account, or given it away, and its owner
 * knows.
 */
export async function enterAccount(
  services: NoticeServices,
  db: Db,
  user: UserRow,
  { header, now, secret, audit }: Caller,
  by: 'sign-in' | 'beginning' = 'sign-in',
): Promise<z.input<typeof SignedIn>> {
  const userAgent = userAgentOf(header);
  return inTransaction(db, async (tx) => {
    const device = await noteDevice(tx, user.id, { token: secret, userAgent }, now);
    const token = await startSignIn(tx, user.id, userAgent, now, device.id);
    if (device.isNews && by === 'sign-in')
      await sendDeviceNotice(tx, services, 'new_device', { to: user, userAgent, at: now });
    await audit(tx, { data: { id: user.id } }, viewerOf(user));
    return { token, user: presentUser(user), device_token: device.token };
  });
}
