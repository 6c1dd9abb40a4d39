/**
 * The order that somebody wished for a list, over what the list holds by now: what is gone is left out, and what came
 * stands after the entry it stands after today.
 */
export function mergeOrder(wished: readonly string[], today: readonly string[]): string[] {
  const merged = wished.filter((id) => today.includes(id));
  for (const [index, id] of today.entries()) {
    if (merged.includes(id)) continue;
    const before = today[index - 1];
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id);
  }
  return merged;
}
