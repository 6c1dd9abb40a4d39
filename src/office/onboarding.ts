import { cardProviderOf } from '#platform/card-providers.ts';
import type { Store } from '#store/contract.ts';

export const onboardingStepNames = [
  'details',
  'pin',
  'hours',
  'ways',
  'menu',
  'allergens',
  'payment',
  'paper',
  'people',
  'test_order',
  'go_live',
] as const;
export type OnboardingStepName = (typeof onboardingStepNames)[number];

/** The states of a step. `check`: the shop has a default or a doubtful value that the owner must confirm. */
export const onboardingStepStates = ['done', 'check', 'todo'] as const;
export type OnboardingStepState = (typeof onboardingStepStates)[number];

export type OnboardingStore = Pick<
  Store,
  | 'name'
  | 'phone'
  | 'address'
  | 'location_confirmed'
  | 'operational_hours'
  | 'payment_methods'
  | 'card_provider'
  | 'collection_enabled'
  | 'delivery_enabled'
  | 'delivery_zones'
  | 'is_accepting_orders'
>;

export interface OnboardingFacts {
  store: OnboardingStore;
  /** The demo store and its dishes, if this store began as the demo store; otherwise null. */
  demo: { store: Pick<OnboardingStore, DemoField>; dishes: ReadonlySet<string> } | null;
  dishes: readonly { name: string; isStated: boolean }[];
  /** The mode of the keys for new card payments; null: the shop has no keys. */
  cardMode: 'test' | 'live' | null;
  hasPrinter: boolean;
  hasDevice: boolean;
  hasColleague: boolean;
  /** `isAny`: the store has orders, including test orders. `isAccepted`: staff accepted one of them. */
  orders: { isAny: boolean; isAccepted: boolean };
  /** The steps that the owner has confirmed. */
  settled: ReadonlySet<string>;
}

type DemoField = 'name' | 'phone' | 'address' | 'operational_hours';
export type OnboardingStep = { name: OnboardingStepName; state: OnboardingStepState };

export function onboardingSteps(facts: OnboardingFacts): OnboardingStep[] {
  const { store, hasPrinter, hasDevice } = facts;
  const own = facts.dishes.filter(({ name }) => !facts.demo?.dishes.has(name));
  const states: Record<OnboardingStepName, OnboardingStepState> = {
    details: done(hasDetails(facts)),
    pin: store.location_confirmed ? 'done' : 'check',
    hours: stateOfHours(facts),
    ways: hasNoWay(store) ? 'todo' : 'check',
    menu: done(own.length > 0),
    allergens: own.length > 0 && own.every(({ isStated }) => isStated) ? 'done' : 'check',
    payment: stateOfPayment(facts),
    paper: hasPrinter || hasDevice ? 'done' : 'check',
    people: facts.hasColleague || hasDevice ? 'done' : 'check',
    // `check`: a test order exists, but staff did not accept it. The owner must then confirm that the board rang.
    test_order: facts.orders.isAccepted ? 'done' : facts.orders.isAny ? 'check' : 'todo',
    go_live: done(store.is_accepting_orders),
  };
  return onboardingStepNames.map((name) => ({
    name,
    // The owner's confirmation of the step `pin` is ignored: only `location_confirmed` counts, which a new postcode
    // resets.
    state: states[name] === 'check' && name !== 'pin' && facts.settled.has(name) ? 'done' : states[name],
  }));
}

/** Whether no step is `todo`; `check` steps do not count. */
export function hasNoTodoStep(steps: readonly OnboardingStep[]): boolean {
  return steps.every(({ state }) => state !== 'todo');
}

/** The steps that must not be `todo`, because otherwise nobody could order. */
const needed: ReadonlySet<OnboardingStepName> = new Set(['details', 'hours', 'ways', 'menu', 'payment']);

/**
 * The steps with defaults that matter to customers, such as the opening hours. The owner confirms these steps before
 * the shop goes live.
 */
export const stepsToConfirm = ['hours', 'ways'] as const satisfies readonly OnboardingStepName[];

/**
 * `missing`: the steps that block going live. `unconfirmed`: the steps to confirm first. `open`: the other unfinished
 * steps.
 */
export function stepsBeforeLive(steps: readonly OnboardingStep[]): {
  missing: OnboardingStepName[];
  unconfirmed: (typeof stepsToConfirm)[number][];
  open: OnboardingStepName[];
} {
  const names = steps.filter(({ name, state }) => state !== 'done' && name !== 'go_live').map(({ name }) => name);
  const missing = steps.filter(({ name, state }) => needed.has(name) && state === 'todo').map(({ name }) => name);
  const unconfirmed = stepsToConfirm.filter((name) => names.includes(name) && !missing.includes(name));
  const isBefore = (name: OnboardingStepName): boolean => [...missing, ...unconfirmed].includes(name);
  return { missing, unconfirmed, open: names.filter((name) => !isBefore(name)) };
}

const done = (isDone: boolean): OnboardingStepState => (isDone ? 'done' : 'todo');

function hasDetails({ store, demo }: OnboardingFacts): boolean {
  const { name, phone, address } = store;
  if ([name, phone, address.line1, address.city, address.postcode].some((text) => text.trim() === '')) return false;
  return (
    !demo || (demo.store.name !== name && demo.store.phone !== phone && demo.store.address.line1 !== address.line1)
  );
}

/**
 * The state of the step `hours`. Equal hours on all seven days need the owner's confirmation (`check`), because a new
 * shop has such hours.
 */
function stateOfHours({ store, demo }: OnboardingFacts): OnboardingStepState {
  const { operational_hours: hours } = store;
  if (hours.length === 0) return 'todo';
  if (demo && JSON.stringify(demo.store.operational_hours) === JSON.stringify(hours)) return 'todo';
  const times = new Set(hours.map(({ open, close }) => `${open}-${close}`));
  return hours.length === 7 && times.size === 1 ? 'check' : 'done';
}

/** Whether the step `ways` is `todo`: delivery is on without a zone, or both collection and delivery are off. */
function hasNoWay({
  collection_enabled: isCollected,
  delivery_enabled: isDelivered,
  delivery_zones: zones,
}: OnboardingStore) {
  if (isDelivered && zones.length === 0) return true;
  return !isCollected && !isDelivered;
}

/**
 * The state of the step `payment`. A shop that takes cash, but no live card payments, needs the owner's confirmation
 * (`check`).
 */
function stateOfPayment({ store, cardMode }: OnboardingFacts): OnboardingStepState {
  const { collection, delivery } = store.payment_methods;
  const offered = new Set([
    ...(store.collection_enabled ? collection : []),
    ...(store.delivery_enabled ? delivery : []),
  ]);
  const hasLiveKeys =
    store.card_provider !== null && cardProviderOf(store.card_provider).hasKeys && cardMode === 'live';
  if (offered.has('card') && hasLiveKeys) return 'done';
  return offered.has('cash') ? 'check' : 'todo';
}
