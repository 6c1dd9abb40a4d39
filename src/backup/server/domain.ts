import { backup } from '#backup/contract.ts';
import { restoredHandlers } from '#backup/server/restored.ts';
import { calls } from '#database/domain.ts';

export const backupDomain = { name: 'backup', calls: [calls(backup, restoredHandlers)] };
