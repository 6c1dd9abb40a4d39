import { startSummaries } from '#accounts/server/set-up-shop.ts';
import { audit } from '#audit/contract.ts';
import { startForgettingLines } from '#audit/server/forget-lines.ts';
import { auditHandlers } from '#audit/server/handlers.ts';
import { namedComplaints } from '#complaints/server/complaint-rows.ts';
import { calls } from '#database/domain.ts';
import type { Parts } from '#platform/server/parts.ts';

interface Services extends Pick<Parameters<typeof auditHandlers>[0], 'menus'> {
  /** Every call of the API. */
  contract: Parameters<typeof auditHandlers>[0]['calls'];
}

export const auditDomain = {
  name: 'audit',
  calls: [
    calls(audit, ({ menus, contract }: Services) =>
      auditHandlers({ menus, calls: { ...contract, ...startSummaries }, others: namedComplaints }),
    ),
  ],
  start(services: Parameters<typeof startForgettingLines>[0], parts: Parts) {
    parts.add('old audit lines', startForgettingLines(services));
  },
};
