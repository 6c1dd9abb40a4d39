/** A pattern for `like` that finds a text anywhere: in it `%` and `_` are ordinary characters. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
