/** The highest minimum age of all these; null if none has one. */
export function minAgeOf(lines: Iterable<{ min_age?: number | null | undefined }>): number | null {
  let most: number | null = null;
  for (const { min_age: age } of lines) if (age != null && age > (most ?? 0)) most = age;
  return most;
}
