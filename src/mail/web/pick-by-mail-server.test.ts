import { expect, test, vi } from 'vitest';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';

test.each([
  [true, 'We write to you.'],
  [false, 'Keep this page open.'],
  // As an app has it that was last told by an earlier version.
  [undefined, 'Keep this page open.'],
])('where a mail server is set (%j), a page says %j', (sendsMail, words) => {
  const textContent = JSON.stringify({ config: { sendsMail } });
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) });
  expect(pickByMailServer('We write to you.', 'Keep this page open.')).toBe(words);
});
