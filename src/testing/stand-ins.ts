import { spawnSync } from 'node:child_process';

/** Set in `npm test`: what has a stand-in is tested on that alone, whatever is installed. */
export const standInsVariable = 'HATCH_STAND_INS';

/**
 * Whether tests use this program of Debian, beside or instead of its stand-in. CI brings each, so there it must exist.
 */
export function usesProgram(name: string): boolean {
  if (process.env[standInsVariable] !== undefined) return false;
  // Some do not know the option.
  return process.env['CI'] === 'true' || spawnSync(name, ['--version']).error === undefined;
}
