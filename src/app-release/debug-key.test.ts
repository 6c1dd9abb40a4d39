import { expect, test } from 'vitest';
import { isDebugKey } from '#app-release/debug-key.ts';

test.each(['CN=Hatch debug', 'C=US, O=Android, CN=Android Debug', 'CN=Android Debug,O=Android,C=US'])(
  '%s is a debug key',
  (subject) => expect(isDebugKey(subject)).toBe(true),
);

test.each(['CN=The Hatch', 'CN=Hatch debugging Ltd', 'O=Hatch debug, CN=Shop', ''])('%s is none', (subject) =>
  expect(isDebugKey(subject)).toBe(false),
);
