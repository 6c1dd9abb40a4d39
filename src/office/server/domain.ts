import { calls } from '#database/domain.ts';
import { office } from '#office/contract.ts';
import { officeHandlers } from '#office/server/first-evening.ts';

export const officeDomain = { name: 'office', calls: [calls(office, officeHandlers)] };
