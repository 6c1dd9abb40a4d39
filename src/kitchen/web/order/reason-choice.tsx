import { Radio, Textarea } from '@mantine/core';
import classes from '#kitchen/web/board/panels.module.css';
import { m } from '#messages';

/** The chosen reason: a code, or `other` with free text; null: no choice yet. */
export interface ChosenReason<Code extends string> {
  choice: Code | 'other' | null;
  text: string;
}

export const noReasonChosen = { choice: null, text: '' } as const;

/** The reason to send: a code or free text; empty or null: none. */
export function reasonToSend<Code extends string>({ choice, text }: ChosenReason<Code>): string | null {
  return choice === 'other' ? text.trim() : choice;
}

interface ReasonChoiceProps<Code extends string> {
  label: string;
  codes: readonly Code[];
  words: Readonly<Record<Code, () => string>>;
  other: string;
  missing: { choice: string; text: string };
  /** Whether the form was submitted, so that a missing reason is marked. */
  isChecked: boolean;
  isFocused?: boolean;
  chosen: ChosenReason<Code>;
  onChange: (chosen: ChosenReason<Code>) => void;
}

/** Asks for a reason that the customer will read; none is preselected. */
export function ReasonChoice<Code extends string>({
  label,
  codes,
  words,
  other,
  missing,
  isChecked,
  isFocused = false,
  chosen,
  onChange,
}: ReasonChoiceProps<Code>) {
  const { choice, text } = chosen;
  return (
    <>
      <Radio.Group
        label={label}
        description={m.kitchen_take_off_why_hint()}
        value={choice}
        error={isChecked && choice === null ? missing.choice : undefined}
        onChange={(value) =>
          onChange({ text, choice: [...codes, 'other' as const].find((code) => code === value) ?? null })
        }
      >
        {codes.map((code, place) => (
          <ReasonRadio key={code} value={code} label={words[code]()} isFirst={isFocused && place === 0} />
        ))}
        <ReasonRadio value="other" label={other} />
      </Radio.Group>
      {choice === 'other' && (
        <Textarea
          label={m.kitchen_take_off_other_label()}
          maxLength={300}
          value={text}
          onChange={(event) => onChange({ choice, text: event.currentTarget.value })}
          error={isChecked && !text.trim() ? missing.text : undefined}
        />
      )}
    </>
  );
}

export function ReasonRadio({ value, label, isFirst = false }: { value: string; label: string; isFirst?: boolean }) {
  return (
    <Radio
      data-autofocus={isFirst || undefined}
      value={value}
      label={label}
      classNames={{ body: classes.choice ?? '', label: classes.choiceLabel ?? '' }}
    />
  );
}
