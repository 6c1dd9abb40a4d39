import { NativeSelect } from '@mantine/core';
import { m } from '#messages';
import { change, type MenuOperation } from '#menu/operations/menu-operation.ts';
import { PriceEdit } from '#menu/web/editor/edit-fields.tsx';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { formatMoney } from '#platform/money.ts';

/** When a group shows on this dish: always, or only if a certain option of another of its groups is chosen. */
export function Condition({ itemId, groupId }: { itemId: string; groupId: string }) {
  const { index, edit } = useEditing();
  const item = index.items.get(itemId);
  const own = item?.option_groups.find((one) => one.id === groupId);
  const others = item?.option_groups.filter((one) => one.id !== groupId) ?? [];
  const group = index.groups.get(groupId);
  // A group whose choices are the price always shows.
  if (!item || !own || others.length === 0 || group?.pricing === 'is_price') return null;
  const data = others.map((other) => {
    const offered = index.groups.get(other.id);
    const items = (offered?.options ?? []).map(({ id }) => ({
      value: id,
      label: m.menu_edit_condition_when({ option: index.options.get(id)?.name ?? '' }),
    }));
    return { group: offered?.name ?? '', items };
  });
  const name = group?.name ?? '';
  return (
    <NativeSelect
      aria-label={m.menu_edit_condition({ name })}
      value={own.shown_when_option_id ?? ''}
      data={[{ value: '', label: m.menu_edit_condition_always() }, ...data]}
      onChange={({ currentTarget }) => {
        const condition = { id: groupId, shown_when_option_id: currentTarget.value || null };
        edit(m.menu_edit_changed({ field: m.menu_edit_conditions(), name }), [
          change('item', itemId, { option_groups: [condition] }, { option_groups: [own] }),
        ]);
      }}
    />
  );
}

interface PriceHereProps {
  groupId: string;
  optionId: string;
  onTyped?: ((operations: MenuOperation[]) => void) | undefined;
}

/** An option's price in this group, if it differs from its usual price. */
export function PriceHere({ groupId, optionId, onTyped }: PriceHereProps) {
  const { index, edit, store } = useEditing();
  const own = index.groups.get(groupId)?.options.find((one) => one.id === optionId);
  const option = index.options.get(optionId);
  if (!own || !option) return null;
  return (
    <PriceEdit<number | null>
      hideLabel
      label={m.menu_edit_price_here({ name: option.name })}
      placeholder={m.menu_edit_price_own({ price: formatMoney(option.price, store.currency) })}
      value={own.price_override}
      empty={null}
      currency={store.currency}
      onTyped={(price) =>
        onTyped?.(
          price === undefined ? [] : [change('group', groupId, { options: [{ id: optionId, price_override: price }] })],
        )
      }
      onCommit={(price, was) => {
        const prices = [{ id: optionId, price_override: price }];
        const seen = [{ ...own, price_override: was }];
        edit(m.menu_edit_changed({ field: m.menu_edit_price(), name: option.name }), [
          change('group', groupId, { options: prices }, { options: seen }),
        ]);
      }}
    />
  );
}
