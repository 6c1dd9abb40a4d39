import { expect, test } from 'vitest';
import { OrderStatus } from '#ordering/order.ts';
import { nodesIn, nodesOf, productFiles, readSource, type SyntaxNode } from '#testing/source.ts';

/** The table, and the list of all statuses, among those of other columns. */
const owners: ReadonlySet<string> = new Set(['ordering/order-status.ts', 'database/column-values.ts']);

/** The status of a new order, examples of the API, and words of other lists. */
const allowed: Record<string, readonly string[]> = {
  'ordering/next-status.ts': ['pending_payment', 'placed'],
  'api-examples.ts': ['accepted', 'packed', 'placed'],
  'ordering/errors.ts': ['placed'],
  // Kinds of mail.
  'database/mail-values.ts': ['accepted', 'cancelled', 'placed', 'rejected'],
  'ordering/server/mails/write-order-mail.ts': ['accepted', 'placed', 'rejected'],
  'ordering/server/mails/mail-examples.ts': ['cancelled', 'placed', 'rejected'],
  'reports/server/mail-takings.ts': ['rejected'],
  // Kinds of news.
  'ordering/server/mails/send-order-notifications.ts': ['accepted', 'cancelled', 'rejected'],
  // Calls.
  'ordering/server/handlers.ts': ['packed'],
  'ordering/status-row.ts': ['packed'],
  // The status of a print.
  'printing/print-rules.ts': ['expired'],
  'printing/server/handlers.ts': ['expired'],
  'kitchen/web/order/receipts.module.css': ['expired'],
  'printing/web/printer-words.ts': ['expired'],
  // A colour for each status; a test compares them with the table.
  'ordering/web/order/order-headline.css': OrderStatus.options,
  // Of a sign-in from the app.
  'accounts/web/auth-callback-page.tsx': ['expired'],
  // The status of a payout, and of a page at the card provider.
  'payment/bank-rules.ts': ['cancelled'],
  // A part of a statement.
  'payment/server/journal/chains.ts': ['placed'],
  'payment/server/keys/trial-payment.ts': ['expired'],
  'payment/server/stripe/stripe-bank.ts': ['cancelled'],
  'payment/server/stripe/read-session.ts': ['expired'],
  // Files that are compressed.
  'storefront/server/pages.ts': ['packed'],
};

test('an order’s status is spelled in the table only, so that what depends on it is a column there', () => {
  const spelled = Object.fromEntries(
    productFiles(/\.(tsx?|css)$/)
      .filter((path) => !owners.has(path))
      .map((path) => [path, [...new Set(path.endsWith('.css') ? inStyles(path) : inNodes(nodesOf(path)))].toSorted()])
      .filter(([, found]) => found?.length !== 0),
  );
  const expected = Object.fromEntries(Object.entries(allowed).map(([path, names]) => [path, names.toSorted()]));
  expect(spelled).toEqual(expected);
});

test.each([
  [`if (order.status === 'packed') stop();`, ['packed']],
  [`const done = new Set(['delivered', 'collected']);`, ['delivered', 'collected']],
  ['sql`select from orders where status in (\'placed\', "expired")`', ['placed', 'expired']],
  ['const status = `cancelled`;', ['cancelled']],
  [`const isDone = { delivered: true, collected: true }[status];`, ['delivered', 'collected']],
  [`type Early = 'placed' | 'accepted';`, ['placed', 'accepted']],
  // Words for each status, which the compiler checks.
  [`const words = { ${OrderStatus.options.map((status) => `${status}: 1`).join()} };`, []],
  [`const step = { accepted: true };`, []],
  [`const text = 'Your order was placed.';`, []],
])('of %s it finds %j', (text, found) => {
  expect(inNodes(nodesIn(text))).toEqual(found);
});

function inNodes(nodes: readonly SyntaxNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'StringLiteral') return statusesAmong([String(node['value'])]);
    if (node.type === 'TemplateElement') {
      const text = String(node['raw']);
      return statusesAmong([text, ...[...text.matchAll(/['"](\w+)['"]/g)].map(([, word = '']) => word)]);
    }
    return node.type === 'ObjectExpression' ? partialKeys(node) : [];
  });
}

/** The keys of a table of some statuses. A table of all is checked by its type. */
function partialKeys(node: SyntaxNode): string[] {
  const properties = node['properties'] as { key?: { type: string; value: unknown } }[];
  const keys = properties.flatMap(({ key }) => (key?.type === 'Identifier' ? [String(key.value)] : []));
  const found = statusesAmong(keys);
  return found.length > 1 && found.length < OrderStatus.options.length ? found : [];
}

function inStyles(path: string): string[] {
  return statusesAmong([...readSource(path).matchAll(/['"](\w+)['"]/g)].map(([, word = '']) => word));
}

function statusesAmong(words: readonly string[]): string[] {
  return words.filter((word) => OrderStatus.options.some((status) => status === word));
}
