import { Alert, Button, Checkbox, Group, NativeSelect, Progress, SimpleGrid } from '@mantine/core';
import { m } from '#messages';
import type { Availability, Dietary } from '#menu/menu-shapes.ts';
import { isSoldOut } from '#menu/sold-out.ts';
import { type FieldEditProps, TimeEdit } from '#menu/web/editor/edit-fields.tsx';
import classes from '#menu/web/editor/choice-edits.module.css';
import formClasses from '#menu/web/editor/part-form.module.css';
import { dietWords } from '#menu/web/menu-words.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayEnd } from '#store/opening-hours.ts';
import { weekdayName } from '#store/weekday-words.ts';
import { allergenCodes, weekdays } from '#database/page-values.ts';
import { type DragEvent, useId, useState } from 'react';
import editor from '#menu/web/editor/editor.module.css';
import { widthOfSmallUpload } from '#uploads/picture-sizes.ts';
import { acceptedPictures } from '#uploads/web/shrink-picture.ts';
import { uploadPicture } from '#uploads/web/upload-picture.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import {
  type AllergenAnswer,
  consistentAllergenFields,
  allergenAnswerFor,
  allergenAnswersOf,
  awaitsAllergenConfirmation,
  countAllergenAnswers,
  type AllergenAnswerFields,
  allAllergensAbsent,
  allergenFieldsAfterAnswer,
} from '#menu/allergen-answers.ts';
import { dishAllergens, type DishWithAllergens, choicesWithoutStatedAllergens } from '#menu/dish-allergens.ts';
import { allergenName, allergenWords, dishAllergenWords, allergenListWords } from '#menu/allergen-words.ts';
import allergensEditClasses from '#menu/web/editor/allergens-edit.module.css';
import { confirm } from '#ui/web/office/dialogs.tsx';

/**
 * The props of a select or of checkboxes, which save each choice at once. `onCommit` gets no `was`: unlike a typed
 * text, a choice leaves no time in which others could change the value.
 */
type Choice<T> = Omit<FieldEditProps<T>, 'onCommit'> & { onCommit: (value: T) => void };

/** A field for the UK's VAT rates, and for the present rate if it is not among them. `inherit` is the label of null. */
export function VatEdit<T extends number | null>({
  value,
  onCommit,
  inherit,
  ...rest
}: Choice<T> & { inherit?: string }) {
  const rates = [...new Set([2000, 500, 0, ...(value === null ? [] : [value])])].toSorted((a, b) => b - a);
  return (
    <NativeSelect
      {...rest}
      value={value === null ? '' : String(value)}
      data={[
        ...(inherit === undefined ? [] : [{ value: '', label: inherit }]),
        ...rates.map((rate) => ({ value: String(rate), label: m.menu_edit_percent({ percent: rate / 100 }) })),
      ]}
      onChange={({ currentTarget }) => onCommit((currentTarget.value === '' ? null : Number(currentTarget.value)) as T)}
    />
  );
}

type Stock = { is_available: boolean; unavailable_until: string | null; portions_left?: number | null };

/**
 * A field with three values: available, sold out until somebody changes it, and sold out for the rest of the trading
 * day.
 */
export function SoldOutEdit({
  stock,
  store,
  onCommit,
}: {
  stock: Stock;
  store: Store;
  onCommit: (stock: Stock) => void;
}) {
  const now = useNow();
  return (
    <NativeSelect
      label={m.menu_edit_available()}
      value={isSoldOut(stock, now) ? (stock.unavailable_until === null ? 'out' : 'today') : 'in'}
      data={[
        { value: 'in', label: m.menu_edit_stock_in() },
        { value: 'today', label: m.menu_edit_stock_today() },
        { value: 'out', label: m.menu_edit_stock_out() },
      ]}
      onChange={({ currentTarget }) => onCommit(stockForSelectValue(currentTarget.value, stock, store, now))}
    />
  );
}

/**
 * Returns the stock fields for a choice in the select. If a dish with no portions left is made available, its portions
 * are no longer counted.
 */
