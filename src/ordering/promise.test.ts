import { describe, expect, test } from 'vitest';
import { cookingStartTime, orderLeadTime, promisedTimeFor } from '#ordering/promise.ts';
import { aStore, aZone } from '#ordering/testing/samples.ts';

const at = (clock: string) => new Date(`2026-11-20T${clock}:00.000Z`);
const now = at('18:00');
const zones = [aZone(['CV21'], { extra_minutes: 15 }), aZone(['CV22'], { extra_minutes: 25 })];
const shop = aStore({ prep_minutes: 20, busy_extra_minutes: 5, delivery_zones: zones });
const order = { fulfilment_type: 'collection', prep_minutes: 0, requested_for: null } as const;
const delivery = { ...order, fulfilment_type: 'delivery', address: { postcode: 'cv22 1ab' } } as const;

describe('a promise', () => {
  test.each<[string, Parameters<typeof promisedTimeFor>[1], number | undefined, string]>([
    ['is the minutes given', order, 45, '18:45'],
    ['or the kitchen’s', order, undefined, '18:25'],
    ['with the way', delivery, undefined, '18:50'],
    ['with a slow dish', { ...order, prep_minutes: 60 }, undefined, '19:05'],
    ['with a slow dish and the way', { ...delivery, prep_minutes: 60 }, undefined, '19:30'],
    ['with a dish faster than the shop', { ...order, prep_minutes: 5 }, undefined, '18:25'],
    ['is the slot', { ...order, requested_for: at('20:00') }, undefined, '20:00'],
    ['as it is sent, too', { ...order, requested_for: at('20:00').toISOString() }, undefined, '20:00'],
    [
      'is the slot, whatever the dish takes',
      { ...order, prep_minutes: 240, requested_for: at('20:00') },
      undefined,
      '20:00',
    ],
    ['is the slot, whatever fewer minutes', { ...order, requested_for: at('20:00') }, 45, '20:00'],
    ['is later than the slot if it must be', { ...order, requested_for: at('20:00') }, 150, '20:30'],
    ['is now, when the slot is past', { ...order, requested_for: at('17:30') }, undefined, '18:00'],
  ])('%s', (_, wanted, minutes, expected) => {
    expect(promisedTimeFor(shop, wanted, now, minutes)).toEqual(at(expected));
  });
});

describe('cooking', () => {
  const scheduled = { requested_for: at('20:00'), promised_at: at('20:00') };

  test('starts the cooking and the way before the promise; a rush of now does not count', () => {
    expect(cookingStartTime(shop, { ...delivery, ...scheduled })).toEqual(at('19:15'));
    expect(cookingStartTime(shop, { ...order, ...scheduled, prep_minutes: 45 })).toEqual(at('19:15'));
  });

  test('moves with the promise', () => {
    expect(cookingStartTime(shop, { ...order, ...scheduled, promised_at: at('20:30') })).toEqual(at('20:10'));
  });

  test('has no time of its own where the order is wanted as soon as possible', () => {
    expect(cookingStartTime(shop, { ...order, promised_at: at('18:25') })).toBeNull();
  });
});

test('whoever may not see the address is told the shortest way', () => {
  const { address: _address, ...seen } = delivery;
  expect(orderLeadTime(shop, seen).fromNow).toBe(40 * 60_000);
});
