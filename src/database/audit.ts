import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { foldedLikePattern } from '#database/text-search.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Endpoint, EndpointKey } from '#platform/http/endpoint.ts';
import type { AuditedCall, ReadAndRefusalAudit } from '#platform/http/audited-call.ts';
import type { Call } from '#platform/http/serve.ts';
import { secretFields } from '#platform/secret-fields.ts';
import { LRUCache } from 'lru-cache';
import type { FastifyBaseLogger } from 'fastify';
import type { DueWork } from '#database/jobs/due-work.ts';
import { type Chain, type ChainedEntry, type HashedEntryFields, extendChain } from '#database/journal/chain.ts';

/** Keys whose values are never logged: secrets, and details of customers. */
const leftOut = new Set<string>([
  ...secretFields,
  'allergies',
  'contact',
  'address',
  'phone',
  'email',
  'customer',
  'addresses',
  'note',
  'allergy_note',
  'message',
  'answer',
]);

/**
 * Writes the audit line of a finished call in a transaction of its own, for calls whose change is not one transaction.
 */
export async function auditFinishedCall<K extends EndpointKey>(
  db: Db,
  action: K,
  { viewer, requestId, now }: Pick<Call<K, Endpoint, Db>, 'viewer' | 'requestId' | 'now'>,
  answer: unknown,
): Promise<void> {
  const change: AuditedCall = {
    viewer,
    action,
    params: {},
    body: undefined,
    answer,
    requestId,
    at: now,
  };
  await inTransaction(db, (tx) => writeAudit(tx, change));
}

/**
 * Writes the audit line of a change in the transaction of that change. `serve.ts` calls it for every change by staff.
 * Only retention deletes audit lines.
 */
export async function writeAudit(tx: Tx, change: AuditedCall): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      id: randomUUIDv7(),
      at: change.at,
      actor_id: change.viewer.id,
      actor: change.viewer.name,
      role: change.viewer.role,
      store_id: storeOf(change),
      action: change.action,
      outcome: change.outcome ?? null,
      subject_id: change.params['id'] ?? idOf(change.answer),
      detail: change.body === undefined ? null : JSON.stringify(redact(change.body)),
      request_id: change.requestId,
    })
    .execute();
}

/**
 * The texts that identify people: phone numbers, email addresses, and names of several words. Names of one word are
 * left out, because a dish may have the same name. Texts of fewer than five characters are left out as well.
 */
export function identifyingTextsOf(people: readonly { name: string; phone: string; email: string }[]): string[] {
  const all = people.flatMap(({ name, phone, email }) => [/\s/.test(name.trim()) ? name.trim() : '', phone, email]);
  return [...new Set(all.filter((text) => text.length >= 5))];
}

export async function eraseAuditDetailsOf(tx: Tx, subjects: readonly string[]): Promise<void> {
  await removeDetails(tx, sql`select id from audit_log where subject_id = any(${subjects}::uuid[])`);
}

/** Erases the sent values of the audit lines whose sent values contain one of these names. */
export async function eraseAuditMentions(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  // Each name has its own condition, because PostgreSQL does not use the index of words for a condition on an array.
  const each = sql.join(
    names.map((name) => sql`fold_text(words) like ${foldedLikePattern(name)}`),
    sql` or `,
  );
  await removeDetails(tx, sql`select id from audit_search where ${each}`);
}

