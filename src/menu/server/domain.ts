import { startMenuImports } from '#menu/server/handlers.ts';

/** Its calls are served by the shop's cache: `shop/server/domain.ts`. */
export const menuDomain = { name: 'menu', start: startMenuImports };
