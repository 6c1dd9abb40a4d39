import { randomUUIDv7 } from 'node:crypto';
import { hashPassword } from '#accounts/server/hash-password.ts';
import type { NewUser } from '#accounts/server/users.ts';
import type { Db } from '#database/schema.ts';
import { saturdayEvening } from '#testing/small-shop.ts';

/** The password of every user made by `addUser`. */
export const password = 'correct horse';
let passwordHash: Promise<string> | null = null;

/** A new user who can sign in. The hash is made once: it takes a twentieth of a second, and tests need hundreds. */
export async function addUser(
  db: Db,
  role: NewUser['role'],
  storeIds: string[] = [],
  createdAt = saturdayEvening,
): Promise<{ id: string; email: string }> {
  const id = randomUUIDv7();
  const email = `${id}@example.com`;
  passwordHash ??= hashPassword(password);
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
      password_hash: await passwordHash,
    })
    .execute();
  return { id, email };
}
