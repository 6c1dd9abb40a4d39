import { sql, type RawBuilder, type Selectable } from 'kysely';
import {
  countUpToLimit,
  isAfterKeySql,
  encodePageKey,
  type ListOrder,
  maxExactTotal,
  pageOffsetOf,
  orderBySql,
  type PageRequest,
  decodePageKey,
  type RowTotal,
  rowTotalOf,
} from '#database/read-page.ts';
import type { AuditLogTable, Db } from '#database/schema.ts';

export interface AuditFilter {
  actorId?: string | undefined;
  subjectId?: string | undefined;
  from?: Date | undefined;
  /** The end of the searched period, excluded. */
  before?: Date | undefined;
  /** A condition on the column `action`, which names the call that a line records. */
  ofActions?: RawBuilder<boolean> | undefined;
  words?: AuditSearchWords | undefined;
}

export interface AuditSearchWords {
  /** A pattern for `like`, matched against texts that `fold_text` has folded. */
  pattern: string;
  described: readonly string[];
  subjects: readonly string[];
  /** Sent values are searched only in lines from this time on; null: in all lines. */
  sentFrom: Date | null;
}

/**
 * How a search finds audit lines by their sent values. `none`: no line matches. `many`: lines are read from the newest
 * on, because matches soon fill a page. `few`: matches are found by the index, then sorted. `recent`: all recent lines
 * are searched, because the words are too short for the index.
 */
type SentValuesSearch = 'none' | 'few' | 'many' | 'recent';

type Line = Omit<Selectable<AuditLogTable>, 'detail' | 'detail_digest'> & { detail: Record<string, unknown> | null };

const newest: ListOrder = {
  direction: 'desc',
  columns: [
    { of: sql.ref('at'), type: 'timestamptz' },
    { of: sql.ref('id'), type: 'uuid' },
  ],
};

/** Selects the distinct actions in the log, with one read of the index per action. */
const everyAction = sql`(
  with recursive each (value) as (
    select min(action) from audit_log
    union all select (select min(action) from audit_log where action > value) from each where value is not null)
  select value from each where value is not null)`;
const everyActor = sql`(
  with recursive each (value) as (
    select min(actor) from audit_log
    union all select (select min(actor) from audit_log where actor > value) from each where value is not null)
  select value from each where value is not null)`;

/** Reads a page of the audit log, newest first. `next` is the key after which the next page begins. */
export async function readAuditPage(
  db: Db,
  wanted: AuditFilter,
  request: PageRequest,
): Promise<RowTotal & { lines: Line[]; next: string | null }> {
  const sent = await sentOf(db, wanted);
  // Without a further filter no count is needed, because `sentOf` has already found more than `maxExactTotal` lines.
  const isOver = sent === 'many' && !isNarrowed(wanted);
  const total = isOver ? rowTotalOf(maxExactTotal + 1) : await countUpToLimit(db, ids(wanted, null, sent));
  const { rows } = await sql<Line & { page_key: string[] }>`
    select page.*, d.detail, array[page.at::text, page.id::text] as page_key
    from (
      select id, at, actor_id, actor, role, store_id, action, outcome, subject_id, request_id from audit_log
      where audit_log.id in (
        select id from (${ids(wanted, request, sent)}) as found
        order by ${orderBySql(newest)} limit ${request.per_page + 1} offset ${pageOffsetOf(request)})
    ) as page left join audit_details d on d.id = page.id
    order by page.at desc, page.id desc`.execute(db);
  const lines = rows.slice(0, request.per_page);
  return { ...total, lines, next: rows.length > lines.length ? encodePageKey(lines.at(-1)?.page_key ?? []) : null };
}

/**
 * Selects the keys of the lines that a page may need. Each part of the search reads a short index range. If `request`
 * is null, selects the lines to count, at most one more than `maxExactTotal`.
 */
