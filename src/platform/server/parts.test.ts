import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ServerPart, StartAbortedError, startServerParts } from '#platform/server/parts.ts';

let lines: Record<string, unknown>[];
let stopped: string[];
beforeEach(() => {
  lines = [];
  stopped = [];
});

const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
const part = (name: string): ServerPart => ({ stop: async () => stopped.push(name) });
const broken: ServerPart = {
  stop() {
    throw new Error('no');
  },
};
const hanging: ServerPart = { stop: () => new Promise(() => {}) };

describe('running parts', () => {
  test('are stopped one by one, the last first, and only once', async () => {
    const running = await startServerParts(log, async (parts) => {
      parts.add('database', part('database'));
      parts.add('http', part('http'));
      return { port: 3000 };
    });
    expect(running.port).toBe(3000);
    expect(await Promise.all([running.stop(), running.stop()])).toEqual([[], []]);
    expect(stopped).toEqual(['http', 'database']);
  });

  test('are stopped even if one part fails or hangs', async () => {
    const running = await startServerParts(log, async (parts) => {
      parts.add('good', part('good'));
      parts.add('hanging', hanging, 50);
      parts.add('broken', broken);
      return {};
    });
    expect(await running.stop()).toEqual(['hanging']);
    expect(stopped).toEqual(['good']);
    expect(lines.map(({ part: name }) => name)).toEqual(['broken', 'hanging']);
  });
});

test('are stopped, the last first, if a later one cannot start', async () => {
  const starting = startServerParts(log, async (parts) => {
    parts.add('database', part('database'));
    parts.add('broken', broken);
    parts.add('jobs', part('jobs'));
    throw new Error('the port is taken');
  });
  await expect(starting).rejects.toThrow('the port is taken');
  expect(stopped).toEqual(['jobs', 'database']);
});

test('a start that is ended meanwhile stops what runs, waits for nothing else, and adds nothing more', async () => {
  const ending = new AbortController();
  let goOn = () => {};
  const isLate = new Promise<void>((resolve) => (goOn = resolve));
  let late: Promise<unknown> = Promise.resolve();
  const starting = startServerParts(
    log,
    async (parts) => {
      parts.add('database', part('database'));
      late = isLate.then(() => parts.add('http', part('http')));
      await late;
      return {};
    },
    ending.signal,
  );
  ending.abort();
  await expect(starting).rejects.toBeInstanceOf(StartAbortedError);
  expect(stopped).toEqual(['database']);
  goOn();
  await expect(late).rejects.toBeInstanceOf(StartAbortedError);
  await expect(startServerParts(log, async () => ({}), ending.signal)).rejects.toBeInstanceOf(StartAbortedError);
});
