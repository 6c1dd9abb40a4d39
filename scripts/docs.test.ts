import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiErrors } from '#api-errors.ts';
import { officePages } from '#office-pages.ts';
import { pages } from '#pages.ts';

const documents = globSync(['docs/**/*.md', '*.md', 'simulators/*/README.md']);

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