function ids(wanted: AuditFilter, request: PageRequest | null, sent: SentValuesSearch): RawBuilder<unknown> {
  const most = request ? pageOffsetOf(request) + request.per_page + 1 : maxExactTotal + 1;
  const after = request?.after === undefined ? sql`true` : isAfterKeySql(newest, decodePageKey(newest, request.after));
  const inOrder = request ? sql`order by ${orderBySql(newest)}` : sql``;
  const part = (condition: RawBuilder<unknown>) => sql`
    (select at, id from audit_log where ${condition} and ${plain(wanted)} and ${after} ${inOrder} limit ${most})`;
  const each = (values: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    (select one.* from ${values} as each (value) cross join lateral ${part(condition)} as one)`;
  const sentLines = isNarrowed(wanted)
    ? sql`(select s.at, s.id, s.words, l.actor_id, l.subject_id, l.action from audit_search s join audit_log l on l.id = s.id) as sent`
    : sql`audit_search as sent`;
  const ofSent = (condition: RawBuilder<unknown>) => sql`
    (select at, id from ${sentLines} where ${condition} and ${plain(wanted)} and ${after} ${inOrder} limit ${most})`;
  const { words, ofActions } = wanted;
  if (!words && !ofActions) return part(sql`true`);
  if (!words) {
    const actions = sql`(select action from ${everyAction} as every (action) where ${ofActions ?? sql`true`})`;
    return sql`${each(actions, sql`action = each.value`)} limit ${most}`;
  }
  return sql`select distinct at, id from (${sql.join(wordParts(words, ofActions, sent, { isPage: request !== null, each, ofSent }), sql` union all `)}) as any_part limit ${most}`;
}

async function sentOf(db: Db, { words, from, before }: AuditFilter): Promise<SentValuesSearch> {
  if (!words) return 'none';
  if (words.sentFrom) return 'recent';
  const { total, isExact } = await countUpToLimit(
    db,
    sql`select from audit_search where fold_text(words) like ${words.pattern} and ${between(from, before)}
      limit ${maxExactTotal + 1}`,
  );
  return total === 0 ? 'none' : isExact ? 'few' : 'many';
}

interface Parts {
  /** Whether a page is read; otherwise rows are only counted, so they need no order. */
  isPage: boolean;
  each(values: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown>;
  ofSent(condition: RawBuilder<unknown>): RawBuilder<unknown>;
}

function wordParts(
  { pattern, described, subjects, sentFrom }: AuditSearchWords,
  area: RawBuilder<boolean> | undefined,
  sent: SentValuesSearch,
  { isPage, each, ofSent }: Parts,
): RawBuilder<unknown>[] {
  const inArea = area ?? sql<boolean>`true`;
  const [indexed, unindexed] = [sql`fold_text(words) like ${pattern}`, sql`fold_text(words) || '' like ${pattern}`];
  const bySent = {
    none: () => [],
    few: () => [ofSent(sql`${indexed} and ${inArea}`)],
    // `unindexed` finds the same lines as `indexed`, but makes PostgreSQL read the lines in the order of their times.
    many: () => [ofSent(sql`${isPage ? unindexed : indexed} and ${inArea}`)],
    recent: () => [ofSent(sql`at >= ${sentFrom}::timestamptz and ${unindexed} and ${inArea}`)],
  };
  const actions = sql`select action as value from ${everyAction} as every (action) where ${inArea}`;
  const actors = sql`select value from ${everyActor} as every (value) where fold_text(value) like ${pattern}`;
  return [
    // Each pair of an actor and an action is searched by the index, because the action may be rare among the actor's
    // lines.
    area
      ? each(
          sql`(select array[a.value, b.value] from (${actors}) as a, (${actions}) as b)`,
          sql`actor = each.value[1] and action = each.value[2]`,
        )
      : each(sql`(${actors})`, sql`actor = each.value`),
    each(
      sql`(select value from (${actions}) as wanted where fold_text(value) like ${pattern} or value = any(${described}::text[]))`,
      sql`action = each.value`,
    ),
    each(sql`(select unnest(${subjects}::uuid[]))`, sql`subject_id = each.value and ${inArea}`),
    ...bySent[sent](),
  ];
}

/** Whether a filter tests a column of the audit line other than the time. */
function isNarrowed({ actorId, subjectId, ofActions }: AuditFilter): boolean {
  return actorId !== undefined || subjectId !== undefined || ofActions !== undefined;
}

function between(from: Date | undefined, before: Date | undefined): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (from !== undefined) conditions.push(sql`at >= ${from}::timestamptz`);
  if (before !== undefined) conditions.push(sql`at < ${before}::timestamptz`);
  return sql.join(conditions, sql` and `);
}

function plain({ actorId, subjectId, from, before }: AuditFilter): RawBuilder<unknown> {
  const conditions = [between(from, before)];
  if (actorId !== undefined) conditions.push(sql`actor_id = ${actorId}::uuid`);
  if (subjectId !== undefined) conditions.push(sql`subject_id = ${subjectId}::uuid`);
  return sql.join(conditions, sql` and `);
}
