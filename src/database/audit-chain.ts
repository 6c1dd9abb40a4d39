import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import { type Chain, type Chained, type Entry, extendChain } from '#database/journal/chain.ts';
import type { Db } from '#database/schema.ts';

/** In this order they are hashed: a new one is added at the end, and only for lines that have it. */
const fields = sql`l.id, l.at, l.actor_id, l.actor, l.role, l.store_id, l.action, l.subject_id, l.request_id,
  encode(l.detail_digest, 'hex') as detail_digest, l.outcome`;

/** The chained part of a line: without an outcome, as in rows of before outcomes existed. */
function entryOf({ outcome, ...line }: Entry): Entry {
  return outcome === null || outcome === undefined ? line : { ...line, outcome };
}

const firstId = '00000000-0000-0000-0000-000000000000';
const atOnce = 2_000;

/** The audit log. The sent values may be erased: then the line still has their digest. */
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
    const { rows } = await sql<Entry>`
      select ${fields} from (select id from audit_unchained order by at, id limit ${limit}) as u
      join audit_log l using (id) order by l.at, l.id`.execute(db);
    return rows.map(entryOf);
  },
  async loose(db, limit) {
    const found: Entry[] = [];
    for (let after = firstId; ;) {
      const { rows } = await sql<Entry & { is_chained: boolean }>`
        select ${fields}, c.position is not null as is_chained
        from (select * from audit_log where id > ${after}::uuid order by id limit ${atOnce}) as l
        left join lateral (select position from audit_chain where id = l.id limit 1) as c on true order by l.id`.execute(
        db,
      );
      for (const { is_chained: isChained, ...entry } of rows) if (!isChained) found.push(entryOf(entry as Entry));
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
    const { rows } = await sql<Entry & { position: string; hash: Buffer; is_altered: boolean }>`
      select ${fields}, c.position, c.hash,
        coalesce(audit_digest(d.salt, d.detail) is distinct from l.detail_digest and d.id is not null, false) as is_altered
      from (select * from audit_chain where position > ${position}::bigint order by position limit ${limit}) as c
      left join audit_log l on l.id = c.id left join audit_details d on d.id = c.id order by c.position`.execute(db);
    return rows.map(({ position: at, hash, is_altered: isAltered, ...entry }): Chained => ({
      entry: entry['id'] === null ? null : entryOf(entry),
      position: Number(at),
      hash,
      isAltered,
    }));
  },
  nameOf: (entry) => String(entry['id']),
};

/** Gives lines their place in the chain: one instance at a time, soon after the commit. */
export function auditChainWork(db: Db): DueWork<boolean> {
  return {
    name: 'audit journal',
    due: () => sql<boolean>`exists (select from audit_unchained)`,
    work: () => extendChain(db, auditChain),
  };
}

/** Removes lines from before this time, with their sent values; the last hash stays. Returns how many. */
export async function forgetAuditBefore(db: Db, before: Date): Promise<number> {
  for (let count = 0; ;) {
    const { rows } = await sql<{ count: number }>`
      select forget_audit(${before}::timestamptz, 5000) as count`.execute(db);
    const removed = rows[0]?.count ?? 0;
    count += removed;
    if (removed === 0) return count;
  }
}
