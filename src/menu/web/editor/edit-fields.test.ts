import { expect, test } from 'vitest';
import { readTypedNumber, readTypedPrice, readTypedText } from '#menu/web/editor/edit-fields.tsx';

const dish = { currency: 'GBP', empty: undefined, kept: 395 };

test('a price can be typed in the usual ways', () => {
  for (const [text, value] of [
    ['£4.20', 420],
    ['4.2', 420],
    [' 420p ', 420],
    ['0', 0],
  ] as const)
    expect(readTypedPrice(text, dish)).toEqual({ value });
});

test('an invalid price has an error beside its field and, after leaving it, a message with both the typed and the old price', () => {
  for (const typed of ['cheap', '1.2.3', '-4', '4.205']) {
    expect(readTypedPrice(typed, dish)).toEqual({
      problem: 'Enter an amount such as £1.50.',
      left: `“${typed}” is not a price; £3.95 was kept.`,
    });
  }
  expect(readTypedPrice(' ', dish)).toMatchObject({ left: 'A price is needed; £3.95 was kept.' });
});

test('an empty price is valid only where it has a meaning', () => {
  expect(readTypedPrice('', { currency: 'GBP', empty: null, kept: 100 })).toEqual({ value: null });
  expect(readTypedPrice('cheap', { currency: 'GBP', empty: null, kept: null })).toMatchObject({
    left: '“cheap” is not a price; the field stays empty.',
  });
});

test('a number outside its bounds is refused, not changed to the nearest bound', () => {
  const age = { min: 1, max: 99, empty: null, kept: 18 };
  for (const [text, value] of [
    ['1', 1],
    ['99', 99],
    ['', null],
  ] as const)
    expect(readTypedNumber(text, age)).toEqual({ value });
  for (const typed of ['0', '100', '-5', '1.5', 'old'])
    expect(readTypedNumber(typed, age)).toEqual({
      problem: 'Use a whole number from 1 to 99.',
      left: `“${typed}” is not a whole number from 1 to 99; 18 was kept.`,
    });
  expect(readTypedNumber('', { min: 0, max: 50, empty: undefined, kept: 2 })).toHaveProperty('problem');
});

test('a name is trimmed, and never empty', () => {
  expect(readTypedText(' Chips ', 'Fries', true)).toEqual({ value: 'Chips' });
  expect(readTypedText('  ', 'Fries', true)).toEqual({
    problem: 'Enter a text.',
    left: 'A name is needed; “Fries” was kept.',
  });
  expect(readTypedText(' ', 'Crisp', false)).toEqual({ value: '' });
});

test('a text is read as the server takes it: without the tags of a website', () => {
  const typed = ' <p>Still &amp; cold<br>330&nbsp;ml</p> ';
  expect(readTypedText(typed, 'Lemonade', true)).toEqual({ value: 'Still & cold, 330 ml' });
  expect(readTypedText('<b> </b>', 'Lemonade', true)).toMatchObject({ problem: expect.any(String) });
});
