import { existsSync } from 'node:fs';

/**
 * Whether Hatch runs from a clone of the repository, so that `npm start` starts it. An installed Hatch has no lockfile.
 */
export const isRepositoryClone = existsSync(new URL('../../../package-lock.json', import.meta.url));

/** The settings file that the `hatch` command of the Debian package names; undefined for other installations. */
export const packageSettings = process.env['HATCH_SETTINGS'];

type Installation = 'clone' | 'package' | 'archive';
const installation: Installation = isRepositoryClone ? 'clone' : packageSettings === undefined ? 'archive' : 'package';

export function formatStartCommand(option?: string, of = installation): string {
  if (of === 'package') return option === undefined ? 'sudo systemctl start hatch' : `sudo hatch start ${option}`;
  if (of === 'archive') return option === undefined ? 'hatch start' : `hatch start ${option}`;
  return option === undefined ? 'npm start' : `npm start -- ${option}`;
}

/** Tells a person how to start the shop with a setting such as `PORT=3001`. */
export function formatStartAdvice(setting: string, of = installation, file = packageSettings): string {
  if (of === 'package') return `Set another one in ${file}: ${setting}`;
  return `Choose another one: ${setting} ${formatStartCommand(undefined, of)}`;
}
