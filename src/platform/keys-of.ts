/** A table's keys with their type. Only for literal tables: another object may have more keys. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
