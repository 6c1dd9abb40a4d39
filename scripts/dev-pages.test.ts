import { expect, test } from 'vitest';
import { formatHtmlDocument, type HtmlPage } from '#storefront/server/html.ts';
import { toSourcePage } from './dev-pages.ts';

const assets = {
  script: '/static/assets/storefront-Ab12.js',
  preloads: ['/static/assets/shared-Cd34.js'],
  stylesheets: ['/static/assets/storefront-Ef56.css'],
  css: 'main { color: red }',
  pageStylesheets: ['/static/assets/menu-Gh78.css'],
  pageCss: 'dl { color: blue }',
  fonts: ['/static/assets/display-latin-Ij90.woff2'],
};
// Only the parts of a page that the writer reads.
const page = (more: Partial<HtmlPage>) =>
  formatHtmlDocument({
    title: 'A shop',
    accentColor: '#aa3300',
    assets,
    styles: 'inline',
    page: { shopUrl: '/shop/1.json' } as HtmlPage['page'],
    body: '<main><div>Chips</div></main>',
    ...more,
  });

test.each([
  ['rendered by the server', page({})],
  ['that the browser fills', page({ body: '', withoutScript: '<noscript><p>No script</p></noscript>' })],
  ['with linked styles', page({ styles: 'linked' })],
  ['with a dish over it', page({}).replace('<div id="root">', '<dialog>Chips</dialog><div id="root">')],
])('a page %s loses the build’s files and its content, and keeps its settings and colour', (_kind, html) => {
  const source = toSourcePage(html);
  expect(source).toMatchObject({ face: 'storefront', language: 'en' });
  expect(source?.html).not.toMatch(/\/static\/|Chips|color: (red|blue)/);
  expect(source?.html).toContain('<body><div id="root"></div>');
  expect(source?.html).toContain('<script type="application/json" id="page-data">{"shopUrl":"/shop/1.json"}</script>');
  expect(source?.html).toContain('<style>:root{--');
  expect(source?.html).toContain('<title>A shop</title>');
});

test('the office is told from the storefront', () => {
  const html = page({ assets: { ...assets, script: '/static/assets/office-Ab12.js' } });
  expect(toSourcePage(html)?.face).toBe('office');
});

test('other HTML, such as a sandbox page, is nobody’s', () => {
  expect(toSourcePage('<!doctype html><html lang="en"><body><script>pay()</script></body></html>')).toBeNull();
});
