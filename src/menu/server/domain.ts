import { startMenuImports } from '#menu/server/handlers.ts';

/** The menu's domain. Its calls are registered in `shop/server/domain.ts`, whose cache answers the reads. */
export const menuDomain = { name: 'menu', start: startMenuImports };
