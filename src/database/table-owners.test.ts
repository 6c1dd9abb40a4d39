import { expect, test } from 'vitest';
import type { Schema } from '#database/schema.ts';
import { nodesIn, nodesOf, productFiles, readSource, type SyntaxNode } from '#testing/source.ts';

/** The only folder whose statements may name a table. It exports what other domains need of the rows. */
const owners: Record<keyof Schema, string> = {
  stores: 'store',
  first_evenings: 'store',
  menus: 'menu',
  categories: 'menu',
  category_items: 'menu',
  items: 'menu',
  item_option_groups: 'menu',
  option_groups: 'menu',
  option_group_options: 'menu',
  options: 'menu',
  installation_secrets: 'database',
  instances: 'database',
  installation: 'backup',
  restores: 'database',
  backups: 'backup',
  backup_watches: 'backup',
  backup_keys: 'backup',
  backup_places: 'backup',
  backup_objects: 'backup',
  provider_readings: 'payment',
  unknown_payments: 'payment',
  erasures: 'database',
  copy_folders: 'backup',
  clock_watches: 'database',
  audit_log: 'database',
  audit_search: 'database',
  audit_details: 'database',
  audit_chain: 'database',
  audit_unchained: 'database',
  audit_start: 'database',
  outbox: 'realtime',
  channel_sequences: 'realtime',
  menu_imports: 'menu',
  menu_drafts: 'menu',
  menu_bin: 'menu',
  users: 'accounts',
  account_activity: 'accounts',
  complaints: 'complaints',
  consents: 'database',
  sign_ins: 'accounts',
  known_devices: 'accounts',
  passkeys: 'accounts',
  passkey_attempts: 'accounts',
  totp_secrets: 'accounts',
  recovery_codes: 'accounts',
  password_resets: 'accounts',
  email_verifications: 'accounts',
  identities: 'accounts',
  social_attempts: 'accounts',
  social_codes: 'accounts',
  given_names: 'accounts',
  sign_in_providers: 'accounts',
  throttles: 'accounts',
  orders: 'ordering',
  order_history: 'ordering',
  order_calls: 'ordering',
  order_mails: 'ordering',
  order_origins: 'ordering',
  offer_uses: 'ordering',
  offer_codes: 'ordering',
  account_links: 'ordering',
  mails: 'mail',
  order_numbers: 'ordering',
  order_search: 'ordering',
  order_names: 'ordering',
  order_names_left: 'ordering',
  customer_sums: 'ordering',
  takings: 'reports',
  takings_months: 'reports',
  takings_changes: 'reports',
  takings_mails: 'reports',
  payments: 'payment',
  refunds: 'payment',
  refund_requests: 'payment',
  refund_attempts: 'payment',
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
  printers: 'printing',
  prints: 'printing',
  push_keys: 'push',
  push_subscriptions: 'push',
  push_follows: 'push',
  order_watches: 'watch',
  board_watches: 'watch',
  devices: 'accounts',
  device_codes: 'accounts',
  app_files: 'app-release',
  app_installs: 'app-release',
  app_play_signing: 'app-release',
  app_releases: 'app-release',
};

/** Tables that are written in fewer places than their owner's folder. */
const writers: Partial<Record<string, readonly string[]>> = {
  stores: ['store/'],
  orders: ['ordering/server/change-orders.ts', 'ordering/server/insert-orders.ts'],
  refund_requests: ['payment/server/ledger.ts'],
  refund_attempts: ['payment/server/ledger.ts'],
  order_history: ['ordering/server/change-orders.ts', 'ordering/server/insert-orders.ts'],
};

const ownerOf = new Map<string, string>(Object.entries(owners));

const reading = /^(selectFrom|(inner|left|right|full|cross)Join(Lateral)?|(cross|outer)Apply|using|from)$/;
const changing = /^(insertInto|replaceInto|updateTable|deleteFrom|mergeInto)$/;
const rawQuery = /\b(from|join|using)\s+(?:only\s+)?(\w+)/gi;
const rawChange =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+(?:only\s+)?(\w+)/gi;
/** A further table of a list: `from one, another`. */
const rawList = /(,)\s*(\w+)(?=(?:\s+(?:as\s+)?\w+)?\s*(?:,|\bwhere\b|\bon\b|\)))/gi;

interface Use {
  table: string;
  isChange: boolean;
}

