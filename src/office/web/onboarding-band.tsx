import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { m } from '#messages';
import { changeOnboarding, onboardingQuery, useLiveOnboarding } from '#office/web/onboarding-query.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { ReminderBand } from '#ui/web/office/reminder-band.tsx';

/** A reminder above the page, until the shop is set up or its owner hides the reminder. */
export function OnboardingBand({ store: { id } }: { store: Store }) {
  return useQuery(onboardingQuery(id)).data?.is_shown ? <Progress id={id} /> : null;
}

/** The link back to the set-up step that led to this page. */
export function BackToSetUpLink({ step }: { step: string }) {
  return (
    <ReminderBand label={m.office_first_evening()}>
      <Button component={Link} href={`/admin/set-up?step=${step}`} variant="default">
        {m.office_setup_back()}
      </Button>
    </ReminderBand>
  );
}

function Progress({ id }: { id: string }) {
  const { data } = useLiveOnboarding(id);
  if (!data) return null;
  const done = data.steps.filter(({ state }) => state === 'done').length;
  const hide = async (): Promise<void> => {
    if (!(await changeOnboarding(id, { is_shown: false }))) return;
    const undo = { label: m.platform_undo(), run: () => void changeOnboarding(id, { is_shown: true }) };
    notify({ text: m.office_setup_is_hidden(), action: undo });
  };
  return (
    <ReminderBand label={m.office_first_evening()} text={m.office_setup_progress({ done, all: data.steps.length })}>
      <Button component={Link} href="/admin/set-up" variant="default">
        {m.office_setup_take_up()}
      </Button>
      <Button variant="subtle" onClick={() => void hide()}>
        {m.office_setup_hide()}
      </Button>
    </ReminderBand>
  );
}
