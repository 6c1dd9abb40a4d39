import { m } from '#messages';
import type { OptionGroup } from '#menu/menu-shapes.ts';

/** A group's rules for the customer, as whole sentences. */
export function ruleWords(
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
  if (min === 0) return m.menu_edit_rule_may({ count: max });
  return min === max ? m.menu_edit_rule_exactly({ count: min }) : m.menu_edit_rule_between({ min, max });
}
