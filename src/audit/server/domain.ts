import { auditSummariesOfStart } from '#accounts/server/set-up-shop.ts';
import { auditEndpoints } from '#audit/contract.ts';
import { auditHandlers } from '#audit/server/handlers.ts';
import { complaintReferencesSql } from '#complaints/server/complaint-mail.ts';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import type { FastifyBaseLogger } from 'fastify';
import { deleteAuditBefore } from '#database/audit.ts';
import type { Db } from '#database/schema.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { readLongestRetention } from '#store/server/store-views.ts';

interface Services extends Pick<Parameters<typeof auditHandlers>[0], 'menus'> {
  contract: Parameters<typeof auditHandlers>[0]['calls'];
}

export const auditDomain = {
  name: 'audit',
  calls: [
    endpointRegistration(auditEndpoints, ({ menus, contract }: Services) =>
      auditHandlers({ menus, calls: { ...contract, ...auditSummariesOfStart }, others: complaintReferencesSql }),
    ),
  ],
  start(services: Parameters<typeof startAuditRetention>[0], parts: ServerParts) {
    parts.add('old audit lines', startAuditRetention(services));
  },
};

/** Milliseconds between two sweeps. */
const every = 60 * 60_000;

export function startAuditRetention(services: {
  clock: { isTrusted(): boolean };
  db: Db;
  log: FastifyBaseLogger;
  now: () => Date;
}): Sweep & { sweep(): Promise<number> } {
  const { clock, db, log } = services;
  const sweep = async () => {
    const { audit: months } = await readLongestRetention(db);
    if (months === null) return 0;
    const before = new Date(services.now());
    before.setUTCMonth(before.getUTCMonth() - months);
    return withStatementTimeout(60_000, () => deleteAuditBefore(db, before));
  };
  return { sweep, ...startSweep({ name: 'old audit lines', every, log, clock }, sweep) };
}
