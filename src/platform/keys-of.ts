/** The keys of a table by their type. Only for tables that are written out whole: another object may have more keys. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
