import { describe, expect, test } from 'vitest';
import { commentsOf, findParaphrases } from './comments.ts';

test.each<[string, string[]]>([
  ['// one\n// sentence\nconst a = 1; // beside', ['one sentence', 'beside']],
  ['/**\n * A docstring\n * of two lines.\n */\nconst a = 1;', ['A docstring of two lines.']],
  ["const url = 'https://example.com'; // only this", ['only this']],
  ['// oxlint-disable-next-line no-console -- what it logs\nconst a = /* @__PURE__ */ make();', []],
])('of %j it reads %j', (text, comments) => expect(commentsOf('file.ts', text)).toEqual(comments));

test('comments of pages are read too', () => {
  expect(commentsOf('page.tsx', 'const page = <p>{/* inside */}</p>;')).toEqual(['inside']);
});

test('comments of style sheets are read too', () => {
  const text = '/* What stays\n   in view. */\n.a {\n  color: red; /* beside */\n}';
  expect(commentsOf('a.module.css', text)).toEqual(['What stays in view.', 'beside']);
  expect(findParaphrases('a.module.css', text)).toEqual({
    starts: ['What stays in view.'],
    whats: ['What stays in view.'],
  });
});

describe.each([
  ['/** What the shop shows. */', 1, 1],
  ['/** Null at first. Who has it is not told. */', 1, 0],
  ['/** The rest: what is left. */', 0, 1],
  ['/** Whoever asks: Those that wait. */', 1, 0],
  ['/** The whole order, and whatever follows. */', 0, 0],
])('%j', (text, starts, whats) => {
  test(`has ${starts} such beginnings, and ${whats} times "what"`, () => {
    const found = findParaphrases('file.ts', text);
    expect([found.starts.length, found.whats.length]).toEqual([starts, whats]);
  });
});
