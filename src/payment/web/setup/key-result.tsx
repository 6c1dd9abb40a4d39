import { Alert, Button, Group } from '@mantine/core';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import { saidWords, typedKeyWords } from '#payment/key-problem-words.ts';
import type { KeyCheck, KeySet } from '#payment/setup-contract.ts';
import { stripePages } from '#payment/stripe-pages.ts';
import { ModeBand } from '#payment/web/mode-band.tsx';
import { nextSteps } from '#payment/web/setup/key-problem.tsx';
import { OutsideLink } from '#ui/web/office/outside-link.tsx';
import classes from '#payment/web/setup/setup.module.css';

interface KeyResultProps {
  result: KeyCheck;
  current: KeySet | null;
  /** Not the mode that the owner chose above. */
  isOtherMode: boolean;
  isTaking: boolean;
  onTake: () => void;
  onCheckAgain: () => void;
}

/** What the key may do, right by right, and the button that takes cards with it. */
export function KeyResult({ result, current, isOtherMode, isTaking, onTake, onCheckAgain }: KeyResultProps) {
  const { mode, problem, rights } = result;
  const account = result.account_name ?? result.account ?? m.payment_setup_account_unknown();
  return (
    <div>
      <ModeBand mode={mode} isOffered={!problem || problem.kind === 'some_pages_refused'} />
      {isOtherMode && (
        <Alert color="warm" mb="md">
          {mode === 'test' ? m.payment_setup_is_test_key() : m.payment_setup_is_live_key()}
        </Alert>
      )}
      {problem && (
        <Alert color="bad" mb="md" title={typedKeyWords(problem)}>
          {saidWords(problem) && <p>{saidWords(problem)}</p>}
          {problem.kind !== 'keys_refused' && nextSteps[problem.kind](problem.rights)}
          <Group gap="xs" mt="sm">
            <OutsideLink to={problem.kind === 'not_activated' ? stripePages.activate : stripePages.keys(mode)}>
              {problem.kind === 'not_activated' ? m.payment_setup_open_activate() : m.payment_setup_open_keys()}
            </OutsideLink>
            <Button variant="default" onClick={onCheckAgain}>
              {m.payment_setup_look_again()}
            </Button>
          </Group>
        </Alert>
      )}
      {problem?.kind !== 'keys_refused' && problem?.kind !== 'address_refused' && (
        <>
          <h3>{m.payment_setup_result({ account })}</h3>
          <ul className={classes.rights}>
            {rights.map(({ name, row, access, is_given }) => (
              <li key={name} data-given={is_given || undefined} data-missing={!is_given || undefined}>
                <Icon name={is_given ? 'check' : 'close'} />
                <span>{m.payment_keys_right({ row, access })}</span>
                {!is_given && <span className="visually-hidden">{m.payment_setup_right_missing()}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {!problem && (
        <>
          {current && <p>{result.joins ? m.payment_setup_joins() : m.payment_setup_joins_not()}</p>}
          <Button mt="md" loading={isTaking} onClick={onTake}>
            {mode === 'test' ? m.payment_setup_take_test() : m.payment_setup_take_live()}
          </Button>
        </>
      )}
    </div>
  );
}
