import { randomUUIDv7 } from 'node:crypto';
import type { NewUser } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { saturdayEvening } from '#testing/small-shop.ts';

/** The password of every user made by `addUser`. */
export const password = 'correct horse';
/** Its hash at argon2id's lowest cost, which a sign-in reads from here: the usual one takes a twentieth of a second. */
const passwordHash = '$argon2id$v=19$m=8,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$M7jw0GQI4Kfcxf+xPldfNRYttP89scc9XVAYAcaZ0U0';

/** A new user who can sign in. */
export async function addUser(
  db: Db,
  role: NewUser['role'],
  storeIds: string[] = [],
  createdAt = saturdayEvening,
): Promise<{ id: string; email: string }> {
  const id = randomUUIDv7();
  const email = `${id}@example.com`;
  await db
    .insertInto('users')
    .values({
      id,
      name: `A ${role}`,
      email,
      role,
      store_ids: storeIds,
      addresses: '[]',
      created_at: createdAt,
      password_hash: passwordHash,
    })
    .execute();
  return { id, email };
}
