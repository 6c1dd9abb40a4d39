/** The keys of a table, with their type. Only for tables written out in full: another object may have more keys. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
