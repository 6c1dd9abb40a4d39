/** The public channel of every page. It announces changes of stores and menus, but no orders. */
export const STORES_CHANNEL = 'stores';