async function removeDetails(tx: Tx, lines: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string }>`${lines}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`delete from audit_details where id = any(${ids}::uuid[])`.execute(tx);
  await sql`delete from audit_search where id = any(${ids}::uuid[])`.execute(tx);
}

/** The maximum number of entries of a sent list that are logged: the first ones describe the change well enough. */
const maxListed = 100;

function redact(value: unknown): unknown {
  if (Array.isArray(value)) {
    const more = value.length - maxListed;
    return [...value.slice(0, maxListed).map(redact), ...(more > 0 ? [`(${more} more)`] : [])];
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, leftOut.has(key) ? '(left out)' : redact(inner)]),
  );
}

function storeOf(change: AuditedCall): string | null {
  const subject = subjectOf(change.answer);
  const storeId = subject?.['store_id'] ?? (change.answersScope ? subject?.['id'] : undefined);
  return typeof storeId === 'string' ? storeId : null;
}

function idOf(answer: unknown): string | null {
  const id = subjectOf(answer)?.['id'];
  return typeof id === 'string' ? id : null;
}

function subjectOf(answer: unknown): Record<string, unknown> | null {
  if (answer === null || typeof answer !== 'object' || !('data' in answer)) return null;
  const { data } = answer;
  return data !== null && typeof data === 'object' && !Array.isArray(data) ? (data as Record<string, unknown>) : null;
}

export function findAuditLines(db: Db, subjectId: string) {
  return db
    .selectFrom('audit_log')
    .select(['at', 'actor', 'action', 'outcome', 'request_id'])
    .where('subject_id', '=', subjectId)
    .orderBy('at')
    .execute();
}

const hour = 3_600_000;

/**
 * Creates the writer of audit lines about reads and refusals. For the same person, call and subject there are at most
 * `most` lines an hour. Refusals of one call count together whatever their subjects, so that nobody can fill the log.
 */
export function createReadAndRefusalAudit({
  db,
  log,
}: {
  db: Db;
  log: Pick<FastifyBaseLogger, 'error'>;
}): ReadAndRefusalAudit {
  /**
   * The limits that are reached, each with the time of its oldest counted line. Until an hour after that time, further
   * lines to which the limit applies are dropped without a query.
   */
  const known = new LRUCache<string, number>({ max: 5_000 });
  const write: ReadAndRefusalAudit['write'] = async (change) => {
    const { viewer, action, params, at, outcome = null, most = 1 } = change;
    const subject = outcome === null ? (params['id'] ?? null) : null;
    const key = JSON.stringify([viewer.id, action, outcome, subject]);
    const full = `${key} ${most}`;
    const seen = known.get(full);
    if (seen !== undefined && at.getTime() - seen < hour) return;
    await inTransaction(db, async (tx) => {
      // The lock keeps concurrent calls on all instances within the limit.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`audit note ${key}`}, 0))`.execute(tx);
      const lines = await tx
        .selectFrom('audit_log')
        .select('at')
        .where('actor_id', '=', viewer.id)
        .where('at', '>', new Date(at.getTime() - hour))
        .where('action', '=', action)
        .where('outcome', outcome === null ? 'is' : '=', outcome)
        .$if(subject !== null, (all) => all.where('subject_id', '=', subject))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute();
      const times = lines.map((line) => line.at);
      if (times.length < most) {
        await writeAudit(tx, { ...change, body: undefined });
        times.unshift(at);
      }
      const oldest = times[most - 1];
      if (oldest) known.set(full, oldest.getTime());
    });
  };
  return {
    write,
    note: (change) => void write(change).catch((error: unknown) => log.error({ err: error }, 'audit note')),
  };
}

/**
 * The hashed fields of a line, in their order. A new field is appended, and lines that are older than the field are
 * hashed without it.
 */
const fields = sql`l.id, l.at, l.actor_id, l.actor, l.role, l.store_id, l.action, l.subject_id, l.request_id,
  encode(l.detail_digest, 'hex') as detail_digest, l.outcome`;

/**
 * The fields of a line that its hash covers. A null outcome is left out, so that lines from before the field existed
 * keep their hashes.
 */
function entryOf({ outcome, ...line }: HashedEntryFields): HashedEntryFields {
  return outcome === null || outcome === undefined ? line : { ...line, outcome };
}

const firstId = '00000000-0000-0000-0000-000000000000';
const atOnce = 2_000;

/**
 * The audit log as a hash chain. The hashes cover the digest of the sent values and not the values, so the values can
 * be erased.
 */
