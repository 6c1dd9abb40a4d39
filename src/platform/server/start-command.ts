import { existsSync } from 'node:fs';

/** Whether this is a clone of the repository, which is started by npm. An installed Hatch has no lockfile. */
export const isClone = existsSync(new URL('../../../package-lock.json', import.meta.url));

/** The command by which a person starts the shop on this machine. */
export function startCommand(option?: string, byNpm = isClone): string {
  if (!byNpm) return option === undefined ? 'hatch start' : `hatch start ${option}`;
  return option === undefined ? 'npm start' : `npm start -- ${option}`;
}
