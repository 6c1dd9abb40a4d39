import { expect, test } from 'vitest';
import { readTip, initialTip } from '#ordering/web/checkout/tip-choice.ts';

const typed = (text: string) => readTip({ preset: null, text }, 7000, 'GBP');

test.each([
  ['', 0],
  ['2.50', 250],
  ['2,5', 250],
  ['£3', 300],
  ['70', 7000],
])('%j is a tip', (text, amount) => {
  expect(typed(text)).toEqual({ amount, problem: null });
});

test.each([['-5'], ['abc'], ['1.239'], ['1e3'], ['70.01'], ['999']])('%j is none, and words say why', (text) => {
  expect(typed(text)).toEqual({ amount: 0, problem: expect.stringMatching(/£/) });
});

test.each([
  [{}, { preset: 0, text: '' }],
  [{ tip_choice: '200' }, { preset: 200, text: '' }],
  [
    { tip_choice: 'other', tip: '2.50' },
    { preset: null, text: '2.50' },
  ],
  [
    { tip_choice: '100', tip: '2.50' },
    { preset: 100, text: '2.50' },
  ],
  [{ tip_choice: '7' }, { preset: 0, text: '' }],
])('a draft of %j is taken up', (draft, choice) => {
  expect(initialTip(draft)).toEqual(choice);
});
