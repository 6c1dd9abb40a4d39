import { startMenuImports } from '#menu/server/handlers.ts';
import { priceChangeWork } from '#menu/server/price-changes.ts';
import { portionsPublishingWork } from '#menu/server/portions.ts';
import type { MenuServices } from '#menu/server/services.ts';

/**
 * The menu's domain. Its calls are registered in `shop/server/domain.ts`, because the shop's cache answers the menu's
 * reads.
 */
export const menuDomain = {
  name: 'menu',
  start: startMenuImports,
  work: (services: Pick<MenuServices, 'clock' | 'db' | 'log' | 'menus' | 'now' | 'outbox'>) => [
    portionsPublishingWork(services),
    priceChangeWork(services),
  ],
};
