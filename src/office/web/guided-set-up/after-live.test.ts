import { describe, expect, test } from 'vitest';
import type { Onboarding } from '#office/contract.ts';
import { type OnboardingStepName, onboardingStepNames } from '#office/onboarding.ts';
import { nextOrderTimeWords, nextTasks, shopUrlsForPhones } from '#office/web/guided-set-up/after-live.ts';
import { weekdays } from '#database/page-values.ts';
import { aStore } from '#ordering/testing/samples.ts';
import type { StaffStore } from '#store/contract.ts';

const now = new Date('2026-11-21T19:00:00Z');
const until = '2026-11-21T21:00:00Z';
const shop = (change: Partial<StaffStore>) =>
  aStore({
    operational_hours: weekdays.map((day) => ({ day, open: '17:00', close: '22:00' })),
    collection_enabled: true,
    delivery_enabled: true,
    logo: null,
    card_provider: null,
    ...change,
  }) as StaffStore;

describe('a live shop says when the next order can come', () => {
  const pause = (way: 'collection' | 'delivery') => ({ fulfilment_type: way, until, reason: '' });
  test.each<[string, Partial<StaffStore>, boolean, RegExp]>([
    ['nothing came yet', {}, false, /the first order can come at once/],
    ['one way is paused', { pauses: [pause('delivery')] }, false, /the first order can come at once/],
    [
      'both ways are paused',
      { pauses: [pause('delivery'), pause('collection')] },
      false,
      /every way to order is paused/,
    ],
    ['its only way is paused', { delivery_enabled: false, pauses: [pause('collection')] }, false, /is paused/],
    ['orders come', {}, true, /^You are open now, and customers are ordering\.$/],
  ])('%s', (_name, change, hasOrder, words) => {
    expect(nextOrderTimeWords(shop(change), hasOrder, now)).toMatch(words);
  });

  test('closed, without pre-orders, after the first order', () => {
    const tonight = new Date('2026-11-21T23:00:00Z');
    const closed = shop({ preorder_days: 0 });
    expect(nextOrderTimeWords(closed, false, tonight)).toMatch(/The first order can come then/);
    expect(nextOrderTimeWords(closed, true, tonight)).not.toMatch(/first order/);
  });
});

test.each<[string, Parameters<typeof shopUrlsForPhones>, ReturnType<typeof shopUrlsForPhones>]>([
  [
    'with a configured name, whichever page is open',
    ['https://nonna.example', 'http://localhost:3000', ['192.168.1.20']],
    { addresses: ['https://nonna.example'], reach: 'https' },
  ],
  [
    'with a configured name without https',
    ['http://nonna.example', 'http://localhost:3000', []],
    { addresses: ['http://nonna.example'], reach: 'http' },
  ],
  [
    'with a configured address of the device itself, opened in the network',
    ['http://localhost:3000', 'http://192.168.1.20:3000', ['192.168.1.20']],
    { addresses: ['http://192.168.1.20:3000'], reach: 'local' },
  ],
  [
    'on a server, opened at its public address',
    [null, 'http://8.8.8.8:3000', ['8.8.8.8']],
    { addresses: ['http://8.8.8.8:3000'], reach: 'http' },
  ],
  [
    'on a server, opened through a tunnel',
    [null, 'http://localhost:3000', ['8.8.8.8', '10.0.0.7']],
    { addresses: ['http://8.8.8.8:3000', 'http://10.0.0.7:3000'], reach: 'http' },
  ],
  [
    'on the shop’s computer',
    [null, 'http://localhost:3000', ['192.168.1.20']],
    { addresses: ['http://192.168.1.20:3000'], reach: 'local' },
  ],
  ['under the computer’s name', [null, 'http://till.local', []], { addresses: ['http://till.local'], reach: 'local' }],
  ['on a computer without a network', [null, 'http://localhost:3000', []], { addresses: [], reach: 'local' }],
])('phones open a shop %s', (_name, input, expected) => {
  expect(shopUrlsForPhones(...input)).toEqual(expected);
});

test('steps that nobody checked come first, and what is done is not named', () => {
  const onboarding = (open: readonly OnboardingStepName[]): Onboarding => ({
    is_shown: true,
    steps: onboardingStepNames.map((name) => ({ name, state: open.includes(name) ? 'check' : 'done' })),
    proposed_location: null,
    nearby: [],
    local_addresses: [],
    sends_mail: true,
    has_customer_order: false,
    has_second_factor: true,
  });
  const paths = (open: readonly OnboardingStepName[], store: Partial<StaffStore>, hasSecondPlace: boolean) =>
    nextTasks(onboarding(open), shop(store), hasSecondPlace).map(({ path }) => path);
  expect(paths(['payment', 'paper', 'allergens', 'pin', 'hours'], {}, false)).toEqual([
    '/admin/set-up?step=hours',
    '/admin/set-up?step=pin',
    '/admin/set-up?step=allergens',
    '/admin/set-up?step=payment',
    '/admin/payments/setup',
    '/admin/printers',
    '/store/manage?section=look',
    '/admin/backups',
  ]);
  expect(paths([], { card_provider: 'stripe', logo: '/uploads/logo.webp' }, true)).toEqual([]);
});
