import { Alert, Button, Group, NativeSelect, NumberInput, Select, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type Ref, useMemo, useState } from 'react';
import { m } from '#messages';
import classes from '#menu/web/editor/add-choices.module.css';
import {
  type ChoiceKind,
  choiceKinds,
  dishesForDeal,
  emptyQuickEntryRow,
  isQuickEntryRowEmpty,
  planChoices,
  type QuickEntry,
  type QuickEntryRow,
  choiceKindProblem,
  hiddenChoicesOf,
  type QuickEntryProblem,
} from '#menu/web/editor/choice-plans.ts';
import type { ItemPart, OptionPart } from '#menu/operations/menu-operation.ts';
import { fillRequiredGroups } from '#menu/dish-choices.ts';
import type { OpenPartPanel } from '#menu/web/editor/edit-fields.tsx';
import { itemWithChoices } from '#menu/web/editor/pricing-edit.tsx';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { formatMoney } from '#platform/money.ts';

const words: Record<
  ChoiceKind,
  { title: () => string; hint: () => string; name: () => string; row: () => string; price: () => string }
> = {
  sizes: {
    title: m.menu_choices_sizes,
    hint: m.menu_choices_sizes_hint,
    name: m.menu_choices_sizes_name,
    row: m.menu_choices_size,
    price: m.menu_choices_size_price,
  },
  extras: {
    title: m.menu_choices_extras,
    hint: m.menu_choices_extras_hint,
    name: m.menu_choices_extras_name,
    row: m.menu_choices_extra,
    price: m.menu_choices_extra_price,
  },
  deal: {
    title: m.menu_choices_deal,
    hint: m.menu_choices_deal_hint,
    name: m.menu_choices_deal_name,
    row: m.menu_choices_deal_dish,
    price: m.menu_choices_extra_price,
  },
};

export const hiddenChoiceWords = { deleted: m.menu_deal_dish_deleted, hidden: m.menu_deal_dish_hidden };

export function choiceKindWords(kind: ChoiceKind): string {
  return words[kind].title();
}

export function AddChoices({ item }: { item: ItemPart }) {
  const editing = useMenuEditing();
  const [kind, setKind] = useState<ChoiceKind | null>(null);
  if (kind) return <QuickEntryForm key={kind} item={item} kind={kind} onClose={() => setKind(null)} />;
  return (
    <div className={classes.starts} role="group" aria-label={m.menu_choices_add()}>
      {choiceKinds.map((each) => {
        const refused = choiceKindProblem(editing, item, each);
        return (
          <button key={each} type="button" disabled={refused !== null} onClick={() => setKind(each)}>
            <strong>{words[each].title()}</strong>
            <span>{refused ?? words[each].hint()}</span>
          </button>
        );
      })}
    </div>
  );
}

interface FormProps {
  item: ItemPart;
  kind: ChoiceKind;
  onClose: () => void;
}

