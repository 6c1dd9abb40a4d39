import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlToText } from '#platform/markup.ts';
import { pureDraws } from '#testing/draws.ts';

test.each([
  ['<p>Still &amp; cold<br />330&nbsp;ml</p>', 'Still & cold, 330 ml'],
  ['We <3 chips', 'We <3 chips'],
  ['Fish & chips, 2 for 1', 'Fish & chips, 2 for 1'],
  ['spice < 3 > 1', 'spice < 3 > 1'],
  ['<chef’s special> & more', '<chef’s special> & more'],
  ['one\n\ntwo  three', 'one\n\ntwo  three'],
  ['<b>Hot</b>,<br>very <i class="x">hot</i>.<br>Really', 'Hot, very hot. Really'],
  ['<ul>\n  <li>Rice</li>\n  <li>Beans</li>\n</ul>', 'Rice, Beans'],
  ['<script>alert(1)</script>Soup<!-- old --><style>p { }</style>', 'Soup'],
  ['<P STYLE="a">Cr&egrave;me br&ucirc;l&eacute;e &#163;5 &#x20AC;6 &frac12;</P>', 'Crème brûlée £5 €6 ½'],
  ['Salt &amp;amp; pepper', 'Salt & pepper'],
  ['&lt;b&gt;Soup&lt;/b&gt;', 'Soup'],
  ['R&D; M&S', 'R&D; M&S'],
  ['&constructor; &#0;x', '&constructor;  x'],
  ['<img src=x onerror=alert(1)>Tea', 'Tea'],
])('%j is read as %j', (text, read) => {
  expect(htmlToText(text)).toBe(read);
});

test('a text that was read once stays the same', () => {
  const part = fc.constantFrom(
    '<p>',
    '</p>',
    '<br/>',
    '<b',
    '>',
    '&',
    'amp;',
    'lt;',
    '#',
    '38;',
    '3',
    ' ',
    '\n',
    'Soup',
    '.',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const once = htmlToText(parts.join(''));
      expect(htmlToText(once)).toBe(once);
    }),
    { numRuns: pureDraws },
  );
});

test('a text that no field takes stays as it is', () => {
  const long = '<script>'.repeat(20_000);
  expect(htmlToText(long)).toBe(long);
});
