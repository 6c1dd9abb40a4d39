import { expect, test } from 'vitest';
import { searchableWordSuffixes, foldText, foldedWordsOf } from '#platform/fold-text.ts';

test.each([
  ['Jalapeño', 'jalapeno'],
  ['Jalapen\u0303o', 'jalapeno'],
  ['Großer Döner', 'grosser doner'],
  ['ŁÓDŹ', 'lodz'],
  ['O’Neill', 'oneill'],
  ["O'Neill", 'oneill'],
  ['O´Neill', 'oneill'],
  ['ΚΏΣΤΑΣ', 'κωστασ'],
  ['Smørrebrød', 'smorrebrod'],
  ['ﬁsh', 'fish'],
  // A vowel is no accent, and a letter that has been one sign stays one.
  ['ต้มยำ', 'ต้มยำ'.normalize('NFKD').normalize('NFC')],
  ['김치', '김치'],
  ['ガ', 'ガ'],
])('%s is searched as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test.each([
  ['Fish & chips', ['fish', 'chips']],
  ['fish and chips', ['fish', 'chips']],
  ['Fish ’n’ chips', ['fish', 'chips']],
  ['fish + chips', ['fish', 'chips']],
  ['No cheese', ['-cheese']],
  ['Burger, no cheese', ['burger', '-cheese']],
  ['Burger sans fromage', ['burger', '-fromage']],
  ['Pizza ohne Käse', ['pizza', '-kase']],
  ['No. 5', ['no', '5']],
  ['no', ['no']],
  ['and', ['and']],
  ['  ', []],
])('the words of %j are %j', (text, words) => {
  expect(foldedWordsOf(text)).toEqual(words);
});

test('a word may begin anywhere where words are not separated', () => {
  expect(searchableWordSuffixes('宫保鸡丁')).toEqual(['宫保鸡丁', '保鸡丁', '鸡丁', '丁']);
  expect(searchableWordSuffixes('chips')).toEqual(['chips']);
});
