import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { m } from '#messages';
import classes from '#accounts/web/devices/devices.module.css';
import { tell } from '#accounts/web/factors/factor-parts.ts';
import { api } from '#platform/web/api.ts';
import { jsonFile, saveFile } from '#ui/web/save-file.ts';

/** Everything that the shop stores about the person, as a file. Customers have it on their own page. */
export function OwnData() {
  const download = useMutation({
    mutationFn: async () => (await api('GET /v1/auth/user/export', {}, { timeout: 60_000 })).data,
    onSuccess: (data) => saveFile(jsonFile(data), 'my-data.json'),
    onError: tell,
  });
  return (
    <section className={classes.panel} aria-label={m.people_data()}>
      <h2>{m.people_data()}</h2>
      <p>{m.people_data_hint()}</p>
      <Group>
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {m.people_data_download()}
        </Button>
      </Group>
    </section>
  );
}
