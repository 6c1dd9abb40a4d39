import classes from '#ui/web/office/badge.module.css';

export type Tone = 'good' | 'warn' | 'bad';

/** A state in a word or two; without a tone it is neither good nor bad. */
export function Badge({ tone, children }: { tone: Tone | null; children: string }) {
  return (
    <span className={classes.badge} data-tone={tone ?? undefined}>
      {children}
    </span>
  );
}
