/** The public channel that every page listens to: changes of stores and menus, never an order. */
export const STORES_CHANNEL = 'stores';
