import { expect, test } from 'vitest';
import { escapeHtml, scriptSafeJson } from '#storefront/server/html.ts';

test('initial data cannot end its script, whatever a shop writes in its menu', () => {
  const value = { name: '</script><script>alert(1)</script>', note: '<!-- \u2028 \u2029' };
  const text = scriptSafeJson(value);
  expect(text).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual(value);
});

test('text is escaped for attributes and elements', () => {
  expect(escapeHtml(`"Fish" & 'chips' <b>`)).toBe('&quot;Fish&quot; &amp; &#39;chips&#39; &lt;b&gt;');
});
