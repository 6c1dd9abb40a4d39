import { memo, useId } from 'react';
import { m } from '#messages';
import { allergenConflictsOf } from '#menu/allergen-conflicts.ts';
import type { AllergenCode } from '#database/page-values.ts';
import type { Item, Option, OptionGroup } from '#menu/menu-shapes.ts';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import { groupRuleWords } from '#menu/web/menu-words.ts';
import { optionPriceWords } from '#ordering/web/menu/option-price-words.ts';
import type { DishChoiceState } from '#ordering/web/menu/use-choices.ts';
import { isOptionSoldOut } from '#menu/sold-out.ts';
import { useNow } from '#platform/web/clock.ts';
import { FieldErrorText } from '#ui/web/field.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { Stepper } from '#ui/web/stepper.tsx';

interface OptionGroupFieldProps {
  group: OptionGroup;
  dish: Item;
  /**
   * The quantities of the options, joined by commas: a string, so that `memo` sees no change while no quantity changes.
   */
  counts: string;
  /** Whether the chosen options satisfy the group's minimum. */
  isMet: boolean;
  onChange: DishChoiceState['set'];
  currency: string;
  avoided: readonly AllergenCode[];
  /**
   * The text about the group's problem; null if there is none, and until the customer first presses the button that
   * adds the dish.
   */
  problem: string | null;
}

/**
 * One option group: radios if exactly one option must be chosen, otherwise checkboxes, and counters if an option may be
 * chosen twice. Only a change of this group renders it again, because a dish may have a dozen groups.
 */
export const OptionGroupField = memo(function OptionGroupField(props: OptionGroupFieldProps) {
  const { group, dish, counts, isMet, onChange, currency, avoided, problem } = props;
  const id = useId();
  const now = useNow();
  const taken = counts.split(',').map(Number);
  const isFull = taken.reduce((sum, count) => sum + count, 0) >= group.max_select;
  const isDone = isMet && group.min_select > 0;
  return (
    <fieldset
      data-group={group.id}
      className="min-w-0 scroll-mt-4"
      aria-describedby={`${id}-rule${problem ? ` ${id}-problem` : ''}`}
    >
      <legend className="display text-xl font-bold">{group.name}</legend>
      <p
        id={`${id}-rule`}
        className={`mt-1 flex items-center gap-1.5 text-sm font-semibold ${isDone ? 'text-good-text' : 'text-ink-soft'}`}
      >
        {isDone && <Icon name="check" className="size-4" />}
        {groupRuleWords(group)}
      </p>
      <div aria-live="assertive">
        <FieldErrorText id={`${id}-problem`} errors={problem ? [problem] : undefined} />
      </div>
      <ul
        className={`mt-3 grid grid-cols-1 divide-y divide-line overflow-hidden rounded-box border ${problem ? 'border-bad-text' : 'border-line'}`}
      >
        {(group.options ?? []).map((option, place) => (
          <OptionRow
            key={option.id}
            name={id}
            group={group}
            option={option}
            count={taken[place] ?? 0}
            onChange={onChange}
            price={optionPriceWords(option, group, currency)}
            isSoldOut={isOptionSoldOut(option, dish, now)}
            isFull={isFull}
            avoided={avoided}
          />
        ))}
      </ul>
    </fieldset>
  );
});

interface OptionRowProps {
  name: string;
  group: OptionGroup;
  option: Option;
  count: number;
  onChange: DishChoiceState['set'];
  price: string;
  isSoldOut: boolean;
  isFull: boolean;
  avoided: readonly AllergenCode[];
}

/** One option of a group. Only a change of this option renders it again, because a group may have dozens. */
const OptionRow = memo(function OptionRow(props: OptionRowProps) {
  const { name, group, option, count, onChange, price, isSoldOut, isFull, avoided } = props;
  const isRadio = group.min_select === 1 && group.max_select === 1;
  // If the group allows one choice, a tick replaces the earlier choice, so a full group disables no option.
  const isDisabled = count === 0 && (isSoldOut || (isFull && group.max_select > 1));
  const isCounted = group.max_per_option > 1 && group.max_select > 1;
  return (
    <li className="flex flex-wrap items-center pr-3 tight:pr-1 has-checked:bg-accent-soft">
      <label
        className={`flex min-h-13 min-w-0 flex-1 basis-52 flex-wrap items-center gap-x-3 py-2 pl-4 tight:pl-2 ${isDisabled ? 'text-ink-soft' : ''}`}
      >
        <input
          type={isRadio ? 'radio' : 'checkbox'}
          name={isRadio ? name : undefined}
          checked={count > 0}
          disabled={isDisabled}
          onChange={(event) => onChange(group, option.id, event.target.checked ? 1 : 0)}
          className="size-5 shrink-0 accent-accent-edge"
        />
        <span className="min-w-0 flex-[1_1_6rem]">
          {option.name}
          {option.min_age && (
            <span className="ml-2 text-sm font-semibold text-warn-text">{m.menu_min_age({ age: option.min_age })}</span>
          )}
          {isSoldOut && <span className="ml-2 text-sm font-semibold text-warn-text">{m.menu_sold_out()}</span>}
          <ConflictMarks conflicts={allergenConflictsOf([option.allergens], avoided)} />
        </span>
        <span className="num ml-auto whitespace-nowrap text-ink-soft">{price}</span>
      </label>
      {isCounted && count > 0 && (
        <span className="ml-auto py-1 pl-3">
          <Stepper
            label={option.name}
            size="small"
            value={count}
            min={0}
            max={isFull ? count : group.max_per_option}
            onChange={(quantity) => onChange(group, option.id, quantity)}
          />
        </span>
      )}
    </li>
  );
});
