import { Alert, Radio, Stack } from '@mantine/core';
import { m } from '#messages';
import classes from '#menu/web/editor/part-form.module.css';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  type GroupPart,
  indexParts,
  type ItemPart,
  type MenuOperation,
  type PartsIndex,
} from '#menu/operations/menu-operation.ts';
import { priceGroupLinksOf, priceGroupRules, findPriceGroupLinkProblem } from '#menu/price-group.ts';
import { itemPriceWithoutExtras, startingPriceWords } from '#menu/starting-price.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { usePartFields } from '#menu/web/editor/edit-fields.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Item } from '#menu/menu-shapes.ts';

function useTypedMenu(typed: readonly MenuOperation[]) {
  const { parts, index } = useMenuEditing();
  if (typed.length === 0) return { parts, index };
  const next = applyOperations(parts, typed);
  return { parts: next, index: indexParts(next) };
}

const shownAtMost = 3;

interface SeenProps {
  items: readonly string[];
  typed: readonly MenuOperation[];
}

/** Shows the prices of these dishes as customers would see them, with prices that are being typed. */
export function CustomerPricePreview({ items, typed }: SeenProps) {
  const { store } = useMenuEditing();
  const { index } = useTypedMenu(typed);
  const dishes = items.slice(0, shownAtMost).flatMap((id) => index.items.get(id) ?? []);
  return (
    <div aria-live="polite" className={classes.seen}>
      {dishes.map((item) => {
        const price = startingPriceWords(itemWithChoices(index, item), store.currency);
        return (
          <p key={item.id}>
            <strong>
              {items.length > 1
                ? m.menu_edit_seen_price_of({ name: item.name, price })
                : m.menu_edit_seen_price({ price })}
            </strong>
          </p>
        );
      })}
      {items.length > dishes.length && <p>{m.menu_edit_seen_more({ count: items.length - dishes.length })}</p>}
    </div>
  );
}

export function PricingEdit({ group, items, typed }: SeenProps & { group: GroupPart }) {
  const { parts } = useMenuEditing();
  const { set } = usePartFields('group', group);
  const priced = applyOperations(parts, [makeChangeOperation('group', group.id, { pricing: 'is_price' })]);
  const refused = findPriceGroupLinkProblem(priceGroupLinksOf(priced));
  return (
    <Stack gap="xs">
      <Radio.Group
        label={m.menu_edit_pricing()}
        value={group.pricing}
        onChange={(value) => set(value === 'is_price' ? { pricing: value, ...priceGroupRules } : { pricing: 'adds' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="adds" label={m.menu_edit_pricing_adds()} description={m.menu_edit_pricing_adds_hint()} />
          <Radio
            value="is_price"
            label={m.menu_edit_pricing_is_price()}
            description={refused ?? m.menu_edit_pricing_is_price_hint()}
            disabled={refused !== null && group.pricing !== 'is_price'}
          />
        </Stack>
      </Radio.Group>
      {group.pricing === 'adds' && refused === null && <PriceDoubt group={group} items={items} typed={typed} />}
    </Stack>
  );
}

/**
 * Warns of a likely mistake: the options' prices are added to the dish's price, but were meant as whole prices, as on
 * most paper menus. The warning appears if customers choose at most one option, and each option costs at least as much
 * as one of the dishes.
 */
function PriceDoubt({ group: { id: groupId }, items, typed }: SeenProps & { group: GroupPart }) {
  const { store } = useMenuEditing();
  const { index } = useTypedMenu(typed);
  const group = index.groups.get(groupId);
  const options = (group?.options ?? []).flatMap(({ id, price_override: override }) => {
    const option = index.options.get(id);
    return option ? [{ name: option.name, price: override ?? option.price }] : [];
  });
  const cheapest = options.toSorted((a, b) => a.price - b.price)[0];
  const isDear = ({ price }: ItemPart): boolean => cheapest !== undefined && price > 0 && cheapest.price >= price;
  const item = items.flatMap((id) => index.items.get(id) ?? []).find(isDear);
  if (!item || !cheapest || group?.max_select !== 1) return null;
  const price = formatMoney(item.price + cheapest.price, store.currency);
  return (
    <Alert color="warm" role="status">
      {m.menu_edit_pricing_doubt({ item: item.name, option: cheapest.name || m.menu_edit_pricing_this(), price })}
    </Alert>
  );
}

export function itemWithChoices(index: PartsIndex, item: ItemPart): Item {
  const groups = item.option_groups.flatMap(({ id, shown_when_option_id }) => {
    const group = index.groups.get(id);
    if (!group) return [];
    const options = group.options.flatMap((link) => {
      const option = index.options.get(link.id);
      return option ? [{ ...option, price: link.price_override ?? option.price }] : [];
    });
    return [{ ...group, shown_when_option_id, options }];
  });
  return { ...item, option_groups: groups };
}

export function priceGroupOf(index: PartsIndex, item: ItemPart) {
  return item.option_groups
    .flatMap(({ id }) => index.groups.get(id) ?? [])
    .find(({ pricing, options }) => pricing === 'is_price' && options.length > 0);
}

/** A dish's price in lists and sorting: its own, or `from` its cheapest size. */
export function listedDishPrice(index: PartsIndex, item: ItemPart, currency: string): { price: number; words: string } {
  const priced = itemWithChoices(index, item);
  const words = priceGroupOf(index, item) ? startingPriceWords(priced, currency) : formatMoney(item.price, currency);
  return { price: itemPriceWithoutExtras(priced, []), words };
}
