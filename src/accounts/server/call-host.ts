import type { FastifyBaseLogger } from 'fastify';
import { m } from '#messages';
import { findViewer } from '#accounts/server/sign-ins.ts';
import { createReadAndRefusalAudit, writeAudit } from '#database/audit.ts';
import type { Db, Tx } from '#database/schema.ts';
import { withCallerSignal, changeWithEffects, withStatementTimeout } from '#database/transaction.ts';
import { AppError } from '#platform/errors.ts';
import type { CallHost } from '#platform/http/serve.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import type { StoreCache } from '#store/server/services.ts';

interface Services {
  clients: ClientAddressReader;
  db: Db;
  log: FastifyBaseLogger;
  menus: Pick<StoreCache, 'find'>;
  now: () => Date;
  past: Db;
}

/**
 * The timeout of a statement that reads history (ms): longer than for other statements, but short enough for a waiting
 * person.
 */
const listLimit = 4_000;

export function createCallHost({ clients, db, log, past, menus, now }: Services): CallHost<Db, Tx> {
  return {
    authenticate: (token) => findViewer(db, token, now()),
    database: db,
    readPast: (gone, work) =>
      withCallerSignal(gone, () => withStatementTimeout(listLimit, () => work(past))).catch((error: unknown) => {
        // The answer has no `retry-after`, because a retry would take as long.
        throw error instanceof DatabaseUnavailable && error.isTooSlow
          ? new AppError('unavailable', m.platform_took_too_long())
          : error;
      }),
    transaction: (log, work) => changeWithEffects({ db, log }, work),
    audit: (tx, change) => writeAudit(tx, change),
    notes: createReadAndRefusalAudit({ db, log }),
    clients,
    now,
    findId: {
      async store(slugOrName) {
        const wanted = slugOrName.trim();
        const known = wanted === '' ? null : await menus.find(wanted);
        if (!known) throw new AppError('not_found', m.store_not_found());
        return known.store.id;
      },
    },
  };
}
