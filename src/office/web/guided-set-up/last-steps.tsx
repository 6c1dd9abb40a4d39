import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { v4 as randomId } from 'uuid';
import { Link, useLocation } from 'wouter';
import { useMenuIndex } from '#kitchen/web/till/use-menu-index.ts';
import type { MenuIndex } from '#menu/menu-index.ts';
import { defaultOptions } from '#menu/option-rules.ts';
import { m } from '#messages';
import { type stepsToConfirm, type OnboardingStepName, stepsBeforeLive } from '#office/onboarding.ts';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { ShopIsLive } from '#office/web/guided-set-up/shop-is-live.tsx';
import { SetUpStepFrame } from '#office/web/guided-set-up/step-frame.tsx';
import { pageLinkWithReturn, stepWords, useOnboarding } from '#office/web/guided-set-up/steps.ts';
import { changeOnboarding, onboardingQuery } from '#office/web/onboarding-query.ts';
import { isUnanswered, openStatuses } from '#ordering/order-status.ts';
import type { Order } from '#ordering/order.ts';
import { sendOrder } from '#ordering/web/checkout/send-order.ts';
import { api } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

export function PaperStep() {
  const { onboarding, settle } = useOnboarding();
  const isDone = onboarding.steps.some(({ name, state }) => name === 'paper' && state === 'done');
  return (
    <SetUpStepFrame
      name="paper"
      onSubmit={() => settle('paper')}
      action={isDone ? m.office_setup_go_on() : m.office_setup_paper_none()}
    >
      <ul className={classes.plain}>
        <li>
          <Link href={pageLinkWithReturn('paper', '/admin/printers')}>{m.office_setup_paper_printer()}</Link> ·{' '}
          {m.office_setup_about({ minutes: 5 })}
        </li>
        <li>
          <Link href={pageLinkWithReturn('paper', '/admin/devices')}>{m.office_setup_paper_tablet()}</Link> ·{' '}
          {m.office_setup_about({ minutes: 3 })}
        </li>
      </ul>
    </SetUpStepFrame>
  );
}

export function PeopleStep() {
  const { onboarding, settle } = useOnboarding();
  const isDone = onboarding.steps.some(({ name, state }) => name === 'people' && state === 'done');
  return (
    <SetUpStepFrame
      name="people"
      onSubmit={() => settle('people')}
      action={isDone ? m.office_setup_go_on() : m.office_setup_people_alone()}
    >
      <p>
        <Link href={pageLinkWithReturn('people', '/admin/staff')}>{m.office_setup_people_invite()}</Link> ·{' '}
        {m.office_setup_about({ minutes: 1 })}
      </p>
    </SetUpStepFrame>
  );
}

/** The timeout of a call (ms). */
const timeout = 20_000;

export function TestOrderStep() {
  const { draft, onboarding, goOn, settle } = useOnboarding();
  const { store } = draft;
  const isDone = onboarding.steps.some(({ name, state }) => name === 'test_order' && state === 'done');
  const menu = useMenuIndex(store.id);
  const open = useTestOrders(store.id);
  const [, go] = useLocation();
  const [session, setSession] = useState(() => randomId());
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(refusalWords(error));
    }
    await Promise.all([open.refetch(), queryClient.invalidateQueries(onboardingQuery(store.id))]);
    setBusy(false);
  };
  const send = () =>
    run(async () => {
      // If the menu is not loaded yet, the order is sent once it is loaded.
      const dish = dishWithFewestQuestions(
        menu.data ?? (await menu.refetch({ throwOnError: true, cancelRefetch: false })).data,
      );
      if (!dish) return;
      const line = { item_id: dish.item.id, quantity: 1, options: defaultOptions(dish, new Date(shopNow())) };
      const contact = { name: m.office_setup_test_customer(), phone: '', email: '' };
      const order = { store_id: store.id, channel: 'test', override: true, fulfilment_type: 'collection' } as const;
      await sendOrder({ ...order, session, contact, payment_method: 'cash', lines: [line] }, timeout, () => undefined);
      // A new session makes the next test order a separate order.
      setSession(randomId());
    });
  const orders = open.data ?? [];
  if (menu.data && !dishWithFewestQuestions(menu.data))
    return (
      <SetUpStepFrame name="test_order">
        <p>
          {m.office_setup_test_no_dish()} <Link href="?step=menu">{stepWords.menu.title()}</Link>
        </p>
      </SetUpStepFrame>
    );
  if (orders.length === 0)
    return (
      <SetUpStepFrame
        name="test_order"
        onSubmit={send}
        isBusy={isBusy}
        failure={failure}
        action={m.office_setup_test_send()}
      >
        {isDone && <p>{m.office_setup_test_works()}</p>}
      </SetUpStepFrame>
    );
  const isRinging = orders.every(({ status }) => isUnanswered(status)) && !isDone;
  return (
    <SetUpStepFrame
      name="test_order"
      // The main button leads to the board, because an order rings there only after "Start shift".
      onSubmit={async () => (isRinging ? go('/store/orders') : goOn())}
      failure={failure}
      action={isRinging ? m.office_setup_test_board() : m.office_setup_take_up()}
      canWait={isRinging}
    >
      {orders.map((order) => (
        <TestOrder
          key={order.id}
          order={order}
          isBusy={isBusy}
          onRang={isRinging ? () => void settle('test_order') : undefined}
          onRemove={() => void run(() => removeTestOrder(order))}
        />
      ))}
    </SetUpStepFrame>
  );
}

