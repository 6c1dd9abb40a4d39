import pg from 'pg';
import { z } from 'zod';

const example = 'postgres://user:password@host:5432/database';

/** The address of a PostgreSQL server. A refusal does not quote it, because it may contain a password. */
export const DatabaseAddress = z.string().superRefine((text, context) => {
  const message = faultOf(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

function faultOf(text: string): string | null {
  try {
    const { host } = new pg.Client({ connectionString: text });
    if (!host.includes(',')) return null;
  } catch {
    // For several hosts with ports the driver throws an unclear error, so this pattern recognises a list of hosts.
    if (!/@[^/?]*,|[?&]host=[^&]*(,|%2c)/i.test(text)) return `must look like ${example}`;
  }
  return `must name one host, not several: ${example}`;
}
