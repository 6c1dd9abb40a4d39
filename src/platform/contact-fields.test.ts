import { expect, test } from 'vitest';
import { Email, EmailOrNone, Name, Phone, PhoneOrNone } from '#platform/contact-fields.ts';
import { toPlainLines } from '#platform/plain-text.ts';

test.each([
  ['\u202A+44 7700 900123\u202C', '+44 7700 900123'],
  ['07700\u2011900\u2011123', '07700-900-123'],
  ['07700\u00A0900\u2009123', '07700 900 123'],
  ['(01632)\u200B 960001\uFEFF', '(01632) 960001'],
  ['０１６３２ ９６０００１', '01632 960001'],
  ['07700 900123\n', '07700 900123'],
])('a phone number pasted as %j is %s', (pasted, plain) => {
  expect(Phone.parse(pasted)).toBe(plain);
});

test.each(['-------', '(.) (.) (.)', '+44 77', '07700 900123 07700 900123', '07700 900123 or', ''])(
  'the phone number %j is refused',
  (text) => {
    expect(Phone.safeParse(text).error?.issues[0]?.message).toContain('phone number');
  },
);

test.each([
  ['name&name@example.com', 'name&name@example.com'],
  [' Ada\u200B@Example.com\u00A0', 'ada@example.com'],
  ["o'neill+food@mail.example.co.uk", "o'neill+food@mail.example.co.uk"],
  ['info@grün.example', 'info@xn--grn-ioa.example'],
  ['info@xn--grn-ioa.example', 'info@xn--grn-ioa.example'],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
])('the address %j is %s', (typed, address) => {
  expect(Email.parse(typed)).toBe(address);
});

test.each([
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'ada@@example.com',
  'ada@exa mple.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada@-example.com',
  'ada@example.com/x',
  'ada@grün.example/x',
  'ada@grün.example:80',
  'ada <ada@example.com>',
  'ada@127.0.0.1',
  `${'a'.repeat(110)}@example.com`,
])('the address %j is refused', (typed) => {
  expect(Email.safeParse(typed).success).toBe(false);
});

test('none is taken where none is needed', () => {
  expect([EmailOrNone.parse(' '), PhoneOrNone.parse('')]).toEqual(['', '']);
  expect(EmailOrNone.safeParse('ada').success).toBe(false);
  expect(PhoneOrNone.safeParse('-------').success).toBe(false);
});

test('a name loses what nobody sees, and keeps the joiners that spell it', () => {
  expect(Name.parse('\u200FAda\u200B\tByron\u2028 ')).toBe('Ada Byron');
  expect(Name.parse('علی\u200Cرضا')).toBe('علی\u200Cرضا');
  expect(Name.parse('ക്\u200Dഷ')).toBe('ക്\u200Dഷ');
  // A Malayalam name that ends in a consonant, and a Bengali one whose virama is kept apart.
  for (const name of ['അനില്\u200D കുമാര്\u200D', 'র\u200D্যাচেল', 'അനില്\u200D'])
    expect(Name.parse(`\u200E${name}\u200B`)).toBe(name);
  expect(Name.parse('Ada\u200D Byron\u200C')).toBe('Ada Byron');
  for (const blank of ['\u3164', '\u2800', '\u034F', '\uFFA0']) expect(Name.safeParse(blank).success).toBe(false);
  for (const picture of ['👨‍🍳', '👩🏽‍🍳', '❤️‍🔥', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) expect(Name.parse(`\u200E${picture} Ada`)).toBe(`${picture} Ada`);
  expect(Name.safeParse('\u200B\u200D').success).toBe(false);
});

test('a note keeps its lines, and nothing turns round or is hidden in it', () => {
  expect(toPlainLines('No nuts\r\n\u202Eab\u200Bc\u202C\nplease')).toBe('No nuts\nabc\nplease');
});

test('an address that only receives mail keeps its capitals', () => {
  expect(EmailOrNone.parse('Ada.Lovelace@Example.COM')).toBe('Ada.Lovelace@Example.COM');
});
