import { m } from '#messages';
import type { Option, OptionGroup } from '#menu/menu-shapes.ts';
import { formatMoney } from '#platform/money.ts';

/** The price of an option in its group: `+£1.00`, empty for a free option, or `£7.00` if it is the dish's price. */
export function optionPriceWords(
  option: Pick<Option, 'price'>,
  group: Pick<OptionGroup, 'pricing' | 'free_select'>,
  currency: string,
): string {
  const amount = formatMoney(option.price, currency);
  if (group.pricing === 'is_price') return amount;
  if (option.price === 0) return '';
  return group.free_select > 0 ? m.menu_option_price_then({ amount }) : m.menu_option_price({ amount });
}
