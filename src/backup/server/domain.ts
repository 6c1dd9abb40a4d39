import { backup } from '#backup/contract.ts';
import { restoredHandlers } from '#backup/server/restored.ts';
import { servedCalls } from '#database/served-calls.ts';

export const backupDomain = { name: 'backup', calls: [servedCalls(backup, restoredHandlers)] };
