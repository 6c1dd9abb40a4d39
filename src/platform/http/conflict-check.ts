import { z } from 'zod';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';

const Was = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'The fields as the editor saw them. If one is different by now, nothing is changed: 409 `changed_meanwhile`.',
  );

/** Adds an optional `was` to the schema of a PATCH body, to detect concurrent changes. */
export const bodySchemaWithConflictCheck = <S extends z.ZodRawShape>(fields: z.ZodObject<S>) =>
  fields.extend({ was: Was });

/**
 * Throws 409 `changed_meanwhile`, with the current state, if fields no longer have the values of `was`. A field that
 * already has the requested value is no conflict. The caller must have locked the row. `schema`: the shape that clients
 * read.
 */
export function refuseStaleChange(
  schema: z.ZodType<object>,
  current: unknown,
  { was, ...wanted }: Record<string, unknown> & { was?: Record<string, unknown> | undefined },
): void {
  if (!was) return;
  const shown = schema.parse(current);
  const now = new Map<string, unknown>(Object.entries(shown));
  const fields = Object.keys(was).filter(
    (field) => now.has(field) && !agrees(was[field], now.get(field)) && !agrees(wanted[field], now.get(field)),
  );
  if (fields.length === 0) return;
  throw new AppError('changed_meanwhile', m.platform_changed_meanwhile(), { extra: { fields, current: shown } });
}

/** Whether `now` has all values of `seen`. Array items with ids are matched by id, others by position. */
function agrees(seen: unknown, now: unknown): boolean {
  if (Array.isArray(seen)) {
    if (!Array.isArray(now)) return false;
    if (seen.length > 0 && seen.every(hasId)) {
      return seen.every((one) => now.some((other) => hasId(other) && other.id === one.id && agrees(one, other)));
    }
    return seen.length === now.length && seen.every((one, index) => agrees(one, now[index]));
  }
  if (!isObject(seen)) return seen === now;
  return isObject(now) && Object.keys(seen).every((key) => agrees(seen[key], now[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasId(value: unknown): value is { id: unknown } {
  return isObject(value) && 'id' in value;
}
