import { type RawBuilder, sql } from 'kysely';
import { auditAreaPatterns } from '#audit/areas.ts';
import type { auditEndpoints } from '#audit/contract.ts';
import { type AuditSearchWords, readAuditPage } from '#database/audit-pages.ts';
import { foldedLikePattern, searchPeriodOf } from '#database/text-search.ts';
import { auditChain } from '#database/audit.ts';
import { verifyChain } from '#database/journal/chain.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { pageAnswer } from '#database/read-page.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import { foldText } from '#platform/fold-text.ts';
import { DAY, dayNumberOf, instantAt } from '#platform/zone-clock.ts';
import { deviceNamesSql } from '#accounts/server/devices/device-tokens.ts';
import { customerNamesSql, staffNamesSql } from '#accounts/server/users.ts';
import { menuPartNamesSql } from '#menu/server/reading/readable-parts.ts';
import { orderDisplayNamesSql, findOrderIdsByNumber } from '#ordering/server/order-views.ts';
import { printerNamesSql } from '#printing/server/printer-views.ts';
import { storeNamesSql } from '#store/server/store-views.ts';

/**
 * Each area with the pattern for its actions. The first area that matches counts: a refund is in `money`, although its
 * path also matches `orders`.
 */
const areas = Object.entries(auditAreaPatterns) as [keyof typeof auditAreaPatterns, string][];

type CallSummaries = Record<string, Pick<Endpoint, 'summary'>>;

export function auditHandlers({
  menus,
  calls,
  others,
}: {
  menus: ShopCache;
  calls: CallSummaries;
  others: Named;
}): Handlers<typeof auditEndpoints, Db, Tx> {
  return {
    'GET /v1/audit/check': async ({ db, now }) => ({
      data: {
        ...(await withStatementTimeout(60_000, () => verifyChain(db, auditChain, now))),
        checked_at: now.toISOString(),
      },
    }),
    'GET /v1/audit': async ({ db, query, now }) => {
      const zone = (await menus.store(db))?.store.timezone ?? 'Europe/London';
      const startOf = (date: string, plusDays = 0) => new Date(instantAt(zone, (dayNumberOf(date) + plusDays) * DAY));
      // A string that is no id is replaced by an id that no line has, so the search finds nothing.
      const subjectId = query.subject_id === undefined ? undefined : (idOf(query.subject_id) ?? noId);
      const words = query.search ? await wordsOf(db, query.search, calls) : undefined;
      const reach = query.search ? searchPeriodOf(query.search, true, now) : null;
      const { lines, next, ...total } = await readAuditPage(
        db,
        {
          actorId: query.actor_id,
          subjectId,
          from: query.start_date ? startOf(query.start_date) : undefined,
          before: query.end_date ? startOf(query.end_date, 1) : undefined,
          ofActions: query.area ? inArea(query.area) : undefined,
          words: words && { ...words, sentFrom: reach?.from ? startOf(reach.from) : null },
        },
        query,
      );
      const names = await nameSubjects(
        db,
        lines.flatMap(({ subject_id: id }) => id ?? []),
        others,
      );
      const shown = lines.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        actor: row.actor,
        actor_id: row.actor_id,
        role: row.role,
        store_id: row.store_id,
        action: row.action,
        outcome: row.outcome,
        summary: calls[row.action]?.summary ?? '',
        subject_id: row.subject_id,
        subject: (row.subject_id && names.get(row.subject_id)) ?? null,
        detail: row.detail,
        request_id: row.request_id,
      }));
      const page = pageAnswer('/v1/audit', query, total, shown, next);
      return { ...page, meta: { ...page.meta, searched_days: reach?.days ?? null } };
    },
  };
}

const noId = '00000000-0000-0000-0000-000000000000';

function idOf(text: string): string | null {
  const id = text.trim().toLowerCase();
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? id : null;
}

/**
 * The conditions of a search. A search also finds calls by their summaries, because people search for actions and not
 * for paths.
 */
async function wordsOf(db: Db, search: string, calls: CallSummaries): Promise<Omit<AuditSearchWords, 'sentFrom'>> {
  const pattern = foldedLikePattern(search);
  const words = foldText(search);
  const described = Object.entries(calls).flatMap(([key, { summary }]) =>
    foldText(summary).includes(words) ? key : [],
  );
  const id = idOf(search);
  const named = await subjectsNamed(db, pattern, search);
  return { pattern, described, subjects: id ? [...named, id] : named };
}

/** The condition that `area` is the first area whose pattern matches a line's action. */
function inArea(area: string) {
  const branches = areas.map(([name, pattern]) => sql`when action ~ ${pattern}::text then ${name}::text`);
  return sql<boolean>`((case ${sql.join(branches, sql` `)} else 'other' end) = ${area}::text)`;
}

/**
 * Selects the ids and names of stores, parts of menus, staff, devices and printers. A shop has few of these, so a
 * search can read all of them.
 */
const few = sql`
  ${storeNamesSql}
  union all ${menuPartNamesSql}
  union all ${staffNamesSql}
  union all ${deviceNamesSql}
  union all ${printerNamesSql}`;
const namedFew = sql`(${few}) as named`;

/** A query for ids with their names. The caller passes one for the domains that `audit` must not import. */
type Named = RawBuilder<unknown>;

/**
 * Reads the names of the lines' subjects that still exist: `Margherita`, `#17, 21 Nov 2026`, `Ada Lovelace`. `others`
 * selects the names of further objects.
 */
async function nameSubjects(db: Db, ids: readonly string[], others: Named): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = sql`any(${[...new Set(ids)]}::uuid[])`;
  const named = sql`(${few} union all ${orderDisplayNamesSql} union all ${customerNamesSql} union all ${others}) as named`;
  const { rows } = await sql<{ id: string; name: string }>`select id, name from ${named} where id = ${wanted}`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The ids of objects with a matching folded name, and of the newest orders with the searched number, day or both: `#17,
 * 21 Nov 2026`.
 */
async function subjectsNamed(db: Db, pattern: string, search: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${namedFew} where fold_text(name) like ${pattern} limit ${maxNamed}`.execute(db);
  const [, number, date] = /^(?:#?(\d{1,6}))?(?:(?:, *|^)(\d{1,2} [A-Z]\w\w \d{4}))?$/i.exec(search.trim()) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date} UTC`);
  const day = Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 10);
  const orders = await findOrderIdsByNumber(
    db,
    { number: number === undefined ? undefined : Number(number), day },
    maxNamed,
  );
  return [...rows.map(({ id }) => id), ...orders];
}

const maxNamed = 1_000;
