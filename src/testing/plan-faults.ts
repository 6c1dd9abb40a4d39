import type pg from 'pg';
import type { Recorded } from '#testing/record-statements.ts';

/**
 * Tables that grow with every order, customer or change: no statement of the product reads one from end to end. Left
 * out is what has a row a day, or is deleted after a while: sign-ins, mails, calls, origins.
 */
export const growing = [
  'orders',
  'order_history',
  'order_search',
  'order_names',
  'order_mails',
  'offer_uses',
  'users',
  'customer_sums',
  'payments',
  'payment_events',
  'payment_movements',
  'payment_bank_entries',
  'refunds',
  'refund_requests',
  'refund_attempts',
  'audit_log',
  'audit_search',
  'audit_details',
  'audit_chain',
  'prints',
] as const;

const namesGrowing = new RegExp(String.raw`\b(${growing.join('|')})\b`);
const isQuery = /^(\/\*.*?\*\/\s*|\()*(with|select|insert|update|delete|merge|values)\b/i;

/** Whether a statement reads or changes rows of a table that grows. */
export function readsGrowing({ text }: Pick<Recorded, 'text'>): boolean {
  return isQuery.test(text.trim()) && !/\bpgboss\./.test(text) && namesGrowing.test(text);
}

/** PostgreSQL's own names. */
interface Plan {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
}

/** Through these an upper limit reaches what is below: they ask for a row only when one is wanted. */
const passesLimit = new Set(['Limit', 'Result', 'Subquery Scan', 'LockRows', 'ProjectSet', 'Merge Append', 'Append']);

/**
 * The faults of PostgreSQL's plan for a statement on a shop with a history: full reads of tables that an index could
 * avoid. The statement is planned and not run. Empty: no fault.
 */
export async function planFaults(client: pg.ClientBase, { text, values }: Recorded): Promise<string[]> {
  await client.query('begin');
  try {
    // Joins that read a table as a whole are no way either, where a key would do.
    await client.query(
      'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local jit = off',
    );
    const given = values.map((value) =>
      value !== null && typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${text}`, given);
    const small = await smallIndexes(client);
    return rows[0]?.['QUERY PLAN'].flatMap(({ Plan: plan }) => faultsOf(plan, false, small)) ?? [];
  } catch (error) {
    return [`It cannot be explained: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await client.query('rollback');
  }
}

function faultsOf(plan: Plan, isLimited: boolean, small: ReadonlySet<string>): string[] {
  const type = plan['Node Type'];
  const below = type === 'Limit' || (isLimited && passesLimit.has(type));
  const inner = (plan.Plans ?? []).flatMap((child, index) => {
    const isOuter = isLimited && type === 'Nested Loop' && index === 0;
    const isApart = child['Parent Relationship'] === 'InitPlan' || child['Parent Relationship'] === 'SubPlan';
    return faultsOf(child, !isApart && (below || isOuter), small);
  });
  return [...faultOf(plan, isLimited, small), ...inner];
}

function faultOf(plan: Plan, isLimited: boolean, small: ReadonlySet<string>): string[] {
  const [type, table, index = ''] = [plan['Node Type'], plan['Relation Name'], plan['Index Name']];
  if (type === 'Seq Scan' || type === 'Sample Scan') {
    return isGrowing(table) ? [`It reads ${table} from end to end.`] : [];
  }
  const isIndex = type === 'Index Scan' || type === 'Index Only Scan' || type === 'Bitmap Index Scan';
  if (!isIndex || plan['Index Cond'] !== undefined || small.has(index)) return [];
  if (type === 'Bitmap Index Scan') return [`It reads the index ${index} from end to end.`];
  if (!isGrowing(table)) return [];
  // In the order of the index, as many rows as the limit says.
  if (isLimited && plan.Filter === undefined) return [];
  const filter = plan.Filter === undefined ? '' : ` for ${plan.Filter}`;
  return [`It goes through ${table} along ${index} without a condition${filter}.`];
}

function isGrowing(table: string | undefined): boolean {
  return (growing as readonly (string | undefined)[]).includes(table);
}

/** Indexes with a condition of their own that few rows fulfil, e.g. of open orders: they are short from end to end. */
async function smallIndexes(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where i.indpred is not null and c.reltuples <= greatest(t.reltuples / 50, 10)`);
  return new Set(rows.map(({ name }) => name));
}
