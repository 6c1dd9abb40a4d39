import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { Schema } from '#database/schema.ts';

/** The only folder whose statements may name a table. It exports what other domains need of the rows. */
const owners: Record<keyof Schema, string> = {
  stores: 'store',
  menus: 'menu',
  categories: 'menu',
  category_items: 'menu',
  items: 'menu',
  item_option_groups: 'menu',
  option_groups: 'menu',
  option_group_options: 'menu',
  options: 'menu',
  installation_secrets: 'database',
  clock_watches: 'database',
  audit_log: 'database',
  outbox: 'realtime',
  channel_sequences: 'realtime',
  menu_imports: 'menu',
  menu_bin: 'menu',
  users: 'accounts',
  sign_ins: 'accounts',
  password_resets: 'accounts',
  email_verifications: 'accounts',
  identities: 'accounts',
  social_attempts: 'accounts',
  throttles: 'accounts',
  orders: 'ordering',
  order_history: 'ordering',
  order_calls: 'ordering',
  order_mails: 'ordering',
  order_numbers: 'ordering',
  payments: 'payment',
  refunds: 'payment',
  payment_events: 'payment',
  payment_key_sets: 'payment',
  payment_customers: 'payment',
  payment_movements: 'payment',
  payment_payouts: 'payment',
  payment_bank_entries: 'payment',
  payment_disputes: 'payment',
  payment_refused_webhooks: 'payment',
  sandbox_payments: 'payment',
  sandbox_refunds: 'payment',
  prints: 'kitchen',
  order_watches: 'watch',
  board_watches: 'watch',
  app_releases: 'app-release',
};

/** Tables that are written in fewer places than their owner's folder. */
const writers: Partial<Record<string, readonly string[]>> = {
  stores: ['store/'],
  orders: ['ordering/server/change-orders.ts', 'ordering/server/insert-orders.ts'],
  order_history: ['ordering/server/change-orders.ts', 'ordering/server/insert-orders.ts'],
};

const ownerOf = new Map<string, string>(Object.entries(owners));

const src = join(import.meta.dirname, '..');
const query = /\b(selectFrom|\w+Join|\w+JoinLateral|using|from)\(\s*'(\w+)/g;
/** Of `selectFrom(['one', 'another'])`. */
const queryList = /\bselectFrom\(\s*\[([^\]]*)\]/g;
const change = /\b(insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g;
const rawQuery = /\b(from|join|using)\s+(?:only\s+)?(\w+)/gi;
const rawChange = /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(\w+)/gi;
/** A further table of a list: `from one, another`. */
const rawList = /(,)\s*(\w+)(?=(?:\s+(?:as\s+)?\w+)?\s*(?:,|\bwhere\b|\bon\b|\)))/gi;

interface Use {
  table: string;
  at: string;
  isChange: boolean;
}

test('each table is named in the statements of its own domain only', () => {
  const strangers = everyUse().filter(({ table, at }) => {
    const folder = ownerOf.get(table);
    return folder !== undefined && !at.startsWith(`${folder}/`);
  });
  expect(strangers.map(({ table, at }) => `${at} names ${table}`)).toEqual([]);
});

test('what has one writer is written there only', () => {
  const others = everyUse().filter(
    ({ table, at, isChange }) => isChange && writers[table]?.every((place) => !at.startsWith(place)),
  );
  expect(others.map(({ table, at }) => `${at} writes ${table}`)).toEqual([]);
});

test('the statements are found', () => {
  const found = new Set(everyUse().map(({ table }) => table));
  expect(Object.keys(owners).filter((table) => !found.has(table))).toEqual([]);
});

function everyUse(): Use[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isProduct(relative(src, join(entry.parentPath, entry.name))))
    .flatMap((entry) => usesIn(relative(src, join(entry.parentPath, entry.name))));
}

function isProduct(path: string): boolean {
  if (!/\.tsx?$/.test(path) || /\.test\.tsx?$/.test(path)) return false;
  return !/(^|\/)(testing|migrations|messages\.gen)\/|testing[\w-]*\.ts$|-bench\.ts$/.test(path);
}

function usesIn(path: string): Use[] {
  const text = readFileSync(join(src, path), 'utf8');
  const at = (index: number) => `${path}:${text.slice(0, index).split('\n').length}`;
  const uses: Use[] = [];
  const gather = (part: string, start: number, pattern: RegExp, isChange: boolean) => {
    for (const match of part.matchAll(pattern)) {
      uses.push({ table: match[2] ?? '', at: at(start + match.index), isChange });
    }
  };
  gather(text, 0, query, false);
  gather(text, 0, change, true);
  for (const list of text.matchAll(queryList)) {
    for (const [, table = ''] of (list[1] ?? '').matchAll(/'(\w+)/g)) {
      uses.push({ table, at: at(list.index), isChange: false });
    }
  }
  for (const { statement, start } of statementsIn(text)) {
    gather(statement, start, rawQuery, false);
    gather(statement, start, rawList, false);
    gather(statement, start, rawChange, true);
  }
  return uses;
}

/** The text between the back quotes of sql templates; a statement with nested templates is taken with them. */
function statementsIn(text: string): { statement: string; start: number }[] {
  return [...text.matchAll(/\bsql(?:<[^`]*>)?`/g)].map((match) => {
    const start = match.index + match[0].length;
    let depth = 0;
    for (let end = start; end < text.length; end += 1) {
      if (text.startsWith('${', end)) depth += 1;
      else if (text[end] === '}' && depth > 0) depth -= 1;
      else if (text[end] === '`' && depth === 0) return { statement: text.slice(start, end), start };
    }
    return { statement: '', start };
  });
}
