import { Button, Group } from '@mantine/core';
import { m } from '#messages';
import classes from '#accounts/web/devices/devices.module.css';

/** The codes that are shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <section className={classes.panel} aria-label={m.accounts_recovery_title()}>
      <h2>{m.accounts_recovery_title()}</h2>
      <p role="alert">{m.accounts_recovery_means()}</p>
      <pre className={classes.spelt}>{text}</pre>
      <Group>
        <Button
          component="a"
          variant="default"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          {m.accounts_recovery_save()}
        </Button>
        <Button onClick={onDone}>{m.accounts_recovery_kept()}</Button>
      </Group>
    </section>
  );
}
