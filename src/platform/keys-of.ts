/**
 * An object's keys with their type. Only safe for literal tables, because another object may have keys that its type
 * lacks.
 */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
