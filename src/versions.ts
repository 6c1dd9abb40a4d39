import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';

export interface Versions {
  hatch: string;
  /** The data's last migration; null: none ran yet, or it is unknown. */
  data: string | null;
  postgres: string;
}

export const hatchVersion = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export function writeFirstLogLines(
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  found: Omit<Versions, 'hatch'>,
  warnings: readonly string[],
): void {
  const versions: Versions = { hatch: hatchVersion, ...found };
  log.info(versions, `Hatch ${versions.hatch}, data ${versions.data ?? 'unknown'}, PostgreSQL ${versions.postgres}`);
  for (const warning of warnings) log.warn(warning);
}
