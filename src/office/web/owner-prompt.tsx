import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { factorsQuery } from '#accounts/web/factors/factor-queries.ts';
import { FactorsPrompt } from '#accounts/web/factors/factors-prompt.tsx';
import { useSession } from '#accounts/web/session.ts';
import { SecondPlaceReminder } from '#backup/web/backups-band.tsx';
import { backupsQuery } from '#backup/web/backups-query.ts';
import { BackToSetUpLink, OnboardingBand } from '#office/web/onboarding-band.tsx';
import { onboardingQuery } from '#office/web/onboarding-query.ts';
import type { Store } from '#store/contract.ts';
import { queryClient } from '#ui/web/office/query-client.ts';

/**
 * The longest time that the page waits for the data of the prompts (ms). A prompt that appeared later would move the
 * page under a finger.
 */
const waitsFor = 1_500;
const asked = new Map<string, Promise<unknown>>();

/** Reminds an owner of one task at a time: the shop's set-up, a second factor, or a second backup location. */
export function OwnerPrompt({ store }: { store: Store }) {
  return useSession().role === 'admin' ? <Asked store={store} /> : null;
}

function Asked({ store }: { store: Store }) {
  // The step is read once, because links on the page change the URL without leaving the page.
  const [step] = useState(() => new URLSearchParams(location.search).get('back'));
  return step === null ? <Prompts store={store} /> : <BackToSetUpLink step={step} />;
}

function Prompts({ store }: { store: Store }) {
  use(answersOf(store.id));
  const { data, isPending } = useQuery({ ...onboardingQuery(store.id), staleTime: 60_000 });
  if (isPending) return null;
  return data?.is_shown ? <OnboardingBand store={store} /> : <FactorsPrompt next={<SecondPlaceReminder />} />;
}

/**
 * Resolves when the states of the set-up, the second factors and the backups are read, or after `waitsFor`
 * milliseconds. It never rejects.
 */
function answersOf(storeId: string): Promise<unknown> {
  const known = asked.get(storeId);
  if (known) return known;
  const answers = Promise.allSettled([
    queryClient.prefetchQuery(onboardingQuery(storeId)),
    queryClient.prefetchQuery(factorsQuery),
    queryClient.prefetchQuery(backupsQuery),
  ]);
  const made = Promise.race([answers, new Promise((resolve) => setTimeout(resolve, waitsFor))]);
  asked.set(storeId, made);
  return made;
}
