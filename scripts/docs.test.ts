import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiErrors } from '#api-errors.ts';
import { ownerMailKinds } from '#database/mail-values.ts';
import { officePages } from '#office-pages.ts';
import { orderStatusTable } from '#ordering/order-status.ts';
import { pages } from '#pages.ts';
import { scriptFiles as filesByName } from './npm-script-files.ts';

const documents = globSync(['docs/**/*.md', '*.md', '{src,scripts,simulators}/**/*.md'], {
  exclude: ['**/node_modules'],
});

/** The names by which a page's headings are linked to, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', (document) => {
  test('links only to files and headings that exist', () => {
    const text = readFileSync(document, 'utf8').replaceAll(/```[\s\S]*?```/g, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^(https?|mailto):/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const file = path ? join(dirname(document), path) : document;
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

test('docs/api.md has every code of a refusal with its status', () => {
  const table = readFileSync('docs/api.md', 'utf8').match(/^\| \d{3} \| .*$/gm) ?? [];
  const written = table.flatMap((row) => {
    const [, status = '', codes = ''] = row.split('|').map((cell) => cell.trim());
    const names = codes.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g);
    return [...names].map(([, code = '']) => [code, Number(status)]);
  });
  const held = Object.entries(apiErrors).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(held));
});

test('docs/product.md has every page', () => {
  const text = readFileSync('docs/product.md', 'utf8');
  const table = text.slice(text.indexOf('| path | for | what |'), text.indexOf('The table is [src/pages.ts]'));
  const written = [...table.matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path);
  expect(written.toSorted()).toEqual([...Object.keys(pages), ...Object.keys(officePages)].toSorted());
});

test('docs/product.md has every step of an order', () => {
  const people = (by: readonly string[]) =>
    by.join(', ').replace('store_admin, admin', 'staff').replace('system', 'the shop itself');
  const steps = Object.entries(orderStatusTable).flatMap(([from, { ways }]) =>
    ways.map(({ call, by, only, to }) => {
      const who = only ? `${people(by)}; ${only} only` : people(by);
      return `| ${from} | ${call} | ${who} | ${to} |`;
    }),
  );
  const table = readFileSync('docs/product.md', 'utf8').split('| from | call | by | to |\n|---|---|---|---|\n')[1];
  expect(table?.split('\n\n')[0]?.split('\n')).toEqual(steps);
});

test('README.md has every setting', () => {
  const sources = ['src/config.ts', 'src/platform/server/files/file-bucket.ts'].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const read = sources.flatMap((text) =>
    [...text.matchAll(/^ {2}([A-Z][A-Z0-9]*_?[A-Z0-9_]*):/gm)].map(([, name = '']) => name),
  );
  const rows = readFileSync('README.md', 'utf8').match(/^\| `[A-Z].*$/gm) ?? [];
  const written = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );
  expect(read.length).toBeGreaterThan(20);
  expect(written.toSorted()).toEqual([...new Set(read)].toSorted());
});

test('docs/operations.md has every kind of alert', () => {
  const code = readFileSync('src/alerts/server/alert-owner.ts', 'utf8');
  const ofWebhook = [...(/const ofWebhook = \[(.*)\]/.exec(code)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
    ([, kind]) => kind,
  );
  const line = /^`ALERT_WEBHOOK_URL` gets .* as JSON for (.*)\. `at`/m.exec(readFileSync('docs/operations.md', 'utf8'));
  const written = [...(line?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, kind]) => kind);
  expect(ofWebhook.length).toBeGreaterThan(0);
  expect(written.toSorted()).toEqual([...ownerMailKinds.filter((kind) => kind !== 'takings'), ...ofWebhook].toSorted());
});

test('CONTRIBUTING.md has every named command', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const names = Object.entries(filesByName).flatMap(([script, files]) =>
    Object.keys(files).map((name) => `${script} -- ${name}`),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !text.includes(`npm run ${name}`))).toEqual([]);
});

test.each([
  ['docs/mail.md', 'mails'],
  ['docs/printing.md', 'receipts'],
])('%s shows every picture of docs/%s', (page, folder) => {
  const links = readFileSync(page, 'utf8').matchAll(/\]\((\w+)\/([^)]+)\)/g);
  const shown = [...links].flatMap(([, from, name]) => (from === folder ? name : []));
  expect([...new Set(shown)].toSorted()).toEqual(readdirSync(`docs/${folder}`).toSorted());
});

/** The first cells of the tables that tests compare with the code. */
const compared =
  /^\| (path \| for|from \| call|attack \| load|event \| in the log|number \| state|status \| codes|method \| money|the shop's state|metric \| kind|variable|command|320|80 mm|Polish|Cancelled, 80 mm) /;

/** Words of a page, without the tables that tests compare with the code. */
function wordsOf(document: string): number {
  const blocks = readFileSync(document, 'utf8').split(/\n\n+/);
  return blocks
    .filter((block) => !compared.test(block))
    .join(' ')
    .split(/\s+/).length;
}

/** Read by owners, who read no other page before they have a shop. */
const installing = ['docs/install-at-home.md', 'docs/install-on-a-server.md', 'docs/domain.md'];
/** Words of the pages of later features, which come on top. */
const later = { 'docs/watching.md': 600, 'docs/backups.md': 1500, 'docs/hatch.md': 600 };

test.each([
  [
    'the pages',
    ['docs/**/*.md', 'README.md', 'CONTRIBUTING.md'],
    installing,
    36_000 + Object.values(later).reduce((sum, words) => sum + words, 0),
  ],
  ['the pages for an installation', installing, [], 1700],
  ['the decisions', ['docs/decisions/*.md'], [], 9000],
])('%s are short enough to be read', (_, glob, exclude, most) => {
  const words = globSync(glob, { exclude }).map(wordsOf);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(most);
});
