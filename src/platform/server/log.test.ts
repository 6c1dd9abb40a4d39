import { pino } from 'pino';
import { expect, test } from 'vitest';
import { logOptions } from '#platform/server/log.ts';

test('an error of the database is logged without the row that it quotes', () => {
  const lines: string[] = [];
  const log = pino(logOptions('info'), { write: (line: string) => void lines.push(line) });
  const error = Object.assign(new Error('violates check constraint'), {
    code: '23514',
    detail: 'Failing row contains (Ada Byron, 12 Park Road).',
  });
  log.error({ err: error, session: 'a-secret', body: { token: 'another', password: 'third' } }, 'failed');
  expect(lines.join()).toContain('23514');
  expect(lines.join()).not.toMatch(/Ada|Park Road|a-secret|another|third/);
});
