import { NativeSelect } from '@mantine/core';
import { type ComponentType, useMemo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { m } from '#messages';
import type { Onboarding } from '#office/contract.ts';
import { type OnboardingStepName, onboardingStepNames, type OnboardingStepState } from '#office/onboarding.ts';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { GoLiveStep, PaperStep, PeopleStep, TestOrderStep } from '#office/web/guided-set-up/last-steps.tsx';
import { AllergensStep, MenuStep } from '#office/web/guided-set-up/menu-steps.tsx';
import { OnboardingContext, stepWords } from '#office/web/guided-set-up/steps.ts';
import { DetailsStep, HoursStep, PaymentStep, PinStep, WaysStep } from '#office/web/guided-set-up/store-steps.tsx';
import { changeOnboarding, useLiveOnboarding } from '#office/web/onboarding-query.ts';
import type { StaffStore } from '#store/contract.ts';
import { ConflictDialog } from '#store/web/manage/draft-guards.tsx';
import { useStoreDraft } from '#store/web/manage/use-store-draft.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { LoadingState, OfficeLoadFailure } from '#ui/web/office/states.tsx';

const steps: Record<OnboardingStepName, ComponentType> = {
  details: DetailsStep,
  pin: PinStep,
  hours: HoursStep,
  ways: WaysStep,
  menu: MenuStep,
  allergens: AllergensStep,
  payment: PaymentStep,
  paper: PaperStep,
  people: PeopleStep,
  test_order: TestOrderStep,
  go_live: GoLiveStep,
};

const stateWords: Record<OnboardingStepState, () => string> = {
  done: m.platform_step_done,
  check: m.office_setup_check,
  todo: m.platform_step_todo,
};

export function GuidedSetUpPage({ store }: { store: StaffStore }) {
  const query = useLiveOnboarding(store.id);
  const { refetch } = query;
  // A cached response may be stale: it may list a step as open although the step is finished.
  const isFresh = query.isFetchedAfterMount || query.fetchStatus !== 'fetching';
  if (query.data && isFresh) return <Steps store={store} onboarding={query.data} />;
  return query.isError ? <OfficeLoadFailure error={query.error} onRetry={() => void refetch()} /> : <LoadingState />;
}

function Steps({ store, onboarding }: { store: StaffStore; onboarding: Onboarding }) {
  const draft = useStoreDraft(store, { isQuiet: true, storageKey: `set_up.${store.id}` });
  const [params] = useSearchParams();
  const [path, go] = useLocation();
  const [first] = useState(() => nextStep(onboarding, null));
  const current = onboardingStepNames.find((name) => name === params.get('step')) ?? first;
  const Shown = steps[current];
  const controls = useMemo(() => {
    const goOn = (): void => go(`${path}?step=${nextStep(onboarding, current)}`);
    const settle = async (step: OnboardingStepName): Promise<void> => {
      if (await changeOnboarding(store.id, { settled: step })) goOn();
    };
    return { draft, onboarding, goOn, settle };
  }, [draft, onboarding, current, store.id, path, go]);

  return (
    <OfficePage title={m.office_first_evening()}>
      <div className={classes.page}>
        <nav className={classes.links} aria-label={m.office_setup_steps()}>
          <ol>
            {onboarding.steps.map(({ name, state }, at) => (
              <li key={name} data-state={state}>
                <Link href={`${path}?step=${name}`} aria-current={name === current ? 'step' : undefined}>
                  <span className={classes.mark} role="img" aria-label={stateWords[state]()}>
                    {state === 'done' ? <Icon name="check" size="1rem" /> : at + 1}
                  </span>
                  {stepWords[name].title()}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <NativeSelect
          className={classes.chooser}
          aria-label={m.office_setup_steps()}
          value={current}
          data={onboarding.steps.map(({ name, state }) => ({
            value: name,
            label: `${stepWords[name].title()} · ${stateWords[state]()}`,
          }))}
          onChange={(event) => go(`${path}?step=${event.currentTarget.value}`)}
        />
        <OnboardingContext value={controls}>
          <Shown key={current} />
        </OnboardingContext>
      </div>
      <ConflictDialog draft={draft} onSaved={() => void controls.settle(current)} />
    </OfficePage>
  );
}

/** The next step after `current` that is not done; if there is none, the last step, `go_live`. */
function nextStep({ steps: all }: Onboarding, current: OnboardingStepName | null): OnboardingStepName {
  const at = all.findIndex(({ name }) => name === current);
  const open = ({ name, state }: (typeof all)[number]): boolean => state !== 'done' && name !== current;
  return (all.slice(at + 1).find(open) ?? all.find(({ name }) => name === 'go_live'))?.name ?? 'go_live';
}
