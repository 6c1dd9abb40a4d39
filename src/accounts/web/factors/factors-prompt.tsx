import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { factorsQuery } from '#accounts/web/factors/factor-queries.ts';
import { useSession } from '#accounts/web/session.ts';
import { ReminderBand } from '#ui/web/office/reminder-band.tsx';

const key = 'factors_put_off';
/** Milliseconds for which the prompt is hidden after it was put off. */
const putOffFor = 7 * 24 * 3_600_000;

/**
 * Asks an owner without a second factor to set one up. An owner who puts this off is not asked for a week. Shows `next`
 * instead if there is nothing to ask.
 */
export function FactorsPrompt({ next }: { next: ReactNode }) {
  const { user } = useSession();
  const [isPutOff, setPutOff] = useState(() => Date.now() - Number(localStorage.getItem(key)) < putOffFor);
  const { data } = useQuery({ ...factorsQuery, staleTime: Infinity, enabled: user?.role === 'admin' && !isPutOff });
  if (isPutOff || (data && (data.totp_since !== null || data.passkeys.length > 0))) return next;
  if (!data) return null;
  const putOff = () => {
    localStorage.setItem(key, String(Date.now()));
    setPutOff(true);
  };
  return (
    <ReminderBand isWarning label={m.accounts_factors_asked()} why={m.accounts_factors_asked_why()}>
      <Button component={Link} href="/kitchen/my-sign-in">
        {m.accounts_factors_asked_begin()}
      </Button>
      <Button variant="subtle" onClick={putOff}>
        {m.accounts_factors_asked_later()}
      </Button>
    </ReminderBand>
  );
}
