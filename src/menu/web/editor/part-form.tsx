import { Checkbox, NativeSelect, SimpleGrid, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#messages';
import type { Availability } from '#menu/contract.ts';
import classes from '#menu/web/editor/editor.module.css';
import { ChildList } from '#menu/web/editor/child-list.tsx';
import {
  AllergensEdit,
  DietaryEdit,
  Focused,
  NumberEdit,
  PriceEdit,
  StockEdit,
  TextEdit,
  TimeEdit,
  VatEdit,
} from '#menu/web/editor/edit-fields.tsx';
import { fieldName } from '#menu/web/editor/field-words.ts';
import { patch } from '#menu/web/editor/menu-change.ts';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import type { PartKind, PartOf } from '#menu/web/editor/menu-part.ts';
import { PictureEdit } from '#menu/web/editor/picture-edit.tsx';
import { ruleWords } from '#menu/web/editor/rule-words.ts';
import type { OpenPart, PartTarget } from '#menu/web/editor/part-target.ts';
import { spiceWords } from '#menu/web/menu-words.ts';
import { weekdays } from '#store/weekdays.ts';
import { dayName } from '#store/web/hours-table.tsx';

interface FormProps<K extends PartKind> {
  part: PartOf<K>;
  onOpen: OpenPart;
}

/** Everything that can be said of one part of the menu; each field is saved as one leaves it. */
export function PartForm({ target, onOpen }: { target: PartTarget; onOpen: OpenPart }): ReactNode {
  const { index } = useEditing();
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
  if (kind === 'group' && group) return <GroupForm key={id} part={group} onOpen={onOpen} />;
  if (kind === 'option' && option) return <OptionForm key={id} part={option} onOpen={onOpen} />;
  return <p>{m.menu_edit_gone()}</p>;
}

/** Changes fields of a part, in words that say which. */
function usePatch<K extends PartKind>(
  kind: K,
  part: PartOf<K>,
): (fields: Partial<PartOf<K>>, began?: Partial<PartOf<K>>) => void {
  const { edit } = useEditing();
  return (fields, began) => {
    const [field = ''] = Object.keys(fields);
    edit(m.menu_edit_changed({ field: fieldName(field), name: part.name }), [patch(kind, part, fields, began)]);
  };
}

function Name({
  value,
  onCommit,
  maxLength = 80,
}: {
  value: string;
  onCommit: (name: string, was: string) => void;
  maxLength?: number;
}) {
  return <TextEdit label={m.menu_edit_name()} value={value} isRequired maxLength={maxLength} onCommit={onCommit} />;
}

function MenuForm({ part, onOpen, isNew }: FormProps<'menu'> & { isNew: boolean | undefined }) {
  const set = usePatch('menu', part);
  const name = <Name value={part.name} onCommit={(text, was) => set({ name: text }, { name: was })} />;
  return (
    <Stack>
      {isNew ? <Focused>{name}</Focused> : name}
      <Shown part={part} onChange={(is_active) => set({ is_active })} />
      <TextEdit
        label={m.menu_edit_description()}
        value={part.description}
        isLong
        maxLength={500}
        onCommit={(description, was) => set({ description }, { description: was })}
      />
      <ServedEdit
        value={part.availability}
        onCommit={(availability, was) => set({ availability }, { availability: was })}
      />
      <ChildList kind="category" parentId={part.id} onOpen={onOpen} />
    </Stack>
  );
}

function CategoryForm({ part, onOpen }: FormProps<'category'>) {
  const set = usePatch('category', part);
  return (
    <Stack>
      <Name value={part.name} onCommit={(name, was) => set({ name }, { name: was })} />
      <Shown part={part} onChange={(is_active) => set({ is_active })} />
      <TextEdit
        label={m.menu_edit_description()}
        value={part.description}
        isLong
        maxLength={500}
        onCommit={(description, was) => set({ description }, { description: was })}
      />
      <PictureEdit value={part.image} onCommit={(image) => set({ image })} />
      <ChildList kind="item" parentId={part.id} onOpen={onOpen} />
    </Stack>
  );
}

function ItemForm({ part, onOpen }: FormProps<'item'>) {
  const { store } = useEditing();
  const set = usePatch('item', part);
  return (
    <Stack>
      <Name value={part.name} maxLength={120} onCommit={(name, was) => set({ name }, { name: was })} />
      <SimpleGrid cols={2}>
        <PriceEdit
          label={m.menu_edit_price()}
          value={part.price}
          currency={store.currency}
          onCommit={(price, was) => set({ price }, { price: was })}
        />
        <VatEdit label={m.menu_edit_vat()} value={part.vat_rate} onCommit={(vat_rate) => set({ vat_rate })} />
      </SimpleGrid>
      <TextEdit
        label={m.menu_edit_description()}
        value={part.description}
        isLong
        maxLength={1000}
        onCommit={(description, was) => set({ description }, { description: was })}
      />
      <PictureEdit value={part.image} onCommit={(image) => set({ image })} />
      <Shown part={part} onChange={(is_active) => set({ is_active })} />
      <StockEdit stock={part} store={store} onCommit={set} />
      <ChildList kind="group" parentId={part.id} onOpen={onOpen} />
      <AllergensEdit value={part.allergens} onCommit={(allergens) => set({ allergens })} />
      <DietaryEdit value={part.dietary} onCommit={(dietary) => set({ dietary })} />
      <SimpleGrid cols={2}>
        <NativeSelect
          label={m.menu_edit_spice()}
          value={String(part.spice_level)}
          data={[0, 1, 2, 3].map((level) => ({
            value: String(level),
            label: level === 0 ? m.menu_edit_spice_none() : spiceWords(level),
          }))}
          onChange={(event) => set({ spice_level: Number(event.currentTarget.value) })}
        />
        <NumberEdit
          label={m.menu_edit_min_age()}
          value={part.min_age}
          empty={null}
          min={1}
          max={99}
          onCommit={(min_age, was) => set({ min_age }, { min_age: was })}
        />
        <NumberEdit
          label={m.menu_edit_prep()}
          value={part.prep_minutes}
          empty={null}
          min={0}
          max={240}
          onCommit={(prep_minutes, was) => set({ prep_minutes }, { prep_minutes: was })}
        />
        <NumberEdit
          label={m.menu_edit_max_per_order()}
          value={part.max_per_order}
          empty={null}
          min={1}
          max={100}
          onCommit={(max_per_order, was) => set({ max_per_order }, { max_per_order: was })}
        />
        <TextEdit
          label={m.menu_edit_station()}
          value={part.station ?? ''}
          maxLength={40}
          onCommit={(text, was) => set({ station: text || null }, { station: was || null })}
        />
        <TextEdit
          label={m.menu_edit_kitchen_name()}
          value={part.kitchen_name ?? ''}
          maxLength={60}
          onCommit={(text, was) => set({ kitchen_name: text || null }, { kitchen_name: was || null })}
        />
      </SimpleGrid>
    </Stack>
  );
}

function GroupForm({ part, onOpen }: FormProps<'group'>) {
  const set = usePatch('group', part);
  return (
    <Stack>
      <Name value={part.name} onCommit={(name, was) => set({ name }, { name: was })} />
      <fieldset className={classes.fieldset}>
        <legend>{m.menu_edit_rules()}</legend>
        <p className={classes.rule}>{ruleWords(part)}</p>
        <SimpleGrid cols={2}>
          <NumberEdit
            label={m.menu_edit_min_select()}
            value={part.min_select}
            min={0}
            max={50}
            onCommit={(min_select, was) =>
              set({ min_select, ...(min_select > part.max_select && { max_select: min_select }) }, { min_select: was })
            }
          />
          <NumberEdit
            label={m.menu_edit_max_select()}
            value={part.max_select}
            min={1}
            max={50}
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
          <NumberEdit
            label={m.menu_edit_free_select()}
            value={part.free_select}
            min={0}
            max={part.max_select}
            onCommit={(free_select, was) => set({ free_select }, { free_select: was })}
          />
          <NumberEdit
            label={m.menu_edit_max_per_option()}
            value={part.max_per_option}
            min={1}
            max={20}
            onCommit={(max_per_option, was) => set({ max_per_option }, { max_per_option: was })}
          />
        </SimpleGrid>
      </fieldset>
      <ChildList kind="option" parentId={part.id} onOpen={onOpen} />
    </Stack>
  );
}

function OptionForm({ part }: FormProps<'option'>) {
  const { store } = useEditing();
  const set = usePatch('option', part);
  return (
    <Stack>
      <Name value={part.name} onCommit={(name, was) => set({ name }, { name: was })} />
      <SimpleGrid cols={2}>
        <PriceEdit
          label={m.menu_edit_price()}
          value={part.price}
          currency={store.currency}
          onCommit={(price, was) => set({ price }, { price: was })}
        />
        <VatEdit
          label={m.menu_edit_vat()}
          value={part.vat_rate}
          inherit={m.menu_edit_vat_item()}
          onCommit={(vat_rate) => set({ vat_rate })}
        />
      </SimpleGrid>
      <Checkbox
        label={m.menu_edit_default()}
        checked={part.is_default}
        onChange={(event) => set({ is_default: event.currentTarget.checked })}
      />
      <StockEdit stock={part} store={store} onCommit={set} />
      <AllergensEdit value={part.allergens} onCommit={(allergens) => set({ allergens })} />
    </Stack>
  );
}

function Shown({ part, onChange }: { part: { is_active: boolean }; onChange: (isActive: boolean) => void }) {
  return (
    <Switch
      label={m.menu_edit_shown()}
      description={m.menu_edit_shown_hint()}
      checked={part.is_active}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** When a menu is served: always, or on some days between two times. */
function ServedEdit({
  value,
  onCommit,
}: {
  value: Availability;
  onCommit: (value: Availability, was: Availability) => void;
}) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>{m.menu_edit_served()}</legend>
      <Checkbox
        label={m.menu_edit_served_always()}
        checked={value === null}
        onChange={(event) =>
          onCommit(event.currentTarget.checked ? null : { days: [...weekdays], from: '11:30', to: '15:00' }, value)
        }
      />
      {value && (
        <>
          <div className={classes.days}>
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                label={dayName(day)}
                checked={value.days.includes(day)}
                disabled={value.days.length === 1 && value.days.includes(day)}
                onChange={(event) =>
                  onCommit(
                    {
                      ...value,
                      days: weekdays.filter((one) =>
                        one === day ? event.currentTarget.checked : value.days.includes(one),
                      ),
                    },
                    value,
                  )
                }
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
