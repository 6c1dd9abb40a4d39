/** How old the buyer of all these must be; null where nothing asks. */
export function minAgeOf(lines: Iterable<{ min_age?: number | null | undefined }>): number | null {
  let most: number | null = null;
  for (const { min_age: age } of lines) if (age != null && age > (most ?? 0)) most = age;
  return most;
}