export const auditChain: Chain<'audit'> = {
  name: 'audit',
  async start(db) {
    const row = await db.selectFrom('audit_start').select(['position', 'hash']).executeTakeFirst();
    return row ? { position: Number(row.position), hash: row.hash } : null;
  },
  async last(db) {
    const row = await db
      .selectFrom('audit_chain')
      .select(['position', 'hash'])
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? { position: Number(row.position), hash: row.hash } : auditChain.start(db);
  },
  async unchained(db, limit) {
    const { rows } = await sql<HashedEntryFields>`
      select ${fields} from (select id from audit_unchained order by at, id limit ${limit}) as u
      join audit_log l using (id) order by l.at, l.id`.execute(db);
    return rows.map(entryOf);
  },
  async loose(db, limit) {
    const found: HashedEntryFields[] = [];
    for (let after = firstId; ;) {
      const { rows } = await sql<HashedEntryFields & { is_chained: boolean }>`
        select ${fields}, c.position is not null as is_chained
        from (select * from audit_log where id > ${after}::uuid order by id limit ${atOnce}) as l
        left join lateral (select position from audit_chain where id = l.id limit 1) as c on true order by l.id`.execute(
        db,
      );
      for (const { is_chained: isChained, ...entry } of rows)
        if (!isChained) found.push(entryOf(entry as HashedEntryFields));
      after = String(rows.at(-1)?.['id'] ?? after);
      if (rows.length < atOnce || found.length >= limit) return found.slice(0, limit);
    }
  },
  async place(tx, entries) {
    const ids = entries.map(({ entry }) => String(entry['id']));
    await sql`
      insert into audit_chain (position, id, hash)
      select position, id, decode(hash, 'hex') from unnest(
        ${entries.map(({ position }) => position)}::bigint[], ${ids}::uuid[],
        ${entries.map(({ hash }) => hash.toString('hex'))}::text[]) as placed (position, id, hash)`.execute(tx);
    await sql`
      delete from audit_unchained u using unnest(${ids}::uuid[], ${entries.map(({ entry }) => entry['at'])}::timestamptz[])
        as placed (id, at) where u.at = placed.at and u.id = placed.id`.execute(tx);
  },
  async after(db, position, limit) {
    const { rows } = await sql<HashedEntryFields & { position: string; hash: Buffer; is_altered: boolean }>`
      select ${fields}, c.position, c.hash,
        coalesce(audit_digest(d.salt, d.detail) is distinct from l.detail_digest and d.id is not null, false) as is_altered
      from (select * from audit_chain where position > ${position}::bigint order by position limit ${limit}) as c
      left join audit_log l on l.id = c.id left join audit_details d on d.id = c.id order by c.position`.execute(db);
    return rows.map(({ position: at, hash, is_altered: isAltered, ...entry }): ChainedEntry => ({
      entry: entry['id'] === null ? null : entryOf(entry),
      position: Number(at),
      hash,
      isAltered,
    }));
  },
  nameOf: (entry) => String(entry['id']),
};

/** Due work that adds committed audit lines to the chain, in one instance at a time. */
export function auditChainWork(db: Db): DueWork<boolean> {
  return {
    name: 'audit journal',
    due: () => sql<boolean>`exists (select from audit_unchained)`,
    work: () => extendChain(db, auditChain),
  };
}

/**
 * Deletes the audit lines that are older than a time, with their sent values. The hash of the last deleted line stays,
 * because the hash of the next line depends on it. Returns the number of deleted lines.
 */
export async function deleteAuditBefore(db: Db, before: Date): Promise<number> {
  for (let count = 0; ;) {
    const { rows } = await sql<{ count: number }>`
      select forget_audit(${before}::timestamptz, 5000) as count`.execute(db);
    const removed = rows[0]?.count ?? 0;
    count += removed;
    if (removed === 0) return count;
  }
}