export function stockForSelectValue(choice: string, { portions_left: left }: Stock, store: Store, now: Date): Stock {
  if (choice === 'in')
    return { is_available: true, unavailable_until: null, ...(left === 0 && { portions_left: null }) };
  const until = choice === 'today' ? tradingDayEnd(store, now) : null;
  return { is_available: false, unavailable_until: until };
}

const diets: readonly Dietary[] = ['vegetarian', 'vegan', 'halal', 'gluten_free'];

export function DietaryEdit({ label, value, onCommit }: Choice<Dietary[]>) {
  return (
    <fieldset className={formClasses.fieldset}>
      <legend>{label}</legend>
      <Group gap="md">
        {diets.map((diet) => (
          <Checkbox
            key={diet}
            label={dietWords([diet])[0]}
            checked={value.includes(diet)}
            onChange={(event) =>
              onCommit(diets.filter((one) => (one === diet ? event.currentTarget.checked : value.includes(one))))
            }
          />
        ))}
      </Group>
    </fieldset>
  );
}

/** A field for when a menu is available: always, or on some days between two times. */
export function ServingTimesEdit({
  label,
  value,
  onCommit,
  dayStartsAt,
}: FieldEditProps<Availability> & { dayStartsAt: string }) {
  return (
    <fieldset className={formClasses.fieldset}>
      <legend>{label}</legend>
      <Checkbox
        label={m.menu_edit_served_always()}
        checked={value === null}
        onChange={(event) =>
          onCommit(
            event.currentTarget.checked ? null : { days: [...weekdays], from: dayStartsAt, to: dayStartsAt },
            value,
          )
        }
      />
      {value && (
        <>
          <div className={classes.days}>
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                label={weekdayName(day)}
                checked={value.days.includes(day)}
                disabled={value.days.length === 1 && value.days.includes(day)}
                onChange={({ currentTarget: { checked } }) => {
                  const days = weekdays.filter((one) => (one === day ? checked : value.days.includes(one)));
                  onCommit({ ...value, days }, value);
                }}
              />
            ))}
          </div>
          <SimpleGrid cols={2}>
            <TimeEdit
              label={m.menu_edit_served_from()}
              value={value.from}
              onCommit={(from, was) => onCommit({ ...value, from }, { ...value, from: was })}
            />
            <TimeEdit
              label={m.menu_edit_served_to()}
              value={value.to}
              onCommit={(to, was) => onCommit({ ...value, to }, { ...value, to: was })}
            />
          </SimpleGrid>
        </>
      )}
    </fieldset>
  );
}

interface PictureEditProps {
  label: string;
  value: string | null;
  onCommit: (url: string | null) => void;
}

export function PictureEdit({ label, value, onCommit }: PictureEditProps) {
  const id = useId();
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const smallWidth = value === null ? null : widthOfSmallUpload(value);

  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setProblem(null);
    setProgress(0);
    try {
      onCommit((await uploadPicture(file, setProgress)).url);
    } catch (error) {
      setProblem(refusalWords(error));
    }
    setProgress(null);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same
    <fieldset
      className={formClasses.picture}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <legend>{label}</legend>
      {value && <img src={value} alt={m.menu_edit_picture_preview()} width={160} height={120} />}
      <div>
        <Group gap="xs">
          <Button component="label" htmlFor={id} variant="default" loading={progress !== null}>
            {value ? m.menu_edit_picture_other() : m.menu_edit_picture_choose()}
          </Button>
          {value && (
            <Button variant="subtle" color="bad" onClick={() => onCommit(null)}>
              {m.menu_edit_picture_remove()}
            </Button>
          )}
        </Group>
        <input
          id={id}
          type="file"
          accept={acceptedPictures}
          className="visually-hidden"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        <p className={editor.hint}>{m.menu_edit_picture_hint()}</p>
        {smallWidth !== null && (
          <p className={formClasses.problem}>{m.menu_edit_picture_small({ width: smallWidth })}</p>
        )}
        {progress === 0 && <p role="status">{m.menu_edit_picture_making_small()}</p>}
        {progress !== null && <Progress value={progress * 100} aria-label={m.menu_edit_picture_sending()} />}
        {problem && (
          <p role="alert" className={formClasses.problem}>
            {problem}
          </p>
        )}
      </div>
    </fieldset>
  );
}

