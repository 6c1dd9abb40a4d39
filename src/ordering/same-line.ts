import type { ChosenOption } from '#menu/option-rules.ts';

interface Choice {
  item_id: string;
  quantity: number;
  note: string;
  options: readonly ChosenOption[];
}

const maxOfOne = 99;

/**
 * Adds a line. If an equal line exists, the quantities are added, up to `maxOfOne`, and the other fields are the new
 * line's.
 */
export function addOrMergeLine<Line extends Choice>(
  lines: readonly (Line & { key: string })[],
  added: Line,
  newKey: () => string,
): readonly (Line & { key: string })[] {
  const same = lines.find((line) => isSameLine(line, added));
  if (!same) return [...lines, { ...added, key: newKey() }];
  const quantity = Math.min(maxOfOne, same.quantity + added.quantity);
  return lines.map((line) => (line === same ? { ...added, key: same.key, quantity } : line));
}

/** Whether two lines have the same dish, the same options in any order, and the same note. */
export function isSameLine(a: Choice, b: Choice): boolean {
  return a.item_id === b.item_id && a.note === b.note && choiceKey(a) === choiceKey(b);
}

function choiceKey({ options }: Choice): string {
  return options
    .map((option) => `${option.option_group_id}/${option.option_id}/${option.quantity}`)
    .sort()
    .join();
}
