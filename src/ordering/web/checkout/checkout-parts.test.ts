import { expect, test } from 'vitest';
import { partsToOpen } from '#ordering/web/checkout/checkout-parts.tsx';

const complete = { where: true, when: true, who: true, notes: true, pay: true };

test.each([
  ['nothing is missing', {}, {}, []],
  ['only the first incomplete part', { where: false, who: false }, {}, ['where']],
  ['a later incomplete part, once those before it are complete', { who: false }, {}, ['who']],
  ['a part with an error, beside the incomplete one', { who: false }, { 'address.postcode': ['?'] }, ['where', 'who']],
  ['a part whose own field has an error', {}, { payment_method: ['?'], note: ['?'] }, ['notes', 'pay']],
  ['no part for an error outside the parts', {}, { 'lines.0': ['?'], tip: ['?'] }, []],
])('open: %s', (_what, missing, errors, open) => {
  expect(partsToOpen({ ...complete, ...missing }, errors)).toEqual(open);
});
