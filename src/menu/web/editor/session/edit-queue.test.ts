import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeChangeOperation, type ChangedFields } from '#menu/operations/menu-operation.ts';
import {
  createEditQueue,
  type MenuEdit,
  type EditQueueState,
  type SendEditResult,
} from '#menu/web/editor/session/edit-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const edit = (id: string, fields: ChangedFields<'item'> = {}, was?: Record<string, unknown>): MenuEdit => ({
  id,
  label: id,
  operations: [makeChangeOperation('item', 'pizza', fields, was)],
});

function start(answers: SendEditResult[], left: MenuEdit[] = []) {
  const sent: MenuEdit[] = [];
  const done: string[] = [];
  const refused: string[] = [];
  const shown: { state: EditQueueState | null } = { state: null };
  const queue = createEditQueue(
    {
      send: async (one) => {
        sent.push(one);
        return answers.shift() ?? { kind: 'done' };
      },
      onChange: (state) => {
        shown.state = state;
      },
      onDone: (one) => void done.push(one.id),
      onRefused: (one) => void refused.push(one.id),
    },
    { keep: () => undefined, readOwn: () => [...left], takeOver: async () => undefined },
  );
  queue.start();
  return { queue, sent, done, refused, shown };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test('edits are sent one after another, in the order they were made', async () => {
  const { queue, sent, done, shown } = start([]);
  for (const id of ['a', 'b', 'c']) queue.add(edit(id));
  expect(sent.map(({ id }) => id)).toEqual(['a']);
  await settle();
  expect([sent.map(({ id }) => id), done]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
  expect(shown.state?.edits).toEqual([]);
});

test('an edit without an answer is stored, shown as waiting, and sent again until it is answered', async () => {
  const { queue, sent, done, shown } = start([{ kind: 'unanswered' }, { kind: 'unanswered' }]);
  queue.add(edit('a'));
  await settle();
  expect(shown.state).toMatchObject({ isStuck: true, edits: [{ id: 'a' }] });
  queue.wake();
  await settle();
  expect(sent.length).toBe(2);
  await vi.advanceTimersByTimeAsync(2000);
  expect([done, shown.state?.isStuck, shown.state?.edits]).toEqual([['a'], false, []]);
});

test('edits that an earlier page could not send are sent first', async () => {
  const { queue, sent } = start([], [edit('old')]);
  queue.add(edit('new'));
  await settle();
  expect(sent.map(({ id }) => id)).toEqual(['old', 'new']);
});

test('a refused edit is dropped and reported; the later ones continue', async () => {
  const { queue, done, refused } = start([{ kind: 'refused', error: new Error('gone') }]);
  queue.add(edit('a'));
  queue.add(edit('b'));
  await settle();
  expect([refused, done]).toEqual([['a'], ['b']]);
});

test('a reorder of a list that has changed is sent again for the current list', async () => {
  const { queue, sent, done } = start([{ kind: 'outrun', edit: edit('again') }]);
  queue.add(edit('a'));
  await settle();
  expect(sent.map(({ id }) => id)).toEqual(['a', 'again']);
  expect(done).toEqual(['again']);
});

describe('when somebody else changed the same field', () => {
  const conflict: SendEditResult = {
    kind: 'conflict',
    at: 0,
    fields: ['price'],
    current: { price: 700, name: 'Pizza' },
  };
  const mine = () => edit('a', { price: 900, name: 'P' }, { price: 800, name: 'Pizza' });

  test('every edit waits for a choice', async () => {
    const { queue, sent, shown } = start([conflict]);
    queue.add(mine());
    queue.add(edit('b'));
    await settle();
    queue.wake();
    await settle();
    expect(sent.length).toBe(1);
    expect(shown.state?.conflict).toMatchObject({ fields: ['price'], current: { price: 700 } });
  });

  test('`mine` overwrites the value that was shown, and no other', async () => {
    const { queue, sent, done } = start([conflict]);
    queue.add(mine());
    await settle();
    queue.settle('mine');
    await settle();
    expect(sent[1]?.operations).toEqual([
      makeChangeOperation('item', 'pizza', { price: 900, name: 'P' }, { price: 700, name: 'Pizza' }),
    ]);
    expect(done).toEqual(['a']);
  });

  test('`theirs` keeps the other value, and the rest of the edit is made', async () => {
    const { queue, sent } = start([conflict]);
    queue.add(mine());
    await settle();
    queue.settle('theirs');
    await settle();
    expect(sent[1]?.operations).toEqual([makeChangeOperation('item', 'pizza', { name: 'P' }, { name: 'Pizza' })]);
  });

  test('`theirs` drops an edit that changes nothing else', async () => {
    const { queue, sent, shown } = start([conflict]);
    queue.add(edit('a', { price: 900 }, { price: 800 }));
    await settle();
    queue.settle('theirs');
    await settle();
    expect([sent.length, shown.state?.edits]).toEqual([1, []]);
  });
});
