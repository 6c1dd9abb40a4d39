import type { BaseServices } from '#database/services.ts';

/** The services of this domain's handlers. */
export type KitchenServices = Pick<BaseServices, 'clock'>;
