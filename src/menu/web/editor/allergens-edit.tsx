import { Alert, Button, Group, NativeSelect } from '@mantine/core';
import { m } from '#messages';
import {
  type AllergenAnswer,
  allergenFields,
  answerFor,
  answersOf,
  awaitsConfirmation,
  countAnswers,
  type KnownAllergens,
  noneOfThem,
  withAnswer,
} from '#menu/allergen-answers.ts';
import { allergenCodes } from '#menu/allergen-codes.ts';
import { dishAllergens, type StatedDish, unstatedChoices } from '#menu/dish-allergens.ts';
import { allergenName, allergenWords, dishAllergenWords, nameAll } from '#menu/allergen-words.ts';
import classes from '#menu/web/editor/allergens-edit.module.css';
import formClasses from '#menu/web/editor/part-form.module.css';
import { confirm } from '#ui/web/office/confirm.tsx';

interface AllergensEditProps {
  part: KnownAllergens & { name: string };
  /** A dish with its choices; a choice is all there is of itself. */
  seen?: StatedDish;
  onCommit: (fields: Partial<KnownAllergens>) => void;
}

/** An answer for each of the law's 14 allergens. Customers read "ask the shop" until a person has given them all. */
export function AllergensEdit({ part, seen = part, onCommit }: AllergensEditProps) {
  const answers = answersOf(part);
  const count = countAnswers(answers);
  const unstated = part.allergens ? unstatedChoices(seen) : [];
  const isWaiting = awaitsConfirmation(part);
  const isNoneInIt = answers.contains.length + answers.may_contain.length === 0;
  const confirmNone = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.menu_edit_allergens_none_title({ name: part.name }),
      body: <p>{m.menu_edit_allergens_none_words({ list: nameAll(allergenCodes) })}</p>,
      action: m.menu_edit_allergens_none_yes(),
    });
    if (isSure) onCommit(allergenFields({ allergen_answers: noneOfThem }));
  };
  return (
    <fieldset className={formClasses.fieldset}>
      <legend>{m.menu_edit_allergens()}</legend>
      <div aria-live="polite">
        {isWaiting ? (
          <Alert color="warm">{m.menu_edit_allergens_waiting({ said: saidWords(part) })}</Alert>
        ) : (
          <p className={classes.said}>
            {part.allergens
              ? m.menu_edit_allergens_read({ said: dishAllergenWords(dishAllergens(seen)) })
              : m.menu_edit_allergens_count({ count })}
          </p>
        )}
        {unstated.length > 0 && (
          <Alert color="warm">{m.menu_edit_allergens_choices({ list: unstated.join(', ') })}</Alert>
        )}
      </div>
      <div className={classes.allergens}>
        {allergenCodes.map((code) => {
          const answer = answerFor(answers, code);
          return (
            <NativeSelect
              key={code}
              label={allergenName(code)}
              data-state={answer ?? undefined}
              value={answer ?? ''}
              data={[
                // Not one by one: the last answer to come back would state those that nobody has confirmed.
                ...(isWaiting ? [] : [{ value: '', label: m.menu_edit_allergen_open() }]),
                { value: 'not_in', label: m.menu_edit_allergen_no() },
                { value: 'may_contain', label: m.menu_edit_allergen_may() },
                { value: 'contains', label: m.menu_edit_allergen_contains() },
              ]}
              onChange={({ currentTarget: { value } }) => {
                // The select returns one of the values it was given.
                const next = (value || null) as AllergenAnswer;
                onCommit(withAnswer(part, code, next));
              }}
            />
          );
        })}
      </div>
      <Group gap="xs">
        {isWaiting && !isNoneInIt && (
          <Button variant="light" onClick={() => onCommit(allergenFields({ allergen_answers: answers }))}>
            {m.menu_edit_allergens_right()}
          </Button>
        )}
        {!part.allergens && isNoneInIt && (
          <Button variant="default" onClick={() => void confirmNone()}>
            {m.menu_edit_allergens_none()}
          </Button>
        )}
        {count > 0 && (
          <Button variant="subtle" onClick={() => onCommit(allergenFields({ allergens: null }))}>
            {m.menu_edit_allergens_clear()}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}

/** The answers as customers will read them. */
export function saidWords(part: KnownAllergens): string {
  return allergenWords(answersOf(part));
}
