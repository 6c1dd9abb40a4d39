import { calls } from '#database/domain.ts';
import { boardChannels } from '#kitchen/channels.ts';
import { kitchen } from '#kitchen/contract.ts';
import { kitchenHandlers } from '#kitchen/server/handlers.ts';

export const kitchenDomain = { name: 'kitchen', calls: [calls(kitchen, kitchenHandlers)], channels: boardChannels };
