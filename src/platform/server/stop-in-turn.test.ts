import { pino } from 'pino';
import { expect, test } from 'vitest';
import { stopInTurn } from '#platform/server/stop-in-turn.ts';

test('a part that fails or hangs keeps no other from stopping', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const stopped: string[] = [];
  const late = await stopInTurn(
    log,
    {
      broken: async () => {
        throw new Error('no');
      },
      hanging: () => new Promise(() => {}),
      good: async () => stopped.push('good'),
    },
    50,
  );
  expect(late).toEqual(['hanging']);
  expect(stopped).toEqual(['good']);
  expect(lines.map(({ part }) => part)).toEqual(['broken', 'hanging']);
});
