import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { reachFrom, wordsOf } from '#testing/said-words.ts';

const entries = ['src/storefront/web/entry-client.tsx', 'src/storefront/web/entry-server.tsx'];

/** Whose refusals, mails and pages customers meet. */
const served =
  'src/{accounts,database,menu,ordering,payment,platform,realtime,shop,store,storefront}/{*,server/**/*,http/**/*}.ts';

/** What in there answers only the office, which is English, or machines. */
const forStaff = [
  'src/accounts/provider-{contract,details,problem-words}.ts',
  'src/accounts/server/set-up-shop.ts',
  'src/accounts/server/social/{provider-handlers,set-up-provider}.ts',
  'src/menu/fields.ts',
  'src/menu/server/**/*.ts',
  'src/ordering/server/{remove,tick}-order-lines.ts',
  'src/payment/{contract,dispute-words,key-problem-words,refund-rules,refund-status-words}.ts',
  'src/payment/server/{bank,keys,since-copy}/*.ts',
  'src/payment/server/{refund-order,settle-refund,retry-refund,lower-order,mark-paid,alert-capture,alert-refund}.ts',
  'src/platform/server/api-page.ts',
  'src/store/{contract,closure-rules,customer-preview,field-texts,special-days}.ts',
];

/** Words for staff in modules that speak to customers as well. */
const staffWords = new Set([
  'menu_deal_in_deal',
  'menu_price_group_condition',
  'menu_price_group_free',
  'menu_price_group_one',
  'menu_price_group_twice',
  'store_has_orders',
  'store_is_named',
  'store_name_taken',
  'store_pause_needs_end',
  'store_pause_too_long',
  'payment_webhook_unsigned',
  'payment_hold_ended',
]);

test('everything that a customer can be shown or told is in the Polish catalogue', () => {
  const pages = reachFrom(entries);
  const onServer = globSync(served).filter(
    (file) => !isTest(file) && !forStaff.some((glob) => matchesGlob(file, glob)),
  );
  const english = readCatalogues('en');
  const polish = readCatalogues('pl');

  const named = new Map([...pages, ...onServer].flatMap((file) => wordsOf(file).map((word) => [word, file] as const)));
  expect(pages.size).toBeGreaterThan(100);
  expect(named.size).toBeGreaterThan(400);
  const missing = [...named].filter(([word]) => english.has(word) && !polish.has(word) && !staffWords.has(word));
  expect(missing.map(([word, file]) => `${word}, said in ${file}`)).toEqual([]);
});

test('nothing is left out as words for staff that is gone, or in Polish already', () => {
  const files = globSync(served);
  expect(forStaff.filter((glob) => !files.some((file) => matchesGlob(file, glob)))).toEqual([]);
  const [english, polish] = [readCatalogues('en'), readCatalogues('pl')];
  expect([...staffWords].filter((word) => !english.has(word) || polish.has(word))).toEqual([]);
});

const isTest = (file: string) => /\.test\.ts$|\/testing/.test(file);

function readCatalogues(language: string): Set<string> {
  const files = globSync(`src/*/messages.${language}.json`);
  return new Set(files.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)));
}
