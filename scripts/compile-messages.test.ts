import { stripTypeScriptTypes } from 'node:module';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plural, select } from '#platform/message-forms.ts';
import { compileMessage, untranslatedKeys, untranslatedSummary } from './compile-messages.ts';

/** The text of a message for some inputs. */
function say(language: string, text: string, inputs: Record<string, string | number> = {}): unknown {
  const code = stripTypeScriptTypes(compileMessage(language, 'said', text)).replace('export const said =', 'return');
  // The compiler generates code, and only running the code shows its text.
  // oxlint-disable-next-line no-new-func
  const made: unknown = new Function('plural', 'select', code)(plural, select);
  return (made as (inputs: Record<string, string | number>) => unknown)(inputs);
}

describe('a message', () => {
  test('contains the values that it is given', () => {
    expect(say('en', '{name}: at most {max} in one order.', { name: 'Chips', max: 3 })).toBe(
      'Chips: at most 3 in one order.',
    );
  });

  test('keeps every character of its text, even those with a meaning in code', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !/[{}']/.test(each));
    fc.assert(
      fc.property(text, (own) => {
        expect(say('en', `${own}{name}`, { name: '$&' })).toBe(`${own}$&`);
      }),
    );
    expect(say('en', `The shop's \`\${price}\`\n\\n`.replace('{price}', "'{'price'}'"))).toBe(
      "The shop's `${price}`\n\\n",
    );
  });

  test.each([
    [1, '1 pozycja'],
    [2, '2 pozycje'],
    [5, '5 pozycji'],
    [12, '12 pozycji'],
    [22, '22 pozycje'],
    [1.5, '1.5 pozycji'],
  ])('has the Polish plural of %d', (count, said) => {
    const forms = 'one {{count} pozycja} few {{count} pozycje} many {{count} pozycji} other {{count} pozycji}';
    expect(say('pl', `{count, plural, ${forms}}`, { count })).toBe(said);
  });

  test('is chosen by a value, also within another choice, and the last form is for all other values', () => {
    const text = '{kind, select, asap {{count, plural, one {Now} other {Now {count}}}} other {Later}}';
    expect(say('en', text, { kind: 'asap', count: 2 })).toBe('Now 2');
    expect(say('en', text, { kind: 'nonsense', count: 2 })).toBe('Later');
  });

  test('has the types of all values that it takes', () => {
    const text = '{shop}: {count, plural, one {one of {kind, select, a {A} other {{name}}}} other {{count}}}';
    expect(compileMessage('en', 'watch_seen', text)).toContain(
      'export const watch_seen = (i: { shop: string | number; count: number; kind: string; name: string | number }) => ',
    );
  });

  test.each([
    ['an open brace', 'Hello {name'],
    ['a plural that the language does not have', '{count, plural, one {1} few {2} other {3}}'],
    ['no word for other numbers', '{count, plural, one {1}}'],
    ['a format', '{price, number}'],
  ])('with %s is refused by its name', (_what, text) => {
    expect(() => compileMessage('en', 'menu_wrong', text)).toThrow(/menu_wrong in en/);
  });
});

test('a language may lack keys of the default language, but may not have further ones', () => {
  expect(untranslatedKeys('pl', { a_b: 'b' }, { a_b: 'b', a_c: 'c' })).toEqual(['a_c']);
  expect(() => untranslatedKeys('pl', { a_d: 'd' }, { a_b: 'b' })).toThrow('a_d');
});

test('the messages that a language lacks are listed by domain', () => {
  const base = { shop_open: 'Open', shop_closed: 'Closed', office_menu: 'Menu', office_pages: 'Pages' };
  expect(untranslatedSummary('pl', { shop_open: 'Otwarte' }, base)).toBe(
    'pl lacks these messages, which are shown in en:\n  shop: 1 of 2: shop_closed\n  office: all 2\n',
  );
  expect(untranslatedSummary('en', base, base)).toBe('');
});
