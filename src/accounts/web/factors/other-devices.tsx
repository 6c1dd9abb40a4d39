import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import classes from '#accounts/web/devices/devices.module.css';
import { signInsKey, tell, withTimeout } from '#accounts/web/factors/factor-parts.ts';
import { api } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';

/** Signs the person out where they are signed in beside here: after a factor was set up, the sign-ins from before it go on. */
export function OtherDevices() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: signInsKey,
    queryFn: async ({ signal }) => (await api('GET /v1/auth/sign-ins', {}, { signal, ...withTimeout })).data,
  });
  const others = query.data?.filter(({ is_current: isCurrent }) => !isCurrent) ?? [];
  const end = useMutation({
    mutationFn: async () => {
      for (const { id } of others) await api('DELETE /v1/auth/sign-ins/{id}', { id }, withTimeout);
    },
    onSuccess: () => notify({ text: m.accounts_others_ended() }),
    onError: tell,
    // Some may have ended before an error.
    onSettled: () => client.invalidateQueries({ queryKey: signInsKey }),
  });
  if (others.length === 0) return null;
  return (
    <section className={classes.panel} aria-label={m.accounts_others()}>
      <h2>{m.accounts_others()}</h2>
      <p>{m.accounts_others_hint({ count: others.length })}</p>
      <Group>
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {m.accounts_others_end()}
        </Button>
      </Group>
    </section>
  );
}
