import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createDurableQueue,
  type QueueStorageOptions,
  openQueueStorage,
  type SendOutcome,
  type QueuedCall,
} from '#platform/web/durable-queue.ts';

interface Call extends QueuedCall {
  line: string;
  wish: string;
}

/** Locks as pages have them: a page holds its lock until it is closed. */
const held = new Set<string>();
let stored: Record<string, string>;
let now: number;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T18:05:00.000Z') });
  now = Date.now();
  held.clear();
  stored = {};
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => void (stored[key] = value),
    removeItem: (key: string) => void delete stored[key],
  };
  vi.stubGlobal('localStorage', new Proxy(methods, { ownKeys: () => Object.keys(stored), getOwnPropertyDescriptor }));
  vi.stubGlobal('navigator', { locks: { request } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function getOwnPropertyDescriptor() {
  return { enumerable: true, configurable: true };
}

async function request(name: string, ...more: unknown[]): Promise<unknown> {
  const use = more.at(-1) as (lock: object | null) => unknown;
  if (more.length > 1) return use(held.has(name) ? null : {});
  held.add(name);
  return use({});
}

type Answer = SendOutcome<Call, string>;
const unanswered: Answer = { kind: 'unanswered' };
const done = ({ id }: Call): Answer => ({ kind: 'done', answer: `made ${id}` });

let pages = 0;

/** A page with its own queue; `answer` decides the result of each call. */
function openPage(
  answer: (call: Call) => Answer | Promise<Answer> = done,
  keeping: Partial<QueueStorageOptions<Call>> = {},
) {
  const sent: string[] = [];
  const answered: string[] = [];
  const refused: string[] = [];
  const script = { answer };
  let list: readonly Call[] = [];
  const page = `page ${(pages += 1)}`;
  const queue = createDurableQueue<Call, string>({
    kept: openQueueStorage({ group: 'calls/ann', ...keeping }, page),
    lineOf: ({ line }) => line,
    dropsLine: true,
    send: async (call) => {
      sent.push(call.id);
      return script.answer(call);
    },
    onChange: (items) => (list = items),
    onDone: (_call, words) => void answered.push(words),
    onRefused: ({ id }, _error, dropped) => refused.push(id, ...dropped.map((other) => other.id)),
  });
  queue.start();
  const close = () => {
    queue.stop();
    held.delete(`calls/ann/${page}`);
  };
  return { queue, sent, answered, refused, script, close, waiting: () => list.map(({ id }) => id) };
}

const call = (id: string, more: Partial<Call> = {}): Call => ({ id, line: id, wish: 'tea', askedAt: now, ...more });
const rest = () => vi.advanceTimersByTimeAsync(0);

test('calls go out one by one, in the order they were asked for, and each is answered once', async () => {
  const { queue, sent, answered } = openPage();
  for (const id of ['a', 'b', 'c']) queue.add(call(id, { line: 'same' }));
  expect(sent).toEqual(['a']);
  await rest();
  expect([sent, answered]).toEqual([
    ['a', 'b', 'c'],
    ['made a', 'made b', 'made c'],
  ]);
});

test('offline all of it is kept in order, and sent at once when the line is back', async () => {
  const online: (() => void)[] = [];
  vi.stubGlobal('addEventListener', (_event: string, listener: () => void) => online.push(listener));
  const { queue, sent, script, waiting } = openPage(() => unanswered);
  queue.add(call('a'));
  queue.add(call('b'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([waiting(), new Set(sent)]).toEqual([['a', 'b'], new Set(['a'])]);
  script.answer = done;
  sent.length = 0;
  for (const listener of online) listener();
  await rest();
  expect([sent, waiting()]).toEqual([['a', 'b'], []]);
});

test('a refused call goes with the later ones of its line, and those of other lines go on', async () => {
  const { queue, answered, refused } = openPage((one) =>
    one.id === 'a' ? { kind: 'refused', error: new Error('no') } : done(one),
  );
  queue.add(call('a', { line: 'x' }));
  queue.add(call('b', { line: 'x' }));
  queue.add(call('c', { line: 'y' }));
  await rest();
  expect([refused, answered]).toEqual([['a', 'b'], ['made c']]);
});

test('a call at which the server fails is sent again and again, and other lines do not wait for it', async () => {
  const { queue, sent, answered, script, waiting } = openPage((one) =>
    one.line === 'x' ? { kind: 'failed' } : done(one),
  );
  queue.add(call('a', { line: 'x' }));
  queue.add(call('b', { line: 'x' }));
  queue.add(call('c', { line: 'y' }));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([waiting(), answered]).toEqual([['a', 'b'], ['made c']]);
  expect(sent.filter((id) => id === 'a').length).toBeGreaterThan(200);
  script.answer = done;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(answered).toEqual(['made c', 'made a', 'made b']);
});

test('what is held back can be taken back until it is sent, and lets other lines pass', async () => {
  const { queue, sent } = openPage();
  queue.add(call('a', { sendAt: now + 5000 }));
  queue.add(call('b', { sendAt: now + 5000 }));
  queue.add(call('c'));
  await vi.advanceTimersByTimeAsync(4999);
  expect([queue.takeBack('a'), sent]).toEqual([true, ['c']]);
  await vi.advanceTimersByTimeAsync(1);
  expect([queue.takeBack('b'), sent]).toEqual([false, ['c', 'b']]);
});

test('nothing is sent while somebody is to choose, and then the call goes as it was chosen', async () => {
  const halts = new Set(['a']);
  const wishes: string[] = [];
  const page = openPage((one) => {
    wishes.push(one.wish);
    return halts.delete(one.id) ? { kind: 'halted' } : done(one);
  });
  page.queue.add(call('a'));
  page.queue.add(call('b'));
  await vi.advanceTimersByTimeAsync(60_000);
  page.queue.wake();
  expect(page.sent).toEqual(['a']);
  page.queue.resume(call('a', { wish: 'milk' }));
  await rest();
  expect([page.sent, wishes]).toEqual([
    ['a', 'a', 'b'],
    ['tea', 'milk', 'tea'],
  ]);
});

describe('after a reload', () => {
  test('what had no answer goes out first, under the same id', async () => {
    const before = openPage(() => unanswered);
    before.queue.add(call('a'));
    before.queue.add(call('b'));
    await rest();
    before.close();
    const { queue, sent, answered, waiting } = openPage();
    queue.add(call('c', { askedAt: now + 1, sendAt: now + 1 }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect([sent, waiting()]).toEqual([['a', 'b', 'c'], []]);
    expect(answered).toEqual(['made a', 'made b', 'made c']);
    expect(stored).toEqual({});
  });

  test('what was held back is held for the rest of its time', async () => {
    const before = openPage();
    before.queue.add(call('a', { sendAt: now + 5000 }));
    before.close();
    await vi.advanceTimersByTimeAsync(3000);
    const { sent } = openPage();
    await vi.advanceTimersByTimeAsync(1999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(['a']);
  });
});

describe('of two pages at once', () => {
  test('each sends its own, and takes nothing from one that is open', async () => {
    const one = openPage(() => unanswered);
    one.queue.add(call('a'));
    const two = openPage();
    two.queue.add(call('b'));
    await rest();
    expect([one.waiting(), two.sent]).toEqual([['a'], ['b']]);
  });

  test('one takes over what a closed one left', async () => {
    const lost = openPage(() => unanswered);
    lost.queue.add(call('a'));
    await rest();
    lost.close();
    const [one, two] = [openPage(), openPage()];
    await vi.advanceTimersByTimeAsync(30_000);
    expect([...one.sent, ...two.sent]).toEqual(['a']);
  });
});

describe('what an older version kept', () => {
  test('under another key is sent', async () => {
    stored['calls.ann'] = JSON.stringify([{ id: 'old', line: 'x', wish: 'tea' }]);
    const { sent } = openPage(done, { older: ['calls.ann'] });
    await rest();
    expect([sent, stored]).toEqual([['old'], {}]);
  });

  test('in another form is read as what it meant, or left out', async () => {
    stored['calls/ann/before'] = JSON.stringify([{ id: 'old', drink: 'milk' }, { id: 'odd' }, 7, null]);
    const wishes: string[] = [];
    const readItem = (item: { id: string; drink?: string }) =>
      item.drink ? call(item.id, { wish: item.drink }) : null;
    openPage((one) => (wishes.push(one.wish), done(one)), { readItem });
    await rest();
    expect([wishes, stored]).toEqual([['milk'], {}]);
  });

  test.each(['', 'null', '{}', '[{', '"a"'])('that is damaged (%j) keeps nobody from working', async (text) => {
    stored['calls/ann/before'] = text;
    const { queue, sent } = openPage();
    queue.add(call('a'));
    await rest();
    expect(sent).toEqual(['a']);
  });
});
