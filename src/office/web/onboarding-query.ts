import { queryOptions } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#platform/web/api.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

/** The onboarding list, read anew each time, because its steps are done on other pages. */
export const onboardingQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['first evening', storeId],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/first-evening', { id: storeId }, { signal, timeout: 20_000 })).data,
    staleTime: 0,
  });

/** Shows or dismisses the onboarding list; returns whether the shop has stored it. */
export async function setOnboardingShown(storeId: string, isShown: boolean): Promise<boolean> {
  try {
    await api('POST /v1/stores/{id}/first-evening', { id: storeId, is_shown: isShown }, { timeout: 20_000 });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
    return false;
  }
  await queryClient.invalidateQueries(onboardingQuery(storeId));
  return true;
}

export async function dismissOnboarding(storeId: string): Promise<void> {
  if (!(await setOnboardingShown(storeId, false))) return;
  const undo = { label: m.platform_undo(), run: () => void setOnboardingShown(storeId, true) };
  notify({ text: m.office_first_evening_is_away(), action: undo });
}
