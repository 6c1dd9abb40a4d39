import { expect, test } from 'vitest';
import {
  contactFieldErrors,
  normaliseCompanyNumber,
  normaliseVatNumber,
  normaliseBusinessDetails,
} from '#store/business-details.ts';

test.each([
  ['123456', '00123456'],
  ['sc 12345', 'SC012345'],
  ['00445790', '00445790'],
  ['IP1234R', 'IP01234R'],
  ['123456789', null],
  ['12345R', null],
  ['n/a', null],
])('the company number %j is %j', (typed, tidied) => {
  expect(normaliseCompanyNumber(typed)).toBe(tidied);
});

test.each([
  ['gb220430231', 'GB 220 4302 31'],
  ['220 4302 31', 'GB 220 4302 31'],
  ['GB 220-4302-31 001', 'GB 220 4302 31 001'],
  // By the second method, of numbers since 2009.
  ['XI110305878', 'XI 110 3058 78'],
  ['GB 220 4302 32', null],
  ['DE123456789', null],
  ['12', null],
])('the VAT number %j is %j', (typed, tidied) => {
  expect(normaliseVatNumber(typed)).toBe(tidied);
});

test('everything that is wrong is named at once, and what is empty stays', () => {
  const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV2I 2AA' };
  const { errors } = normaliseBusinessDetails({ address, company_number: 'x', vat_number: '1' });
  expect(Object.keys(errors)).toEqual(['address.postcode', 'company_number', 'vat_number']);
  const empty = { address: { ...address, postcode: '' }, company_number: null, vat_number: '' };
  expect(normaliseBusinessDetails(empty)).toEqual({ fields: empty, errors: {} });
  expect(normaliseBusinessDetails({ address: { ...address, postcode: 'cv212aa' } }).fields.address.postcode).toBe(
    'CV21 2AA',
  );
});

test('a wrong phone number and email address are faults, and missing ones are not', () => {
  expect(Object.keys(contactFieldErrors({ phone: '123', email: 'nonna' }))).toEqual(['phone', 'email']);
  expect(contactFieldErrors({ phone: ' (01788) 555123', email: ' nonna@example.com ' })).toEqual({});
  expect(contactFieldErrors({ phone: ' ', email: '' })).toEqual({});
});
