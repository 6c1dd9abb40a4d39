import { expect, test } from 'vitest';
import { contract } from '#contract.ts';
import { setFriendlyZodMessages } from '#platform/http/parse.ts';
import type { Language } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';

const contact = { name: 'Ana', phone: '07700 900123', email: '' };
const line = { item_id: '018f3b6e-7c1a-7d2e-9f00-000000000001', quantity: 1, options: [] };
const order = {
  store_id: '018f3b6e-7c1a-7d2e-9f00-000000000002',
  fulfilment_type: 'delivery',
  session: 'd9428888-122b-41e1-b85c-61d3a9f0c7b1',
  contact,
  payment_method: 'cash',
  lines: [line],
};
const blank = { name: ' ', email: '', phone: '', password: '' };

type CustomersCall =
  | 'POST /v1/auth/register/customer'
  | 'POST /v1/auth/login'
  | 'PATCH /v1/auth/user'
  | 'POST /v1/orders';

const forms: [string, CustomersCall, unknown][] = [
  ['nothing', 'POST /v1/auth/register/customer', {}],
  ['blank fields', 'POST /v1/auth/register/customer', blank],
  ['wrong fields', 'POST /v1/auth/register/customer', { name: 'A'.repeat(90), email: 'x@', phone: 'x', password: 'x' }],
  ['blank fields', 'POST /v1/auth/login', blank],
  ['wrong fields', 'PATCH /v1/auth/user', { ...blank, phone: 'x', addresses: [{ line1: '', postcode: '' }] }],
  ['nothing', 'POST /v1/orders', {}],
  ['an empty basket', 'POST /v1/orders', { ...order, lines: [] }],
  ['an odd quantity', 'POST /v1/orders', { ...order, lines: [{ ...line, quantity: 100 }] }],
  ['no quantity', 'POST /v1/orders', { ...order, lines: [{ ...line, quantity: 0 }] }],
  ['a blank contact', 'POST /v1/orders', { ...order, contact: { name: '', phone: '', email: 'x@' } }],
  ['a wrong phone', 'POST /v1/orders', { ...order, contact: { ...contact, phone: 'x' } }],
  ['a blank address', 'POST /v1/orders', { ...order, address: { line1: '', postcode: '' } }],
  ['long notes', 'POST /v1/orders', { ...order, note: 'x'.repeat(501), requested_for: 'soon' }],
];

test.each(forms)('%s in %s is refused in Polish, field by field', (_, call, body) => {
  setFriendlyZodMessages();
  const english = refusalsOf(call, body, 'en');
  const polish = refusalsOf(call, body, 'pl');
  expect(polish.map(({ path }) => path)).toEqual(english.map(({ path }) => path));
  expect(polish.length).toBeGreaterThan(0);
  const said = new Set(english.map(({ message }) => message));
  expect(polish.filter(({ message }) => said.has(message) || /input/i.test(message))).toEqual([]);
});

function refusalsOf(call: CustomersCall, body: unknown, language: Language) {
  return runInLanguage(language, () => {
    const { error } = contract[call].body.safeParse(body);
    return (error?.issues ?? []).map(({ path, message }) => ({ path, message }));
  });
}
