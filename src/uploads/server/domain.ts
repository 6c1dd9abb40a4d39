import { calls } from '#database/domain.ts';
import { uploads } from '#uploads/contract.ts';
import { uploadsHandlers } from '#uploads/server/handlers.ts';

export const uploadsDomain = { name: 'uploads', calls: [calls(uploads, uploadsHandlers)] };
