import { existsSync } from 'node:fs';

/** A clone is used by npm. An installed Hatch has no lockfile. */
export const isClone = existsSync(new URL('../../../package-lock.json', import.meta.url));

/** The words with which the person at the machine starts the shop. */
export function startWords(option?: string, byNpm = isClone): string {
  if (!byNpm) return option === undefined ? 'hatch start' : `hatch start ${option}`;
  return option === undefined ? 'npm start' : `npm start -- ${option}`;
}
