import { m } from '#messages';
import type { PaymentSetup } from '#payment/setup-contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { problemWords } from '#payment/key-problem-words.ts';
import { modeWords } from '#payment/web/setup/setup-words.ts';
import type { Store } from '#store/contract.ts';

interface EarlierKeysProps {
  earlier: PaymentSetup['earlier'];
  store: Store;
  className: string;
}

/** Keys that another one replaced, while something of theirs is not finished. */
export function EarlierKeys({ earlier, store, className }: EarlierKeysProps) {
  return (
    <section className={className}>
      <h2>{m.payment_setup_earlier()}</h2>
      <p>{m.payment_setup_earlier_hint()}</p>
      <ul>
        {earlier.map((set) => (
          <li key={set.id}>
            {rowWords(set, store)} {set.problem && <strong>{problemWords(set.problem)}</strong>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function rowWords(set: PaymentSetup['earlier'][number], { timezone }: Store): string {
  const said = {
    mode: modeWords[set.mode](),
    account: set.account_name ?? m.payment_setup_account_unknown(),
    hint: set.key_hint,
    date: dateWords(set.replaced_at, timezone),
  };
  return set.unfinished > 0
    ? m.payment_setup_earlier_row({ ...said, count: set.unfinished })
    : m.payment_setup_earlier_row_closing(said);
}