function QuickEntryForm({ item, kind, onClose }: FormProps) {
  const { store, index, edit } = useMenuEditing();
  const { currency } = store;
  const [entry, setEntry] = useState<QuickEntry>({
    kind,
    name: words[kind].name(),
    rows: [emptyQuickEntryRow, emptyQuickEntryRow, emptyQuickEntryRow],
    count: 1,
  });
  const [problem, setProblem] = useState<QuickEntryProblem | null>(null);
  const setRow = (at: number, change: Partial<QuickEntryRow>): void => {
    const rows = entry.rows.map((row, place) => (place === at ? { ...row, ...change } : row));
    const last = rows.at(-1);
    setEntry({ ...entry, rows: last && isQuickEntryRowEmpty(last) ? rows : [...rows, emptyQuickEntryRow] });
    setProblem(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const name = entry.name.trim() === '' ? words[kind].name() : entry.name;
    const at = { storeId: store.id, item, currency, example: formatMoney(150, currency) };
    const plan = planChoices(at, { ...entry, name }, (id) => index.items.get(id)?.name ?? '');
    if ('words' in plan) return setProblem(plan);
    edit(m.menu_edit_added({ name }), plan.operations);
    onClose();
  };
  return (
    <form className={classes.entry} onSubmit={submit} noValidate aria-label={words[kind].title()}>
      <h4>{words[kind].title()}</h4>
      <TextInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed is gone
        autoFocus
        label={m.menu_choices_heading()}
        maxLength={80}
        value={entry.name}
        onChange={(event) => setEntry({ ...entry, name: event.currentTarget.value })}
      />
      {kind === 'deal' && (
        <NumberInput
          label={m.menu_choices_deal_count()}
          min={1}
          max={20}
          value={entry.count}
          onChange={(count) => setEntry({ ...entry, count: Math.min(20, Math.max(1, Number(count) || 1)) })}
        />
      )}
      <ol>
        {entry.rows.map((row, at) => (
          <QuickRowFields
            // Rows are only added at the end.
            // oxlint-disable-next-line react/no-array-index-key -- a row has no other identity
            key={at}
            kind={kind}
            row={row}
            at={at}
            dealId={item.id}
            problem={problem?.row === at ? problem : null}
            onChange={(change) => setRow(at, change)}
          />
        ))}
      </ol>
      <Group gap="xs">
        <Button type="submit">{m.menu_choices_save()}</Button>
        <Button variant="subtle" onClick={onClose}>
          {m.menu_choices_cancel()}
        </Button>
      </Group>
    </form>
  );
}

interface RowProps {
  kind: ChoiceKind;
  row: QuickEntryRow;
  at: number;
  dealId: string;
  problem: QuickEntryProblem | null;
  onChange: (change: Partial<QuickEntryRow>) => void;
}

function QuickRowFields({ kind, row, at, dealId, problem, onChange }: RowProps) {
  const label = `${words[kind].row()} ${at + 1}`;
  const priceLabel = `${words[kind].price()} ${at + 1}`;
  const wrong = (field: QuickEntryProblem['field']) => problem?.field === field && problem.words;
  return (
    <li>
      {kind === 'deal' ? (
        <DishSelect
          label={label}
          dealId={dealId}
          value={row.item_id}
          error={wrong('name')}
          onChange={(item_id) => onChange({ item_id })}
        />
      ) : (
        <TextInput
          aria-label={label}
          placeholder={label}
          maxLength={80}
          value={row.name}
          error={wrong('name')}
          onKeyDown={focusNextFieldOnEnter}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      )}
      <TextInput
        aria-label={priceLabel}
        placeholder={words[kind].price()}
        inputMode="decimal"
        autoComplete="off"
        value={row.price}
        error={wrong('price')}
        onKeyDown={focusNextFieldOnEnter}
        onChange={(event) => onChange({ price: event.currentTarget.value })}
      />
    </li>
  );
}

interface DishSelectProps {
  label: string;
  dealId: string | null;
  value: string | null;
  onChange: (itemId: string | null) => void;
  error?: string | false;
  hasLabel?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function DishSelect({ label, dealId, value, error = false, hasLabel = false, ...rest }: DishSelectProps) {
  const { parts, store } = useMenuEditing();
  const data = useMemo(
    () =>
      dishesForDeal(parts, dealId).map(({ id, name, price }) => ({
        value: id,
        label: `${name} · ${formatMoney(price, store.currency)}`,
      })),
    [parts, dealId, store.currency],
  );
  return (
    <Select
      {...rest}
      {...(hasLabel ? { label } : { 'aria-label': label })}
      placeholder={m.menu_choices_deal_search()}
      searchable
      clearable={!hasLabel}
      value={value}
      data={data}
      limit={50}
      error={error}
      nothingFoundMessage={m.office_list_no_match()}
      comboboxProps={{ withinPortal: true }}
    />
  );
}

/** Names a deal's choices that customers do not see, each with a button that solves the problem. */
export function HiddenDealChoices({ item, onOpen }: { item: ItemPart; onOpen: OpenPartPanel }) {
  const { index } = useMenuEditing();
  const { lost, canBeOrdered } = hiddenChoicesOf(index, item);
  if (lost.length === 0) return null;
  return (
    <Alert
      color={canBeOrdered ? 'warm' : 'bad'}
      title={canBeOrdered ? m.menu_deal_lost({ count: lost.length }) : m.menu_deal_unorderable()}
    >
      <p>{m.menu_deal_lost_hint()}</p>
      <Group gap="xs" mt="xs">
        {lost.map(({ option, groupId, reason }) => (
          <Button
            key={`${groupId} ${option.id}`}
            variant="default"
            onClick={() => onOpen({ kind: 'option', id: option.id, parentId: groupId })}
          >
            {m.menu_deal_lost_open({ name: option.name, reason: hiddenChoiceWords[reason]() })}
          </Button>
        ))}
      </Group>
    </Alert>
  );
}

interface DealDishProps {
  option: OptionPart;
  onOpen: OpenPartPanel;
  onCommit: (fields: Partial<Pick<OptionPart, 'item_id' | 'item_options'>>) => void;
}

/** Shows the dish behind a deal's choice, and the answers to the dish's required groups. */
export function DealDishEdit({ option, onOpen, onCommit }: DealDishProps) {
  const { index } = useMenuEditing();
  const item = index.items.get(option.item_id ?? '');
  if (!item) {
    return (
      <Alert color="warm" title={m.menu_deal_dish_gone({ name: option.name })}>
        <DishSelect
          hasLabel
          label={m.menu_deal_dish_other()}
          dealId={null}
          value={null}
          onChange={(item_id) => item_id && onCommit({ item_id, item_options: [] })}
        />
      </Alert>
    );
  }
  const dish = itemWithChoices(index, item);
  const { made } = fillRequiredGroups(dish, option.item_options);
  const answers = made.map(({ group, option: own }) => ({ option_group_id: group.id, option_id: own.id }));
  return (
    <>
      <Alert color={item.is_active ? undefined : 'warm'}>
        <p>
          {item.is_active
            ? m.menu_deal_dish_follows({ name: item.name })
            : m.menu_deal_dish_hidden_hint({ name: item.name })}
        </p>
        <Button mt="xs" variant="default" onClick={() => onOpen({ kind: 'item', id: item.id, parentId: null })}>
          {m.menu_deal_dish_open({ name: item.name })}
        </Button>
      </Alert>
      {made.map((answer, at) => (
        <NativeSelect
          key={`${answer.group.id} ${answer.option.id}`}
          label={answer.group.name}
          description={m.menu_deal_answer_hint()}
          value={answer.option.id}
          data={(answer.group.options ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
            disabled: id !== answer.option.id && answers.some(({ option_id }) => option_id === id),
          }))}
          onChange={({ currentTarget: { value } }) =>
            onCommit({ item_options: answers.map((one, place) => (place === at ? { ...one, option_id: value } : one)) })
          }
        />
      ))}
    </>
  );
}

/**
 * Moves the focus to the next field on Enter, so that a list can be typed without a mouse. In the last field Enter
 * saves.
 */
export function focusNextFieldOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return;
  const fields = [
    ...(event.currentTarget.form?.querySelectorAll<HTMLInputElement>('ol input:not([type=hidden])') ?? []),
  ];
  const next = fields[fields.indexOf(event.currentTarget) + 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
