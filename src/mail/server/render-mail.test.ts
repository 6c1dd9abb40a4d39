import { expect, test } from 'vitest';
import { renderMail } from '#mail/server/render-mail.ts';

const colors = { strip: '#000000', accent: '#000000', ink: '#ffffff' };
const shop = { id: null, name: 'Nonna’s', email: null, signature: 'Nonna’s', logo: null, light: colors, dark: colors };

test('no line of the large letters ends within a reference, and its signs stay as they are', () => {
  const { html, subject } = renderMail({ subject: 'We have it (C-7KQ4M2XW) <b>', parts: [] }, shop, 'en');
  expect(html).toContain('>We have it (<span style="white-space: nowrap">C-7KQ4M2XW</span>) &lt;b&gt;</h1>');
  expect(html).toContain('<title>We have it (C-7KQ4M2XW) &lt;b&gt;</title>');
  expect(subject).toBe('We have it (C-7KQ4M2XW) <b>');
});
