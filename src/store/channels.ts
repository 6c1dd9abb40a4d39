/** The public channel of every page: changes of stores and menus, no orders. */
export const STORES_CHANNEL = 'stores';
