import { m } from '#messages';
import { rightWords } from '#payment/key-problem-words.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';
import classes from '#payment/web/setup/setup.module.css';

/** What must be ticked on Stripe's page; its link ticks it already. */
export function NeededRights() {
  return (
    <details>
      <summary>{m.payment_setup_rights_summary()}</summary>
      <ul className={classes.rights}>
        {stripeRightNames.map((name) => (
          <li key={name}>{rightWords(name)}</li>
        ))}
      </ul>
      <p>{m.payment_setup_rights_rest()}</p>
    </details>
  );
}
