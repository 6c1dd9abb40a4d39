import type { Onboarding } from '#office/contract.ts';
import type { OnboardingStepName } from '#office/onboarding.ts';
import { stepWords } from '#office/web/guided-set-up/steps.ts';
import { m } from '#messages';
import { isLoopbackHost, isReachableByOthers } from '#platform/web/shop-origin.ts';
import { dayWords, timeWords } from '#platform/date-words.ts';
import type { StaffStore } from '#store/contract.ts';
import { openStateAt, pauseEndAt } from '#store/opening-hours.ts';
import { findEarliestSlot } from '#store/slot-rules.ts';

const ways = ['collection', 'delivery'] as const;

/** Tells the owner when the next order can come, or the first order if no customer has ordered yet. */
export function nextOrderTimeWords(store: StaffStore, hasCustomerOrder: boolean, now: Date): string {
  const { is_open: isOpen, opens_at: opensAt } = openStateAt(store, now);
  const offered = ways.filter((way) => store[`${way}_enabled`]);
  if (isOpen) {
    if (offered.every((way) => pauseEndAt(store, now.getTime(), way) > now.getTime()))
      return m.office_setup_first_order_paused();
    return hasCustomerOrder ? m.office_setup_first_order_came() : m.office_setup_first_order_now();
  }
  if (opensAt === null) return m.office_setup_first_order_never();
  const [day, time] = [dayWords(opensAt, now, store.timezone), timeWords(opensAt, store.timezone)];
  const when = m.office_setup_opens({ day, time });
  if (offered.some((way) => findEarliestSlot(store, way, now) !== null))
    return m.office_setup_first_order_ahead({ when });
  return hasCustomerOrder ? m.office_setup_next_opening({ when }) : m.office_setup_first_order_at({ when });
}

/** Matches the hosts of a local network, which cannot be reached from outside. */
const localHost =
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$|\.(local|lan|home|internal|home\.arpa)$|^[^.]+$/;

/**
 * The addresses at which phones open the shop: the configured origin, or else the page's origin, or else this machine's
 * addresses. `reach`: phones reach the first address from the internet by https (`https`) or without https (`http`), or
 * only from the local network (`local`).
 */
export function shopUrlsForPhones(
  configured: string | null,
  page: string,
  machine: readonly string[],
): { addresses: string[]; reach: 'https' | 'http' | 'local' } {
  const known = [configured, page].find((origin) => origin !== null && !isLoopbackHost(new URL(origin).hostname));
  const { protocol, port } = new URL(page);
  const addresses = known ? [known] : machine.map((host) => `${protocol}//${host}${port && `:${port}`}`);
  const [first = page] = addresses;
  if (isReachableByOthers(first)) return { addresses, reach: 'https' };
  const { hostname } = new URL(first);
  return { addresses, reach: isLoopbackHost(hostname) || localHost.test(hostname) ? 'local' : 'http' };
}

/** The set-up steps that matter most to customers. If unfinished, these steps precede all other tasks. */
const first = ['hours', 'ways', 'pin', 'allergens', 'payment'] as const satisfies readonly OnboardingStepName[];

interface Task {
  path: string;
  words: string;
  minutes: number;
}

/** The owner's open tasks on a live shop: the unfinished steps of `first`, then cards, printer, mail and the rest. */
export function nextTasks(
  { steps, sends_mail: sendsMail, has_second_factor: hasFactor }: Onboarding,
  { card_provider: cards, logo }: Pick<StaffStore, 'card_provider' | 'logo'>,
  hasSecondPlace: boolean,
): Task[] {
  const isOpen = (step: string): boolean => steps.some(({ name, state }) => name === step && state !== 'done');
  const task = (isLeft: boolean, path: string, words: string, minutes: number): Task[] =>
    isLeft ? [{ path, words, minutes }] : [];
  return [
    ...first.flatMap((name) =>
      task(isOpen(name), `/admin/set-up?step=${name}`, stepWords[name].title(), stepWords[name].minutes),
    ),
    ...task(cards === null, '/admin/payments/setup', m.office_setup_next_cards(), 10),
    ...task(isOpen('paper'), '/admin/printers', m.office_setup_paper_printer(), 5),
    ...task(!sendsMail, '/admin/mail', m.office_setup_next_mail(), 10),
    ...task(!hasFactor, '/kitchen/my-sign-in', m.office_setup_next_factor(), 2),
    ...task(logo === null, '/store/manage?section=look', m.office_setup_next_look(), 3),
    ...task(!hasSecondPlace, '/admin/backups', m.office_setup_next_backups(), 5),
  ];
}
