import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** MJML itself is installed only in its own folder; `.ci/run` makes the look again and compares. */
test('the look of mails is what its source gave: neither was changed since', () => {
  const source = readFileSync('scripts/mail-look/mail.mjml', 'utf8');
  const made = readFileSync(new URL('./look.html', import.meta.url), 'utf8');
  const [first = '', ...rest] = made.split('\n');
  const body = rest.join('\n');
  expect(/source (\w+), made (\w+)/.exec(first)?.slice(1)).toEqual([hashOf(source), hashOf(body)]);
});