interface AllergensEditProps {
  part: AllergenAnswerFields & { name: string };
  /** The part with its choices, if it has choices. */
  seen?: DishWithAllergens;
  hint?: string | undefined;
  onCommit: (fields: Partial<AllergenAnswerFields>) => void;
}

/**
 * Fields for an answer about each of the 14 allergens. Customers read "ask the shop" until all 14 answers are
 * confirmed.
 */
export function AllergensEdit({ part, seen = part, hint, onCommit }: AllergensEditProps) {
  const answers = allergenAnswersOf(part);
  const count = countAllergenAnswers(answers);
  const unstated = part.allergens ? choicesWithoutStatedAllergens(seen) : [];
  const isWaiting = awaitsAllergenConfirmation(part);
  const isNoneInIt = answers.contains.length + answers.may_contain.length === 0;
  const confirmNone = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.menu_edit_allergens_none_title({ name: part.name }),
      body: <p>{m.menu_edit_allergens_none_words({ list: allergenListWords(allergenCodes) })}</p>,
      action: m.menu_edit_allergens_none_yes(),
    });
    if (isSure) onCommit(consistentAllergenFields({ allergen_answers: allAllergensAbsent }));
  };
  return (
    <fieldset className={formClasses.fieldset}>
      <legend>{m.menu_edit_allergens()}</legend>
      {hint && <p className={editor.hint}>{hint}</p>}
      <div aria-live="polite">
        {isWaiting ? (
          <Alert color="warm">{m.menu_edit_allergens_waiting({ said: answeredAllergenWords(part) })}</Alert>
        ) : (
          <p className={allergensEditClasses.said}>
            {part.allergens
              ? m.menu_edit_allergens_read({ said: dishAllergenWords(dishAllergens(seen)) })
              : m.menu_edit_allergens_count({ count })}
          </p>
        )}
        {unstated.length > 0 && (
          <Alert color="warm">{m.menu_edit_allergens_choices({ list: unstated.join(', ') })}</Alert>
        )}
      </div>
      <div className={allergensEditClasses.allergens}>
        {allergenCodes.map((code) => {
          const answer = allergenAnswerFor(answers, code);
          return (
            <NativeSelect
              key={code}
              label={allergenName(code)}
              data-state={answer ?? undefined}
              value={answer ?? ''}
              data={[
                // No answer can be cleared while all 14 await confirmation. If one was cleared and answered again, all
                // 14 would count as confirmed.
                ...(isWaiting ? [] : [{ value: '', label: m.menu_edit_allergen_open() }]),
                { value: 'not_in', label: m.menu_edit_allergen_no() },
                { value: 'may_contain', label: m.menu_edit_allergen_may() },
                { value: 'contains', label: m.menu_edit_allergen_contains() },
              ]}
              onChange={({ currentTarget: { value } }) => {
                // The cast is right: the select returns one of its values.
                const next = (value || null) as AllergenAnswer;
                onCommit(allergenFieldsAfterAnswer(part, code, next));
              }}
            />
          );
        })}
      </div>
      <Group gap="xs">
        {isWaiting && !isNoneInIt && (
          <Button variant="light" onClick={() => onCommit(consistentAllergenFields({ allergen_answers: answers }))}>
            {m.menu_edit_allergens_right()}
          </Button>
        )}
        {!part.allergens && isNoneInIt && (
          <Button variant="default" onClick={() => void confirmNone()}>
            {m.menu_edit_allergens_none()}
          </Button>
        )}
        {count > 0 && (
          <Button variant="subtle" onClick={() => onCommit(consistentAllergenFields({ allergens: null }))}>
            {m.menu_edit_allergens_clear()}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}

export function answeredAllergenWords(part: AllergenAnswerFields): string {
  return allergenWords(allergenAnswersOf(part));
}
