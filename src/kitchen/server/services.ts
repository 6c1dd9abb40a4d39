import type { BaseServices } from '#database/services.ts';

/** What this domain's handlers use. */
export type KitchenServices = Pick<BaseServices, 'clock'>;