test('each table is named in the statements of its own domain only', () => {
  const strangers = everyUse().filter(({ table, path }) => {
    const folder = ownerOf.get(table);
    return folder !== undefined && !path.startsWith(`${folder}/`);
  });
  expect(strangers.map(({ table, path }) => `${path} names ${table}`)).toEqual([]);
});

test('what has one writer is written there only', () => {
  const others = everyUse().filter(
    ({ table, path, isChange }) => isChange && writers[table]?.every((place) => !path.startsWith(place)),
  );
  expect(others.map(({ table, path }) => `${path} writes ${table}`)).toEqual([]);
});

/** Here the name is an argument, whose type lists the tables. */
const typed = ['menu/server/editing/write-difference.ts: table'];

test('every statement names its tables in its own text', () => {
  expect(files.flatMap(({ path, unnamed }) => unnamed.map((part) => `${path}: ${part}`))).toEqual(typed);
  for (const path of typed.map((line) => line.split(':')[0] ?? '')) {
    const texts = nodesOf(path).flatMap(({ type, value }) => (type === 'StringLiteral' ? [String(value)] : []));
    const folders = texts.flatMap((text) => ownerOf.get(text) ?? []);
    expect([...new Set(folders)]).toEqual([path.split('/')[0]]);
  }
});

test('the statements are found', () => {
  const found = new Set(everyUse().map(({ table }) => table));
  expect(Object.keys(owners).filter((table) => !found.has(table))).toEqual([]);
});

test.each<[string, string[], string[]]>([
  [`db.selectFrom('orders as o').innerJoin('prints', 'a', 'b')`, ['orders', 'prints'], []],
  [`db.selectFrom(['orders', (eb) => eb.selectFrom('users').as('u')])`, ['orders', 'users'], []],
  ['sql`select 1 from only orders, users where ${x} in (select id from prints)`', ['orders', 'prints', 'users'], []],
  ['pool.query("delete from orders")', ['orders'], []],
  ['db.deleteFrom(isA ? "orders" : "prints")', ['orders', 'prints'], []],
  ['const name = "orders"; db.deleteFrom(name)', ['orders'], []],
  ['db.deleteFrom(name)', [], ['deleteFrom']],
  ['db.selectFrom(`${name} as n`)', [], ['selectFrom']],
  ['db.selectFrom("ord" + "ers")', [], ['selectFrom']],
  ['db[method]("orders"); db["updateTable"](name)', [], ['updateTable']],
  ['const read = db.selectFrom; read("orders")', [], ['selectFrom']],
  ['sql`select 1 from ${sql.table(name)}`', [], ['table']],
  ['sql`select 1 from ${sql.ref(name)}`', [], ['ref']],
  ['sql.raw(text)', [], ['raw']],
  ['Array.from(items); Buffer.from(text)', [], []],
])('in %s it finds %j, and what hides a name: %j', (text, tables, unnamed) => {
  const found = usesIn(text);
  expect([...new Set(found.uses.map(({ table }) => table))].filter((table) => ownerOf.has(table)).toSorted()).toEqual(
    tables,
  );
  expect(found.unnamed).toEqual(unnamed);
});

interface Found {
  uses: Use[];
  /** The functions that are given a table, or a part of SQL, which is not written there. */
  unnamed: string[];
}

const files = productFiles().map((path) => ({ path, ...usesIn(readSource(path), path.endsWith('x')) }));

function everyUse(): (Use & { path: string })[] {
  return files.flatMap(({ path, uses }) => uses.map((use) => ({ path, ...use })));
}

function usesIn(text: string, tsx = false): Found {
  const found: Found = { uses: [], unnamed: [] };
  const called = new Set<unknown>();
  const nodes = nodesIn(text, tsx);
  const constants = new Map(nodes.flatMap(constantOf));
  for (const node of nodes) {
    if (node.type === 'CallExpression') readCall(node, constants, called, found);
    else if (node.type === 'MemberExpression' && !called.has(node)) {
      const name = nameOf(node) ?? '';
      if (name === 'selectFrom' || changing.test(name)) found.unnamed.push(name);
    } else if (node.type === 'TemplateLiteral') readStatement(node, found);
    else if (node.type === 'StringLiteral' && isStatement(String(node['value']))) {
      found.uses.push(...tablesOfText(String(node['value'])));
    }
  }
  return found;
}

