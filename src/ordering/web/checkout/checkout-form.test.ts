import { expect, test } from 'vitest';
import type { User } from '#accounts/contract.ts';
import { allergyNote, initialAllergyNote } from '#ordering/web/checkout/checkout-field-values.ts';
import { initialAddress } from '#ordering/web/checkout/checkout-address.tsx';
import { type CheckoutDraft, draftFromForm } from '#ordering/web/checkout/checkout-draft.ts';

test.each([
  [[], ''],
  [['peanuts'], 'Peanuts'],
  [['peanuts', 'milk'], 'Milk, peanuts'],
  [['no allergen that we know', 'eggs'], 'Eggs'],
])('allergies to %j are said to the kitchen as %j', (allergies, note) => {
  expect(allergyNote({ allergies })).toBe(note);
});

/** After fields were edited, one after the other; each is stored with the note that the page showed. */
function edit(shown: string, ...edits: [field: string, value: string][]): CheckoutDraft {
  const form = new FormData();
  form.set('allergy_note', shown);
  return edits.reduce<CheckoutDraft>((before, [field, value]) => {
    form.set(field, value);
    return draftFromForm(form, field, before);
  }, {});
}

const milk = { allergies: ['milk'] };

test('a note that nobody edited follows the profile of whoever signs in, whatever else was edited', () => {
  const draft = edit('', ['contact.name', 'Grace Hopper']);
  expect(draft).toEqual({ 'contact.name': 'Grace Hopper' });
  expect(initialAllergyNote(draft, milk)).toBe('Milk');
  expect(initialAllergyNote(edit('Sesame', ['contact.phone', '07700 900456']), milk)).toBe('Milk');
  expect(initialAllergyNote({}, null)).toBe('');
});

test.each(['No kiwi please', ''])('a note that was edited to "%s" stays, also beside a profile', (note) => {
  const draft = edit('Sesame', ['allergy_note', note], ['contact.name', 'Grace Hopper']);
  expect(draft).toEqual({ allergy_note: note, 'contact.name': 'Grace Hopper' });
  expect([initialAllergyNote(draft, milk), initialAllergyNote(draft, null)]).toEqual([note, note]);
});

test('a box that was ticked and unticked is no longer in the draft', () => {
  const form = new FormData();
  form.set('cutlery', 'on');
  const ticked = draftFromForm(form, 'cutlery', {});
  form.delete('cutlery');
  form.set('note', 'Blue door');
  expect([ticked, draftFromForm(form, 'cutlery', ticked)]).toEqual([{ cutlery: 'on' }, { note: 'Blue door' }]);
});

const home = { line1: '1 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };

test.each([
  ['', home],
  ['CV2', home],
  ['cv21 2aa', home],
  ['CV21 3BB', null],
])('with the postcode "%s" from the basket, the saved address is %j', (postcode, picked) => {
  const user = { addresses: [home] } as unknown as User;
  const start = initialAddress({ draft: {}, user, postcode });
  expect([start.picked, start.typed.line1]).toEqual([picked, picked?.line1 ?? '']);
});
