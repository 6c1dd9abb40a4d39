/** Numbers that are too large, too small or not numbers, for any field. */
export const hostileNumbers: readonly unknown[] = [
  -1,
  0,
  0.1,
  1e-300,
  1e300,
  2147483648,
  -2147483649,
  9007199254740992,
  '1',
  'NaN',
  '-Infinity',
  '0x10',
  '1e999',
];

/** Texts that have a special meaning for a database, a page or a shell. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202Eevil\u202C \u{1F469}\u200D\u{1F373} Z\u0351\u036B\u0343',
  '\uFEFF\u200B\uFFFF',
  "'; drop table orders; --",
  '" or 1=1 --',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{{7*7}} ${7*7} %s%n $(id)',
  '../../../../etc/passwd',
  '%00%2e%2e',
  'x'.repeat(100_000),
  '\r\nset-cookie: a=b',
];

export const hostileTimes: readonly string[] = [
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-14:00',
  '2026-11-21T18:30:00+14:00',
  '2026-02-30T12:00:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T18:30:00.123456789Z',
  '+275760-09-13T00:00:00Z',
  '1969-12-31T23:59:59Z',
];

export const hostileDates: readonly string[] = ['0000-01-01', '9999-12-31', '2026-02-30', '0001-01-01', '1900-02-29'];

export const hostileShapes: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  ['x', 1, null],
  { length: 1e9 },
  { $ne: null },
  nested(2000),
];

/** Names with a special meaning in JavaScript. */
export const extraFields =
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"role":"admin"}},"role":"admin","id":1}';

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A seeded random generator, so that a failure can be reproduced (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
