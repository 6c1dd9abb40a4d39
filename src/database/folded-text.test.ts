import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareNames } from '#platform/compare-names.ts';
import { foldText } from '#platform/fold-text.ts';
import { pureDraws } from '#testing/draws.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Of texts whose letters PostgreSQL's version of Unicode has, those that it folds in another way than browsers do. */
async function foldedElsewise(texts: readonly string[]): Promise<[string, string, string][]> {
  const { rows } = await database.pool.query<{ text: string; folded: string }>(
    'select text, fold_text(text) as folded from unnest($1::text[]) as each (text) where unicode_assigned(text)',
    [texts],
  );
  return rows.flatMap(({ text, folded }) => (folded === foldText(text) ? [] : [[text, folded, foldText(text)]]));
}

const isText = (text: string) => text.isWellFormed() && !text.includes('\0');

test('the database folds every letter as a browser does', async () => {
  const letters = Array.from({ length: 0x20_000 }, (_, code) => String.fromCodePoint(code)).filter(isText);
  expect(await foldedElsewise(letters)).toEqual([]);
});

test('the database folds every text as a browser does', async () => {
  const near = fc.constantFrom(..."aÉŁłßẞØæŒþıİςΣŉﬁ½\u0301\u0323\u0308´’‘ʼ`' -&한\u1100\u1161ガｶﾞต้मि".split(''));
  const drawn = fc.array(
    fc.string({ unit: fc.oneof(near, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) }),
    {
      minLength: 50,
      maxLength: 50,
    },
  );
  await fc.assert(
    fc.asyncProperty(drawn, async (texts) => {
      expect(await foldedElsewise(texts.filter(isText))).toEqual([]);
    }),
    { numRuns: pureDraws },
  );
});

test('null has no text', async () => {
  expect((await database.pool.query('select fold_text(null) as folded')).rows).toEqual([{ folded: null }]);
});

async function sorted(names: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    'select name from unnest($1::text[]) as each (name) order by name collate by_name',
    [names],
  );
  return rows.map(({ name }) => name);
}

test('the database sorts names as people do', async () => {
  const names = ['adam', 'Émile', 'Eve', 'Łucja', 'Lucy', 'Table 9', 'Table 10', 'Zed'];
  expect(await sorted(names.toReversed())).toEqual(names);
  expect(names.toReversed().toSorted(compareNames)).toEqual(names);
});

test('the database sorts names as browsers do', async () => {
  const letter = fc.constantFrom(...'aAbBcçČdeéÉęfgiıİjlłŁmnñoóøÖsśßtuüzżŻ0129 -αΑβΣςбБёйЯ'.split(''));
  const drawn = fc.uniqueArray(fc.string({ unit: letter, minLength: 1, maxLength: 6 }), {
    minLength: 2,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(drawn, async (names) => {
      const inOrder = await sorted(names);
      const outOfOrder = inOrder.filter((name, at) => at > 0 && compareNames(inOrder[at - 1] ?? '', name) > 0);
      expect(outOfOrder).toEqual([]);
    }),
    { numRuns: pureDraws },
  );
});
