import { m } from '#messages';
import type { Option, OptionGroup } from '#menu/menu-shapes.ts';
import { formatMoney } from '#platform/money.ts';

/** What an option adds in its group, `+£1.00`; nothing for one that is free. */
export function optionPriceWords(option: Option, group: OptionGroup, currency: string): string {
  if (option.price === 0) return '';
  const amount = formatMoney(option.price, currency);
  return group.free_select > 0 ? m.menu_option_price_then({ amount }) : m.menu_option_price({ amount });
}
