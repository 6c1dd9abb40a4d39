import classes from '#kitchen/web/till/in-the-way.module.css';
import till from '#kitchen/web/till/till.module.css';
import type { Placing } from '#kitchen/web/till/use-placing.ts';
import { m } from '#messages';
import type { Problem } from '#ordering/basket.ts';
import { isOverridable } from '#ordering/override.ts';

/**
 * Shown at the button, wherever the form is scrolled to: errors without a field, refusals, and warnings that staff
 * may override.
 */
export function InTheWay({ placing: { failure, problems, warnings, isRetrying } }: { placing: Placing }) {
  const others = problems.filter(
    (problem) => !isOverridable(problem) && !problem.path.startsWith('lines.') && !fields.has(problem.path),
  );
  const warned = new Set(warnings.map(({ message }) => message));
  const refused = [failure.message ?? [], ...Object.values(failure.errors)].flat();
  const words = new Set([...others.map(({ message }) => message), ...refused.filter((each) => !warned.has(each))]);
  return (
    <div className={classes.inTheWay} aria-live="polite">
      {isRetrying && <p className={classes.warning}>{m.kitchen_till_retrying()}</p>}
      {[...words].map((each) => (
        <p key={each} className={till.problem} role="alert">
          {each}
        </p>
      ))}
      {[...warned].map((each) => (
        <p key={each} className={classes.warning}>
          {each}
        </p>
      ))}
    </div>
  );
}

/** A missing address is not reported while somebody types it. */
export function problemAt(problems: readonly Problem[], path: string): string | undefined {
  return problems.find(
    (problem) => problem.path === path && problem.code !== 'address_required' && !isOverridable(problem),
  )?.message;
}

const fields = new Set([
  'contact.name',
  'contact.phone',
  'address.postcode',
  'address.line1',
  'address.city',
  'address.instructions',
  'allergy_note',
  'note',
  'requested_for',
]);
