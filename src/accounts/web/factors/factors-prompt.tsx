import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import classes from '#accounts/web/factors/factors-prompt.module.css';
import { factorsQuery } from '#accounts/web/factors/factor-queries.ts';
import { useSession } from '#accounts/web/session.ts';

const key = 'factors_put_off';
/** Milliseconds for which the prompt is hidden after it was put off. */
const putOffFor = 7 * 24 * 3_600_000;

/** Asks an owner without a second factor to set one up; hidden for a week if they put it off. */
export function FactorsPrompt() {
  const { user } = useSession();
  const [isPutOff, setPutOff] = useState(() => Date.now() - Number(localStorage.getItem(key)) < putOffFor);
  const { data } = useQuery({ ...factorsQuery, staleTime: Infinity, enabled: user?.role === 'admin' && !isPutOff });
  if (isPutOff || !data || data.totp_since !== null || data.passkeys.length > 0) return null;
  const putOff = () => {
    localStorage.setItem(key, String(Date.now()));
    setPutOff(true);
  };
  return (
    <section className={classes.asked} aria-label={m.accounts_factors_asked()}>
      <p>
        <strong>{m.accounts_factors_asked()}</strong> <span>{m.accounts_factors_asked_why()}</span>
      </p>
      <Button component={Link} href="/kitchen/my-sign-in">
        {m.accounts_factors_asked_begin()}
      </Button>
      <Button variant="subtle" onClick={putOff}>
        {m.accounts_factors_asked_later()}
      </Button>
    </section>
  );
}
