import { describe, expect, test } from 'vitest';
import {
  type OnboardingFacts,
  onboardingStepNames,
  onboardingSteps,
  stepsBeforeLive,
  hasNoTodoStep,
  type OnboardingStepName,
  type OnboardingStepState,
  type OnboardingStore,
} from '#office/onboarding.ts';
import { weekdays } from '#database/page-values.ts';

const every = (open: string, close: string) => weekdays.map((day) => ({ day, open, close }));
const store: OnboardingStore = {
  name: 'Nonna’s',
  phone: '01788 555123',
  address: { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA' },
  operational_hours: every('17:00', '22:00').slice(0, 5),
  payment_methods: { collection: ['cash', 'card'], delivery: ['cash'] },
  card_provider: 'stripe',
  collection_enabled: true,
  delivery_enabled: false,
  delivery_zones: [],
  location_confirmed: true,
  is_accepting_orders: true,
};
const margherita = { name: 'Margherita', isStated: true };
const donner = { name: 'Lamb Donner', isStated: true };
const ready: OnboardingFacts = {
  store,
  demo: null,
  dishes: [margherita],
  cardMode: 'live',
  hasPrinter: true,
  hasDevice: false,
  hasColleague: true,
  orders: { isAny: true, isAccepted: true },
  settled: new Set(['ways']),
};
const invented = {
  store: { ...store, name: 'Coalfinch', phone: '01632 960147', operational_hours: every('12:00', '14:30') },
  dishes: new Set(['Margherita', 'Lamb Donner']),
};
invented.store.address = { ...store.address, line1: '27 Fennel Row' };
const stateOf = (name: OnboardingStepName, facts: Partial<OnboardingFacts>): OnboardingStepState | undefined =>
  onboardingSteps({ ...ready, ...facts }).find((step) => step.name === name)?.state;

test('a shop that has all of it is ready', () => {
  const steps = onboardingSteps(ready);
  expect(steps.map(({ state }) => state)).toEqual(onboardingStepNames.map(() => 'done'));
  expect(hasNoTodoStep(steps)).toBe(true);
});

test('a step that may stay as it is waits for the owner, and settled it is done', () => {
  const plain: OnboardingFacts = {
    ...ready,
    store: {
      ...store,
      operational_hours: every('17:00', '22:00'),
      payment_methods: { collection: ['cash'], delivery: ['cash'] },
      location_confirmed: false,
    },
    dishes: [{ name: 'Margherita', isStated: false }],
    hasPrinter: false,
    hasColleague: false,
    settled: new Set(),
  };
  const waiting = onboardingSteps(plain).filter(({ state }) => state === 'check');
  const names = waiting.map(({ name }) => name);
  expect(names).toEqual(['pin', 'hours', 'ways', 'allergens', 'payment', 'paper', 'people']);
  expect(hasNoTodoStep(onboardingSteps(plain))).toBe(true);
  // A pin that waits again after a new postcode was settled before.
  const left = onboardingSteps({ ...plain, settled: new Set(names) }).filter(({ state }) => state !== 'done');
  expect(left).toEqual([{ name: 'pin', state: 'check' }]);
});

test('a missing thing cannot be settled, and only what nobody can order without holds the shop back', () => {
  const missing: OnboardingFacts = {
    ...ready,
    store: { ...store, delivery_enabled: true, is_accepting_orders: false },
    dishes: [],
    orders: { isAny: false, isAccepted: false },
    settled: new Set(onboardingStepNames),
  };
  const steps = onboardingSteps(missing);
  expect(steps.filter(({ state }) => state === 'todo').map(({ name }) => name)).toEqual([
    'ways',
    'menu',
    'test_order',
    'go_live',
  ]);
  expect(stepsBeforeLive(steps)).toMatchObject({ missing: ['ways', 'menu'], unconfirmed: [] });
  expect(stepsBeforeLive(onboardingSteps(ready))).toEqual({ missing: [], unconfirmed: [], open: [] });
});

test('hours and ways that nobody has looked at are confirmed before the shop goes live', () => {
  const fresh = {
    ...ready,
    store: { ...store, operational_hours: every('17:00', '22:00'), location_confirmed: false },
    settled: new Set<string>(),
  };
  expect(stepsBeforeLive(onboardingSteps(fresh))).toEqual({
    missing: [],
    unconfirmed: ['hours', 'ways'],
    open: ['pin'],
  });
  const looked = onboardingSteps({ ...fresh, settled: new Set(['hours', 'ways']) });
  expect(stepsBeforeLive(looked)).toEqual({ missing: [], unconfirmed: [], open: ['pin'] });
});

test('a test order that nobody accepted is the owner’s to check, because only they heard it ring', () => {
  const sent = { orders: { isAny: true, isAccepted: false } };
  expect(stateOf('test_order', { orders: { isAny: false, isAccepted: false } })).toBe('todo');
  expect(stateOf('test_order', sent)).toBe('check');
  expect(stateOf('test_order', { ...sent, settled: new Set(['test_order']) })).toBe('done');
});

describe('its own details', () => {
  test.each<[string, Partial<OnboardingStore>]>([
    ['phone', { phone: ' ' }],
    ['street', { address: { ...store.address, line1: '' } }],
    ['town', { address: { ...store.address, city: '' } }],
    ['postcode', { address: { ...store.address, postcode: '' } }],
  ])('need a %s', (_what, change) => {
    expect(stateOf('details', { store: { ...store, ...change } })).toBe('todo');
  });

  test.each<[string, Partial<OnboardingStore>]>([
    ['name', { name: 'Coalfinch' }],
    ['number', { phone: '01632 960147' }],
    ['street', { address: { ...store.address, line1: '27 Fennel Row' } }],
  ])('are not the invented shop’s %s', (_what, change) => {
    expect(stateOf('details', { store: { ...store, ...change }, demo: invented })).toBe('todo');
    expect(stateOf('details', { store: { ...store, ...change } })).toBe('done');
  });
});

test.each<[string, OnboardingStore['operational_hours'], OnboardingStepState]>([
  ['none', [], 'todo'],
  ['the same each day, as a shop begins', every('17:00', '22:00'), 'check'],
  ['five days', every('17:00', '22:00').slice(2), 'done'],
  ['two times a day', [...every('12:00', '14:00'), ...every('17:00', '22:00')], 'done'],
])('opening hours that are %s', (_what, hours, state) => {
  expect(stateOf('hours', { store: { ...store, operational_hours: hours } })).toBe(state);
});

test('the invented shop’s hours and dishes are none of its own', () => {
  const demo = { ...invented, store: { ...invented.store, operational_hours: store.operational_hours } };
  expect(stateOf('hours', { demo })).toBe('todo');
  expect(stateOf('menu', { demo, dishes: [donner, margherita] })).toBe('todo');
  expect(stateOf('menu', { demo, dishes: [donner, { name: 'Pierogi', isStated: false }] })).toBe('done');
  expect(stateOf('menu', { dishes: [margherita] })).toBe('done');
  expect(stateOf('menu', { dishes: [] })).toBe('todo');
});

test.each<[string, Partial<OnboardingStore>, OnboardingFacts['cardMode'], OnboardingStepState]>([
  ['cash alone', { payment_methods: { collection: ['cash'], delivery: ['cash', 'card'] } }, null, 'check'],
  ['nothing', { payment_methods: { collection: [], delivery: ['cash'] } }, null, 'todo'],
  ['cards at a provider', {}, 'live', 'done'],
  ['cash, and cards with test keys', {}, 'test', 'check'],
  ['cash, and cards in the sandbox', { card_provider: 'sandbox' }, null, 'check'],
  ['cash, and cards without a provider', { card_provider: null }, null, 'check'],
  ['cards alone, with test keys', { payment_methods: { collection: ['card'], delivery: [] } }, 'test', 'todo'],
])('customers pay by %s', (_what, change, cardMode, state) => {
  expect(stateOf('payment', { store: { ...store, ...change }, cardMode })).toBe(state);
});

test('a kitchen tablet counts as a printer, and as a colleague', () => {
  const alone = { hasPrinter: false, hasColleague: false };
  expect(['paper', 'people'].map((name) => stateOf(name as OnboardingStepName, alone))).toEqual(['check', 'check']);
  const withTablet = { ...alone, hasDevice: true };
  expect(['paper', 'people'].map((name) => stateOf(name as OnboardingStepName, withTablet))).toEqual(['done', 'done']);
});
