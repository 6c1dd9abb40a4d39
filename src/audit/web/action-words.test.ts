import { expect, test } from 'vitest';
import { actionWords, auditFieldWords, auditValueWords } from '#audit/web/action-words.ts';
import { contract } from '#contract.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';

/** Calls that no member of staff makes to change something for others. */
const unlisted =
  /\/auth\/(login|register|logout$|sign-ins|forgot|send-ver|verify|social|identities|passkey-sign-in|user\/orders)|orders\/\{id\}\/(arrived|rating)|account-link|broadcasting|user-auth|webhooks|check-update|devices\/heartbeat|setup|quote|menu-drafts|menu-pages|menu-photos|prints\/(claim|\{id\}\/result)$/;

test('every change that staff can make has words of its own', () => {
  const calls = Object.entries(contract as Record<string, Endpoint>).map(([key]) => key);
  const changing = calls.filter((key) => !key.startsWith('GET ') && !unlisted.test(key));
  expect(changing.filter((key) => !actionWords(key))).toEqual([]);
  expect(changing.length).toBeGreaterThan(50);
});

test.each([
  ['PATCH /v1/items/{id}', 'Changed a dish'],
  ['POST /v1/orders/{id}/undo', 'Undid the last step of an order'],
  ['POST /v1/menu-imports/{id}/undo', 'Undid an import'],
  ['POST /v1/option-groups/{id}/options/add', 'Added an option to a set of choices'],
  ['POST /v1/categories/{id}/items/remove', 'Removed a dish from a category'],
  ['POST /v1/orders/{id}/lines/remove', 'Took a dish off an order'],
  ['POST /v1/orders/{id}/lines/done', 'Ticked dishes of an order'],
  ['DELETE /v1/staff/{id}', 'Deleted a member of staff'],
  ['DELETE /v1/staff/{id}/factors', "Removed someone's second factor"],
  ['POST /v1/printers', 'Created a printer'],
  ['DELETE /v1/auth/factors', 'Removed the second factors of an account, on the shop’s computer'],
  ['PATCH /v1/auth/password', 'Set the password of an account, on the shop’s computer'],
  ['POST /v1/printers/{id}/test', 'Printed a test page'],
])('%s reads: %s', (action, words) => {
  expect(actionWords(action)).toBe(words);
});

test('fields and values read as words', () => {
  expect(auditFieldWords('is_accepting_orders')).toBe('Is accepting orders');
  const fields: [name: string, value: unknown][] = [
    ['note', null],
    ['note', ''],
    ['is_active', true],
    ['prep_minutes', 5],
    ['price', 175],
    ['vat_rate', 2000],
    ['closures', { a: 1 }],
  ];
  const words = fields.map(([name, value]) => auditValueWords(name, value, 'GBP'));
  expect(words).toEqual(['–', '–', 'yes', '5', '£1.75', '20%', '{"a":1}']);
});
