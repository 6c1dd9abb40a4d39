import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { v7 as newId } from 'uuid';
import { m } from '#messages';
import { makeCreateOperation, makeLinkOperation, type MenuOperation } from '#menu/operations/menu-operation.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import formClasses from '#menu/web/editor/part-form.module.css';
import { formatMoney } from '#platform/money.ts';
import { parseMoneyField } from '#platform/parse-money.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';

/** Kinds of shops, each with its name and a list of usual dishes: `Category: Dish, Dish`, separated by semicolons. */
const startingLists = [
  { name: m.menu_start_fish_bar, list: m.menu_start_fish_bar_list },
  { name: m.menu_start_pizzeria, list: m.menu_start_pizzeria_list },
  { name: m.menu_start_curry_house, list: m.menu_start_curry_house_list },
  { name: m.menu_start_kebab, list: m.menu_start_kebab_list },
  { name: m.menu_start_chinese, list: m.menu_start_chinese_list },
  { name: m.menu_start_chicken, list: m.menu_start_chicken_list },
  { name: m.menu_start_cafe, list: m.menu_start_cafe_list },
];

export interface DraftCategory {
  name: string;
  dishes: string[];
}

export function parseDraftCategories(list: string): DraftCategory[] {
  return list.split(';').map((part) => {
    const [name = '', dishes = ''] = part.split(':');
    return { name: name.trim(), dishes: dishes.split(',').map((dish) => dish.trim()) };
  });
}

/** A dialog that drafts the usual dishes of one kind of shop. Only dishes that get a price are created. */
export function StartingMenuDialog({ onClose }: { onClose: (created: string | null) => void }) {
  const { edit, parts, store } = useMenuEditing();
  const [draft, setDraft] = useState<DraftCategory[] | null>(null);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const amountOf = (key: string) =>
    parseMoneyField(typed[key] ?? '', { currency: store.currency, empty: undefined })?.amount;
  const plan =
    draft &&
    planDraftedMenu(draft, amountOf, {
      storeId: store.id,
      name: m.menu_start_menu(),
      emptyMenuId: parts.menus[0]?.id ?? null,
    });
  const isOdd = (key: string): boolean => (typed[key] ?? '').trim() !== '' && amountOf(key) === undefined;
  const hasOdd = Object.keys(typed).some(isOdd);
  return (
    <Dialog opened size="lg" onClose={() => onClose(null)} title={m.menu_start_title()}>
      <Stack>
        <Group gap="xs">
          {startingLists.map(({ name, list }) => (
            <Button
              key={name()}
              variant="default"
              onClick={() => {
                setDraft(parseDraftCategories(list()));
                setTyped({});
              }}
            >
              {name()}
            </Button>
          ))}
        </Group>
        {draft && <p>{m.menu_start_hint()}</p>}
        {draft?.map(({ name, dishes }) => (
          <fieldset key={name} className={formClasses.fieldset}>
            <legend>{name}</legend>
            <SimpleGrid cols={{ base: 2, xs: 3 }}>
              {dishes.map((dish) => {
                const key = draftKey(name, dish);
                return (
                  <TextInput
                    key={key}
                    label={dish}
                    inputMode="decimal"
                    autoComplete="off"
                    value={typed[key] ?? ''}
                    error={
                      isOdd(key) ? m.office_money_unreadable({ example: formatMoney(150, store.currency) }) : undefined
                    }
                    onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [key]: value })}
                  />
                );
              })}
            </SimpleGrid>
          </fieldset>
        ))}
        {plan && (
          <Group justify="flex-end">
            <Button
              disabled={plan.count === 0 || hasOdd}
              onClick={() => {
                edit(m.menu_start_done({ count: plan.count }), plan.operations);
                onClose(plan.menuId);
              }}
            >
              {m.menu_start_create({ count: plan.count })}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

function draftKey(category: string, dish: string): string {
  return `${category}: ${dish}`;
}

interface StartingMenu {
  menuId: string;
  count: number;
  operations: MenuOperation[];
}

/**
 * Plans the drafted dishes that have a price, with their categories, in the empty menu or in a new menu. A category
 * without priced dishes is left out.
 */
export function planDraftedMenu(
  draft: readonly DraftCategory[],
  priceOf: (key: string) => number | null | undefined,
  { storeId, name, emptyMenuId }: { storeId: string; name: string; emptyMenuId: string | null },
): StartingMenu {
  const menuId = emptyMenuId ?? newId();
  const plan: StartingMenu = {
    menuId,
    count: 0,
    operations: emptyMenuId === null ? [makeCreateOperation('menu', { id: menuId, name, store_id: storeId })] : [],
  };
  for (const category of draft) {
    const dishes = category.dishes.flatMap((dish) => {
      const price = priceOf(draftKey(category.name, dish));
      return typeof price === 'number' ? [{ id: newId(), name: dish, price, store_id: storeId }] : [];
    });
    if (dishes.length === 0) continue;
    const id = newId();
    plan.count += dishes.length;
    plan.operations.push(
      makeCreateOperation('category', { id, name: category.name, menu_id: menuId }),
      ...dishes.map((dish) => makeCreateOperation('item', dish)),
      makeLinkOperation(
        'category',
        id,
        dishes.map((dish) => dish.id),
      ),
    );
  }
  return plan;
}
