import { sql } from 'kysely';

/** Names of all that a menu is made of, for the audit log. */
export const namedMenuParts = sql`
  select id, name from menus
  union all select id, name from categories
  union all select id, name from items
  union all select id, name from option_groups
  union all select id, name from options`;
