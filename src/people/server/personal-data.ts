import { lockAccountRow } from '#accounts/server/account-data.ts';
import type { UserRow } from '#accounts/server/users.ts';
import { recordErasure } from '#database/erasures.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { PersonExport } from '#people/contract.ts';
import type { Viewer } from '#platform/http/viewer.ts';

export interface PersonalDataSubject {
  user: UserRow;
  viewer: Viewer;
  now: Date;
}

export interface PersonalDataEraser {
  /** Throws 409 `conflict` while this domain must still store the person's data. */
  refuse(tx: Tx, user: UserRow): Promise<void>;
  erase(tx: Tx, user: UserRow): Promise<void>;
}

export interface PersonalDataHandlers {
  readers: {
    [Part in Exclude<keyof PersonExport, 'exported_at'>]: (
      db: Db,
      asker: PersonalDataSubject,
    ) => Promise<PersonExport[Part]>;
  };
  /** The erasers in the order of their calls: the account comes last, because other rows refer to it. */
  erasers: readonly PersonalDataEraser[];
}

export async function exportPerson(
  db: Db,
  { readers }: PersonalDataHandlers,
  asker: PersonalDataSubject,
): Promise<PersonExport> {
  return {
    exported_at: asker.now.toISOString(),
    user: await readers.user(db, asker),
    sign_ins: await readers.sign_ins(db, asker),
    known_devices: await readers.known_devices(db, asker),
    second_factors: await readers.second_factors(db, asker),
    identities: await readers.identities(db, asker),
    push_devices: await readers.push_devices(db, asker),
    mails: await readers.mails(db, asker),
    complaints: await readers.complaints(db, asker),
    consents: await readers.consents(db, asker),
    orders: await readers.orders(db, asker),
  };
}

/** Erases a person and their account. Throws 409 `conflict` while a domain must still store their data. */
export async function erasePerson(tx: Tx, { erasers }: PersonalDataHandlers, user: UserRow): Promise<void> {
  await lockAccountRow(tx, user.id);
  for (const { refuse } of erasers) await refuse(tx, user);
  for (const { erase } of erasers) await erase(tx, user);
  await recordErasure(tx, 'person', user.id);
}
