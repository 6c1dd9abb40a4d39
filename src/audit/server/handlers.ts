import { type ExpressionBuilder, sql } from 'kysely';
import { areaPatterns } from '#audit/areas.ts';
import type { audit } from '#audit/contract.ts';
import { newestChanges } from '#database/audit.ts';
import type { Db, Schema, Tx } from '#database/schema.ts';
import { nameSubjects, subjectsNamed } from '#audit/server/name-subjects.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readPage } from '#database/read-page.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { DAY, dayOfDate, instantAt } from '#platform/zone-clock.ts';

/** In this order: a refund is money, though it is done to an order. */
const areas = Object.entries(areaPatterns) as [keyof typeof areaPatterns, string][];

/** What each call of the API does, in words, by its method and path. */
type CallSummaries = Record<string, Pick<Endpoint, 'summary'>>;

export function auditHandlers({
  menus,
  calls,
}: {
  menus: ShopCache;
  calls: CallSummaries;
}): Handlers<typeof audit, Db, Tx> {
  return {
    'GET /v1/audit': async ({ db, query }) => {
      const zone = (await menus.primary())?.store.timezone ?? 'Europe/London';
      const startOf = (date: string, plusDays = 0) => new Date(instantAt(zone, (dayOfDate(date) + plusDays) * DAY));
      let lines = newestChanges(db);
      if (query.search) lines = lines.where((eb) => matches(eb, query.search ?? '', calls));
      if (query.actor_id) lines = lines.where('actor_id', '=', query.actor_id);
      if (query.subject_id) lines = lines.where(sql`subject_id::text`, '=', query.subject_id.toLowerCase());
      if (query.area) lines = lines.where(inArea(query.area), '=', true);
      if (query.start_date) lines = lines.where('at', '>=', startOf(query.start_date));
      if (query.end_date) lines = lines.where('at', '<', startOf(query.end_date, 1));
      return readPage('/v1/audit', query, lines, async (rows) => {
        const names = await nameSubjects(
          db,
          rows.flatMap(({ subject_id: id }) => id ?? []),
        );
        return rows.map((row) => ({
          id: row.id,
          at: row.at.toISOString(),
          actor: row.actor,
          actor_id: row.actor_id,
          role: row.role,
          store_id: row.store_id,
          action: row.action,
          summary: calls[row.action]?.summary ?? '',
          subject_id: row.subject_id,
          subject: (row.subject_id && names.get(row.subject_id)) ?? null,
          detail: row.detail,
          request_id: row.request_id,
        }));
      });
    },
  };
}

/** Calls whose description has the words count as well: people search for what was done, not for paths. */
function matches(eb: ExpressionBuilder<Schema, 'audit_log'>, search: string, calls: CallSummaries) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const words = search.toLowerCase();
  const described = Object.entries(calls).flatMap(([key, { summary }]) =>
    summary.toLowerCase().includes(words) ? key : [],
  );
  return eb.or([
    eb('actor', 'ilike', pattern),
    eb('action', 'ilike', pattern),
    eb(sql<string>`detail::text`, 'ilike', pattern),
    eb(sql<string>`subject_id::text`, 'ilike', pattern),
    eb('subject_id', 'in', subjectsNamed(pattern)),
    ...(described.length > 0 ? [eb('action', 'in', described)] : []),
  ]);
}

/** The first area whose pattern fits is the one. */
function inArea(area: string) {
  const branches = areas.map(([name, pattern]) => sql`when action ~ ${pattern}::text then ${name}::text`);
  return sql<boolean>`((case ${sql.join(branches, sql` `)} else 'other' end) = ${area}::text)`;
}
