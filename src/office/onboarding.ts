import { cardProviderOf } from '#platform/card-providers.ts';
import type { Store } from '#store/contract.ts';

export const onboardingStepNames = [
  'details',
  'hours',
  'menu',
  'payment',
  'orders_heard',
  'mail',
  'second_factor',
  'first_order',
] as const;
export type OnboardingStepName = (typeof onboardingStepNames)[number];

/**
 * The states of a step. `check`: only the owner knows whether the setting is right; such a step does not keep the list
 * open.
 */
export const onboardingStepStates = ['done', 'check', 'todo'] as const;
export type OnboardingStepState = (typeof onboardingStepStates)[number];

export type OnboardingStore = Pick<
  Store,
  | 'name'
  | 'phone'
  | 'address'
  | 'operational_hours'
  | 'payment_methods'
  | 'card_provider'
  | 'collection_enabled'
  | 'delivery_enabled'
>;

export interface OnboardingFacts {
  store: OnboardingStore;
  /** The demo store and its dishes, if this store began as the demo store; otherwise null. */
  demo: { store: Omit<OnboardingStore, 'card_provider'>; dishes: ReadonlySet<string> } | null;
  dishes: readonly string[];
  /** The mode of the keys for new card payments; null without keys. */
  cardMode: 'test' | 'live' | null;
  hasPrinter: boolean;
  hasDevice: boolean;
  /** Whether a mail server is configured and does not refuse mails. */
  sendsMail: boolean;
  hasSecondFactor: boolean;
  hasOrder: boolean;
}

export function onboardingSteps(facts: OnboardingFacts): { name: OnboardingStepName; state: OnboardingStepState }[] {
  const states: Record<OnboardingStepName, OnboardingStepState> = {
    details: done(hasDetails(facts)),
    hours: stateOfHours(facts),
    menu: done(facts.dishes.some((dish) => !facts.demo?.dishes.has(dish))),
    payment: stateOfPayment(facts),
    orders_heard: done(facts.hasPrinter || facts.hasDevice),
    mail: done(facts.sendsMail),
    second_factor: done(facts.hasSecondFactor),
    first_order: done(facts.hasOrder),
  };
  return onboardingStepNames.map((name) => ({ name, state: states[name] }));
}

/** Whether no step is left to do; steps that only the owner can check do not count. */
export function hasNoStepLeft(steps: readonly { state: OnboardingStepState }[]): boolean {
  return steps.every(({ state }) => state !== 'todo');
}

const done = (isDone: boolean): OnboardingStepState => (isDone ? 'done' : 'todo');

function hasDetails({ store, demo }: OnboardingFacts): boolean {
  const { name, phone, address } = store;
  if ([name, phone, address.line1, address.city, address.postcode].some((text) => text.trim() === '')) return false;
  return (
    !demo || (demo.store.name !== name && demo.store.phone !== phone && demo.store.address.line1 !== address.line1)
  );
}

/** Hours that are equal on all seven days are `check`: a new shop begins with such hours, and they may be right. */
function stateOfHours({ store, demo }: OnboardingFacts): OnboardingStepState {
  const { operational_hours: hours } = store;
  if (hours.length === 0) return 'todo';
  if (demo && JSON.stringify(demo.store.operational_hours) === JSON.stringify(hours)) return 'todo';
  const times = new Set(hours.map(({ open, close }) => `${open}-${close}`));
  return hours.length === 7 && times.size === 1 ? 'check' : 'done';
}

/** Cash alone is `check`, because it may be intended. Cards without live keys are `todo`. */
function stateOfPayment({ store, cardMode }: OnboardingFacts): OnboardingStepState {
  const { collection, delivery } = store.payment_methods;
  const offered = [...(store.collection_enabled ? collection : []), ...(store.delivery_enabled ? delivery : [])];
  if (offered.length === 0) return 'todo';
  if (!offered.includes('card')) return 'check';
  return done(store.card_provider !== null && cardProviderOf(store.card_provider).hasKeys && cardMode === 'live');
}