type Constants = ReadonlyMap<string, SyntaxNode>;

/** `const name = 'text'`. */
function constantOf(node: SyntaxNode): [string, SyntaxNode][] {
  if (node.type !== 'VariableDeclaration' || node['kind'] !== 'const') return [];
  return (node['declarations'] as { id: SyntaxNode; init?: SyntaxNode }[]).flatMap(({ id, init }) =>
    id.type === 'Identifier' && init?.type === 'StringLiteral'
      ? [[String(id['value']), init] as [string, SyntaxNode]]
      : [],
  );
}

function readCall(node: SyntaxNode, constants: Constants, called: Set<unknown>, { uses, unnamed }: Found): void {
  const callee = node['callee'] as SyntaxNode;
  called.add(callee);
  const name = nameOf(callee) ?? '';
  const [first] = node['arguments'] as { expression: SyntaxNode }[];
  if (!first) return;
  const owner = callee['object'] as SyntaxNode | undefined;
  const ownerName = owner?.type === 'Identifier' ? String(owner['value']) : '';
  if (reading.test(name) || changing.test(name)) {
    // `Array.from`, and others of the language.
    if (/^[A-Z]/.test(ownerName)) return;
    const tables = tablesIn(first.expression, constants);
    if (tables === null) unnamed.push(name);
    else uses.push(...tables.map((table) => ({ table, isChange: changing.test(name) })));
  } else if (ownerName === 'sql' && /^(table|raw)$/.test(name) && tablesIn(first.expression, constants) === null) {
    unnamed.push(name);
  } else if (name === 'table' && owner && nameOf(owner) === 'dynamic') unnamed.push(name);
}

function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Identifier') return String(node['value']);
  const property = node['property'] as SyntaxNode | undefined;
  if (property?.type === 'Identifier') return String(property['value']);
  const computed = property?.['expression'] as SyntaxNode | undefined;
  return computed?.type === 'StringLiteral' ? String(computed['value']) : undefined;
}

/** The tables that an argument names; null if it hides one. A subquery names its own. */
function tablesIn(node: SyntaxNode, constants: Constants): string[] | null {
  switch (node.type) {
    case 'Identifier': {
      const text = constants.get(String(node['value']));
      return text ? tablesIn(text, constants) : null;
    }
    case 'StringLiteral':
      return [/^\w+/.exec(String(node['value']))?.[0] ?? ''];
    case 'ArrayExpression': {
      const parts = (node['elements'] as { expression: SyntaxNode }[]).map(({ expression }) =>
        tablesIn(expression, constants),
      );
      return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
    }
    case 'ConditionalExpression': {
      const parts = [node['consequent'], node['alternate']].map((part) => tablesIn(part as SyntaxNode, constants));
      return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
    }
    case 'ArrowFunctionExpression':
    case 'TaggedTemplateExpression':
      return [];
    case 'CallExpression':
      return nameOf(node['callee'] as SyntaxNode) === 'as' ? [] : null;
    default:
      return null;
  }
}

/** A template with SQL. A part that is put in where a table stands is a part of SQL itself, with its own tables. */
function readStatement(node: SyntaxNode, { uses, unnamed }: Found): void {
  const quasis = node['quasis'] as { raw: string }[];
  const expressions = node['expressions'] as SyntaxNode[];
  const text = quasis.map(({ raw }) => raw).join(' ? ');
  if (!isStatement(text)) return;
  uses.push(...tablesOfText(text));
  for (const [index, expression] of expressions.entries()) {
    const isTable = /\b(from|join|using|into|update|only)\s*$/i.test(quasis[index]?.raw ?? '');
    if (!isTable || expression.type !== 'CallExpression') continue;
    const callee = expression['callee'] as SyntaxNode;
    const name = nameOf(callee) ?? '';
    if (name === 'ref' || name === 'id') unnamed.push(name);
  }
}

function isStatement(text: string): boolean {
  return /\b(select|insert into|update|delete from|merge into|truncate|join|from)\b/i.test(text);
}

function tablesOfText(text: string): Use[] {
  const of = (pattern: RegExp, isChange: boolean) =>
    [...text.matchAll(pattern)].map(([, , table = '']) => ({ table, isChange }));
  return [...of(rawQuery, false), ...of(rawList, false), ...of(rawChange, true)];
}
