import { Checkbox, NativeSelect, Stack, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import classes from '#menu/web/editor/part-form.module.css';
import {
  AllergensEdit,
  DietaryEdit,
  PictureEdit,
  ServingTimesEdit,
  SoldOutEdit,
  VatEdit,
} from '#menu/web/editor/choice-edits.tsx';
import { findDealIds } from '#menu/deals.ts';
import { choiceKindOf } from '#menu/web/editor/choice-plans.ts';
import { DealDishEdit, HiddenDealChoices } from '#menu/web/editor/add-choices.tsx';
import { ChildList } from '#menu/web/editor/child-list.tsx';
import {
  AutoSelectedField,
  NumberEdit,
  type OpenPartPanel,
  OptionalTextEdit,
  type PanelTarget,
  PriceEdit,
  TextEdit,
  usePartFields,
} from '#menu/web/editor/edit-fields.tsx';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import {
  makeChangeOperation,
  type MenuOperation,
  type PartKind,
  type PartOf,
} from '#menu/operations/menu-operation.ts';
import { priceGroupOf, PricingEdit, itemWithChoices, CustomerPricePreview } from '#menu/web/editor/pricing-edit.tsx';
import { PriceChangeEdit } from '#menu/web/editor/price-change.tsx';
import { unlimitedMaxSelect } from '#menu/option-rules.ts';
import { spiceWords } from '#menu/web/menu-words.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';
import type { OptionGroup } from '#menu/menu-shapes.ts';

interface FormProps<K extends PartKind> {
  part: PartOf<K>;
  onOpen: OpenPartPanel;
}

export function PartForm({ target, onOpen }: { target: PanelTarget; onOpen: OpenPartPanel }): ReactNode {
  const { index } = useMenuEditing();
  const { kind, id } = target;
  const [menu, category, item, group, option] = [
    index.menus.get(id),
    index.categories.get(id),
    index.items.get(id),
    index.groups.get(id),
    index.options.get(id),
  ];
  if (kind === 'menu' && menu) return <MenuForm key={id} part={menu} onOpen={onOpen} isNew={target.isNew} />;
  if (kind === 'category' && category) return <CategoryForm key={id} part={category} onOpen={onOpen} />;
  if (kind === 'item' && item) return <ItemForm key={id} part={item} onOpen={onOpen} />;
  if (kind === 'group' && group) return <GroupForm key={id} part={group} onOpen={onOpen} itemId={target.parentId} />;
  if (kind === 'option' && option)
    return <OptionForm key={id} part={option} onOpen={onOpen} groupId={target.parentId} />;
  return <p>{m.menu_edit_gone()}</p>;
}

function MenuForm({ part, onOpen, isNew }: FormProps<'menu'> & { isNew: boolean | undefined }) {
  const { store } = useMenuEditing();
  const { field } = usePartFields('menu', part);
  const name = <TextEdit {...field('name')} isRequired maxLength={80} />;
  return (
    <Stack>
      {isNew ? <AutoSelectedField>{name}</AutoSelectedField> : name}
      <ShownSwitch {...field('is_active')} />
      <TextEdit {...field('description')} isLong maxLength={500} />
      <ServingTimesEdit {...field('availability')} dayStartsAt={store.day_starts_at} />
      <ChildList kind="category" parentId={part.id} onOpen={onOpen} />
    </Stack>
  );
}

function CategoryForm({ part, onOpen }: FormProps<'category'>) {
  const { field } = usePartFields('category', part);
  return (
    <Stack>
      <TextEdit {...field('name')} isRequired maxLength={80} />
      <ShownSwitch {...field('is_active')} />
      <TextEdit {...field('description')} isLong maxLength={500} />
      <PictureEdit {...field('image')} />
      <ChildList kind="item" parentId={part.id} onOpen={onOpen} />
    </Stack>
  );
}

function ItemForm({ part, onOpen }: FormProps<'item'>) {
  const { store, index, parts } = useMenuEditing();
  const [typed, setTyped] = useState<MenuOperation[]>([]);
  const sizes = priceGroupOf(index, part);
  const isDeal = findDealIds({ ...parts, items: [part] }).size > 0;
  const { set, field } = usePartFields('item', part);
  return (
    <Stack>
      <TextEdit {...field('name')} isRequired maxLength={120} />
      <FieldColumns cols={2}>
        <PriceEdit
          {...field('price')}
          {...(sizes && { description: m.menu_edit_price_unused({ group: sizes.name }) })}
          currency={store.currency}
          onTyped={(price) => setTyped(price === undefined ? [] : [makeChangeOperation('item', part.id, { price })])}
        />
        <VatEdit {...field('vat_rate')} />
      </FieldColumns>
      <CustomerPricePreview items={[part.id]} typed={typed} />
      <HiddenDealChoices item={part} onOpen={onOpen} />
      {!sizes && <PriceChangeEdit {...field('price_change')} price={part.price} />}
      <ChildList kind="group" parentId={part.id} onOpen={onOpen} />
      <TextEdit {...field('description')} isLong maxLength={1000} />
      <PictureEdit {...field('image')} />
      <ShownSwitch {...field('is_active')} />
      <FieldColumns cols={2}>
        <SoldOutEdit stock={part} store={store} onCommit={set} />
        <NumberEdit
          {...field('portions_left')}
          description={m.menu_edit_portions_hint()}
          empty={null}
          min={0}
          max={10_000}
          onCommit={(portions_left) => set({ portions_left }, null)}
        />
      </FieldColumns>
      <AllergensEdit
        part={part}
        seen={itemWithChoices(index, part)}
        hint={isDeal ? m.menu_deal_allergens_hint() : undefined}
        onCommit={set}
      />
      <DietaryEdit {...field('dietary')} />
      <FieldColumns cols={2}>
        <SpiceSelect {...field('spice_level')} />
        <NumberEdit {...field('min_age')} empty={null} min={1} max={99} />
        <NumberEdit {...field('prep_minutes')} empty={null} min={0} max={240} />
        <NumberEdit {...field('max_per_order')} empty={null} min={1} max={100} />
        <OptionalTextEdit {...field('station')} maxLength={40} />
        <OptionalTextEdit {...field('kitchen_name')} maxLength={60} />
      </FieldColumns>
    </Stack>
  );
}

function GroupForm({ part, onOpen, itemId }: FormProps<'group'> & { itemId: string | null }) {
  const { index } = useMenuEditing();
  const [typed, setTyped] = useState<MenuOperation[]>([]);
  const seen = { items: itemId ? [itemId] : (index.itemsOfGroup.get(part.id) ?? []).map(({ id }) => id), typed };
  const { field } = usePartFields('group', part);
  return (
    <Stack>
      <TextEdit {...field('name')} isRequired maxLength={80} />
      {choiceKindOf(index, part) !== 'deal' && <PricingEdit group={part} {...seen} />}
      <fieldset className={classes.fieldset}>
        <legend>{m.menu_edit_rules()}</legend>
        <p className={classes.rule}>{ruleWords(part)}</p>
        {part.pricing === 'adds' && <RuleFields part={part} />}
      </fieldset>
      <div className={classes.staysInView}>
        <CustomerPricePreview {...seen} />
      </div>
      <ChildList kind="option" parentId={part.id} onOpen={onOpen} onTyped={setTyped} />
    </Stack>
  );
}

/**
 * The fields for the minimum and maximum number of choices. They are hidden if the choices are the price, because then
 * exactly one is chosen.
 */
function RuleFields({ part }: Pick<FormProps<'group'>, 'part'>) {
  const { set, field } = usePartFields('group', part);
  return (
    <FieldColumns cols={2}>
      <NumberEdit
        {...field('min_select')}
        min={0}
        max={unlimitedMaxSelect}
        onCommit={(min_select, was) =>
          set({ min_select, ...(min_select > part.max_select && { max_select: min_select }) }, { min_select: was })
        }
      />
      <NumberEdit
        {...field('max_select')}
        min={1}
        max={unlimitedMaxSelect}
        onCommit={(max_select, was) =>
          set(
            {
              max_select,
              ...(max_select < part.min_select && { min_select: max_select }),
              ...(max_select < part.free_select && { free_select: max_select }),
            },
            { max_select: was },
          )
        }
      />
      <NumberEdit {...field('free_select')} min={0} max={part.max_select} />
      <NumberEdit {...field('max_per_option')} min={1} max={20} />
    </FieldColumns>
  );
}

function OptionForm({ part, onOpen, groupId }: FormProps<'option'> & { groupId: string | null }) {
  const { store, index } = useMenuEditing();
  const [typed, setTyped] = useState<MenuOperation[]>([]);
  const groups = groupId ? [groupId] : (index.groupsOfOption.get(part.id) ?? []).map(({ id }) => id);
  const dishes = groups.flatMap((id) => index.itemsOfGroup.get(id) ?? []);
  const { set, field } = usePartFields('option', part);
  const isDish = part.item_id !== null;
  return (
    <Stack>
      {isDish ? (
        <DealDishEdit option={part} onOpen={onOpen} onCommit={set} />
      ) : (
        <TextEdit {...field('name')} isRequired maxLength={80} />
      )}
      <FieldColumns cols={2}>
        <PriceEdit
          {...field('price')}
          {...(isDish && { label: m.menu_choices_extra_price() })}
          currency={store.currency}
          onTyped={(price) => setTyped(price === undefined ? [] : [makeChangeOperation('option', part.id, { price })])}
        />
        {!isDish && <VatEdit {...field('vat_rate')} inherit={m.menu_edit_vat_item()} />}
      </FieldColumns>
      <CustomerPricePreview items={[...new Set(dishes.map(({ id }) => id))]} typed={typed} />
      <PriceChangeEdit {...field('price_change')} price={part.price} />
      <Checkbox
        label={m.menu_edit_default()}
        checked={part.is_default}
        onChange={(event) => set({ is_default: event.currentTarget.checked })}
      />
      {!isDish && (
        <>
          <SoldOutEdit stock={part} store={store} onCommit={set} />
          <AllergensEdit part={part} onCommit={set} />
        </>
      )}
    </Stack>
  );
}

interface Chosen<T> {
  label: string;
  value: T;
  onCommit: (value: T) => void;
}

function ShownSwitch({ label, value, onCommit }: Chosen<boolean>) {
  return (
    <Switch
      label={label}
      description={m.menu_edit_shown_hint()}
      checked={value}
      onChange={(event) => onCommit(event.currentTarget.checked)}
    />
  );
}

function SpiceSelect({ label, value, onCommit }: Chosen<number>) {
  return (
    <NativeSelect
      label={label}
      value={String(value)}
      data={[0, 1, 2, 3].map((level) => ({
        value: String(level),
        label: level === 0 ? m.menu_edit_spice_none() : spiceWords(level),
      }))}
      onChange={(event) => onCommit(Number(event.currentTarget.value))}
    />
  );
}

function ruleWords(
  group: Pick<OptionGroup, 'pricing' | 'min_select' | 'max_select' | 'free_select' | 'max_per_option'>,
): string {
  const { min_select: min, max_select: max, free_select: free, max_per_option: each } = group;
  const sentences = [mustWords(min, max)];
  if (group.pricing === 'is_price') sentences.push(m.menu_edit_rule_is_price());
  if (free > 0) sentences.push(free >= max ? m.menu_edit_rule_all_free() : m.menu_edit_rule_free({ count: free }));
  if (max > 1) sentences.push(each > 1 ? m.menu_edit_rule_each({ count: each }) : m.menu_edit_rule_once());
  return sentences.join(' ');
}

function mustWords(min: number, max: number): string {
  if (min === 0 && max >= unlimitedMaxSelect) return m.menu_edit_rule_any();
  if (min === 0) return m.menu_edit_rule_may({ count: max });
  return min === max ? m.menu_edit_rule_exactly({ count: min }) : m.menu_edit_rule_between({ min, max });
}
