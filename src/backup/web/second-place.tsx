import { Alert } from '@mantine/core';
import { m } from '#messages';

/** Says that backups would burn with the machine, until a second place is set. */
export function SecondPlace({ hasSecondPlace }: { hasSecondPlace: boolean }) {
  if (hasSecondPlace) return null;
  return (
    <section>
      <h2>{m.backup_place()}</h2>
      <Alert color="bad" role="note" title={m.backup_here_only()}>
        {m.backup_place_hint()}
      </Alert>
    </section>
  );
}
