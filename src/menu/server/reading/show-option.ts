import type { Selectable } from 'kysely';
import type { OptionsTable } from '#database/schema.ts';
import { presentOption } from '#menu/server/reading/load-menus.ts';

/** An option as the API shows it on its own. */
export function showOption(row: Selectable<OptionsTable>) {
  return { ...presentOption(row), store_id: row.store_id };
}