function dishWithFewestQuestions(menu: MenuIndex | undefined) {
  return [...(menu?.items.values() ?? [])].toSorted((a, b) => a.groups.size - b.groups.size)[0];
}

function removeTestOrder({ id }: Order): Promise<unknown> {
  return api('POST /v1/orders/{id}/cancel', { id, reason: m.office_setup_test_removed() }, { timeout });
}

interface TestOrderProps {
  order: Order;
  isBusy: boolean;
  /**
   * Confirms that the board rang, although no test order was answered there. Undefined: a test order was answered, or
   * the step is done.
   */
  onRang: (() => void) | undefined;
  onRemove: () => void;
}

function TestOrder({ order, isBusy, onRang, onRemove }: TestOrderProps) {
  return (
    <Alert color="good" variant="light" role="status">
      <p>
        {isUnanswered(order.status)
          ? m.office_setup_test_rings({ number: order.number })
          : m.office_setup_test_taken({ number: order.number })}
      </p>
      <Group mt="sm">
        {onRang ? (
          <Button variant="default" onClick={onRang}>
            {m.office_setup_test_rang()}
          </Button>
        ) : (
          <Button component={Link} href="/store/orders" variant="default">
            {m.office_setup_test_board()}
          </Button>
        )}
        <Button variant="subtle" color="bad" loading={isBusy} onClick={onRemove}>
          {m.office_setup_test_remove()}
        </Button>
      </Group>
    </Alert>
  );
}

function useTestOrders(storeId: string) {
  return useQuery({
    queryKey: ['test orders', storeId],
    queryFn: async ({ signal }) => {
      const wanted = { store_id: storeId, status: openStatuses.join(), per_page: 50 };
      const { data } = await api('GET /v1/orders', wanted, { signal, timeout });
      return data.filter(({ channel }) => channel === 'test');
    },
    staleTime: 0,
    refetchInterval: 10_000,
  });
}

export function GoLiveStep() {
  const { draft, onboarding } = useOnboarding();
  const { store } = draft;
  const { missing, unconfirmed, open } = stepsBeforeLive(onboarding.steps);
  const tests = useTestOrders(store.id).data ?? [];
  if (store.is_accepting_orders && missing.length === 0) return <ShopIsLive />;
  const goLive = async (): Promise<void> => {
    draft.set('is_accepting_orders', true);
    if (!(await draft.save(['is_accepting_orders']))) return;
    // If a test order cannot be removed, staff answer it on the board later.
    await Promise.allSettled(tests.map(removeTestOrder));
    await changeOnboarding(store.id, { is_shown: false });
  };
  return (
    <SetUpStepFrame
      name="go_live"
      {...(missing.length === 0 && unconfirmed.length === 0 && { onSubmit: goLive })}
      isBusy={draft.isSaving}
      failure={draft.failure}
      action={m.office_setup_live()}
      canWait={false}
    >
      {missing.length > 0 && <StepLinks words={m.office_setup_live_missing()} names={missing} />}
      {unconfirmed.length > 0 && <Confirmations names={unconfirmed} />}
      {missing.length === 0 && unconfirmed.length === 0 && <p>{m.office_setup_live_ready()}</p>}
      {tests.length > 0 && <p>{m.office_setup_live_removes_tests({ count: tests.length })}</p>}
      {open.length > 0 && <StepLinks words={m.office_setup_live_open()} names={open} />}
    </SetUpStepFrame>
  );
}

function StepLinks({ words, names }: { words: string; names: readonly OnboardingStepName[] }) {
  return (
    <>
      <p>{words}</p>
      <ul className={classes.plain}>
        {names.map((name) => (
          <li key={name}>
            <Link href={`?step=${name}`}>{stepWords[name].title()}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Lists the defaults that the owner must confirm before going live, each with a button. */
function Confirmations({ names }: { names: readonly (typeof stepsToConfirm)[number][] }) {
  const { store } = useOnboarding().draft;
  const [day] = store.operational_hours;
  const values = {
    hours: m.office_setup_live_hours({ open: day?.open ?? '', close: day?.close ?? '' }),
    ways: m.office_setup_live_ways({
      ways: store.delivery_enabled ? (store.collection_enabled ? 'both' : 'delivery') : 'collection',
      guests: store.guest_checkout ? 'yes' : 'no',
    }),
  };
  return (
    <>
      <p>{m.office_setup_live_confirm()}</p>
      <ul className={classes.plain}>
        {names.map((name) => (
          <li key={name}>
            <p>{values[name]}</p>
            <Group>
              <Button variant="default" onClick={() => void changeOnboarding(store.id, { settled: name })}>
                {m.office_setup_live_right({ step: stepWords[name].title() })}
              </Button>
              <Link href={`?step=${name}`}>{m.office_setup_live_change({ step: stepWords[name].title() })}</Link>
            </Group>
          </li>
        ))}
      </ul>
    </>
  );
}
