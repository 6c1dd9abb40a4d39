/** The version of the first heading of a changelog; null: it has none. */
export function newestVersion(text: string): string | null {
  return /^## (\d+\.\d+\.\d+)\b/m.exec(text)?.[1] ?? null;
}
