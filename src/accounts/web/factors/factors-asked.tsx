import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { factorsQuery } from '#accounts/web/factors/factor-parts.ts';
import { useSession } from '#accounts/web/session.ts';

const key = 'factors_put_off';
/** Milliseconds. */
const putOffFor = 7 * 24 * 3_600_000;

/** Asks an owner whom the password alone signs in to set up more; nothing once they have, or for a week. */
export function FactorsAsked() {
  const { user } = useSession();
  const [isPutOff, setPutOff] = useState(() => Date.now() - Number(localStorage.getItem(key)) < putOffFor);
  const { data } = useQuery({ ...factorsQuery, staleTime: Infinity, enabled: user?.role === 'admin' && !isPutOff });
  if (isPutOff || !data || data.totp_since !== null || data.passkeys.length > 0) return null;
  const putOff = () => {
    localStorage.setItem(key, String(Date.now()));
    setPutOff(true);
  };
  return (
    <Alert role="region" title={m.accounts_factors_asked()} m="md">
      {m.accounts_factors_asked_why()}
      <Group mt="sm">
        <Button component={Link} href="/kitchen/my-sign-in">
          {m.accounts_factors_asked_begin()}
        </Button>
        <Button variant="default" onClick={putOff}>
          {m.accounts_factors_asked_later()}
        </Button>
      </Group>
    </Alert>
  );
}
