import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { accounts, setup } from '#accounts/contract.ts';
import { accountsEndpoints, beforeAccounts } from '#accounts/server/endpoints.ts';
import { findViewer } from '#accounts/server/sign-ins.ts';
import { describeWholeApi } from '#api-description.ts';
import { appRelease } from '#app-release/contract.ts';
import { appReleaseEndpoints } from '#app-release/server/endpoints.ts';
import type { Services } from '#app-services.ts';
import { audit } from '#audit/contract.ts';
import { auditEndpoints } from '#audit/server/endpoints.ts';
import { contract } from '#contract.ts';
import { writeAudit } from '#database/audit.ts';
import { mail } from '#database/mail/mail-contract.ts';
import { mailEndpoints } from '#database/mail/mail-endpoints.ts';
import type { Db, Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import { kitchen } from '#kitchen/contract.ts';
import { kitchenEndpoints } from '#kitchen/server/endpoints.ts';
import { menu } from '#menu/endpoints.ts';
import { menuEndpoints } from '#menu/server/endpoints.ts';
import { ordering } from '#ordering/contract.ts';
import { orderingEndpoints } from '#ordering/server/endpoints.ts';
import { menuOrders } from '#ordering/server/menu-orders.ts';
import { startOrderQueue } from '#ordering/server/order-queue.ts';
import { createPersonOrders } from '#ordering/server/person-orders.ts';
import { storeOrders } from '#ordering/server/store-orders.ts';
import { payment } from '#payment/contract.ts';
import { paymentEndpoints } from '#payment/server/endpoints.ts';
import { people } from '#people/contract.ts';
import { peopleEndpoints } from '#people/server/endpoints.ts';
import { AppError } from '#platform/errors.ts';
import { refuseUnserved, serve, type Host } from '#platform/http/serve.ts';
import { keysOf } from '#platform/keys-of.ts';
import { serveApiDescription } from '#platform/server/api-page.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { realtime } from '#realtime/contract.ts';
import { realtimeEndpoints } from '#realtime/server/endpoints.ts';
import { reports } from '#reports/contract.ts';
import { reportsEndpoints } from '#reports/server/endpoints.ts';
import { shownMenusEndpoints } from '#shop/server/shown-menus-endpoints.ts';
import { store } from '#store/contract.ts';
import { storeEndpoints } from '#store/server/endpoints.ts';
import { uploads } from '#uploads/contract.ts';
import { uploadsEndpoints } from '#uploads/server/endpoints.ts';
import { watch } from '#watch/contract.ts';
import { watchEndpoints } from '#watch/server/endpoints.ts';

const groups = {
  accounts: { ...accounts, ...setup },
  store,
  menu,
  ordering,
  kitchen,
  payment,
  reports,
  realtime,
  'app-release': appRelease,
  uploads,
  mail,
  people,
  audit,
  watch,
};

/** Serves every row of the contract and its description. Answers the menu's handlers, which make an import's changes too. */
export function serveEndpoints(http: FastifyInstance, services: Services, fastPath: FastPath) {
  const { menus, menuTurns } = services;
  const host = hostOf(services);
  // Whoever changes a store or its menu has waited for the turn before a connection is taken.
  const inTurn: typeof host = {
    ...host,
    transaction: (...change) => menuTurns.take(() => host.transaction(...change)),
  };
  const orders = createPersonOrders(services.prints);
  const menuHandlers = menuEndpoints({ ...services, orders: menuOrders });
  serveApiDescription(http, describeWholeApi(groups));
  serve(http, host, groups.accounts, accountsEndpoints({ ...services, orders }), beforeAccounts);
  serve(http, inTurn, store, storeEndpoints({ ...services, orders: storeOrders }));
  serve(http, inTurn, menu, { ...menuHandlers, ...shownMenusEndpoints(menus, fastPath) });
  serve(http, host, ordering, orderingEndpoints(services, startOrderQueue(services.db)));
  serve(http, host, kitchen, kitchenEndpoints(services));
  serve(http, host, payment, paymentEndpoints(services));
  serve(http, host, reports, reportsEndpoints(services));
  serve(http, host, realtime, realtimeEndpoints(services));
  serve(http, host, appRelease, appReleaseEndpoints(services));
  serve(http, host, uploads, uploadsEndpoints(services));
  serve(http, host, mail, mailEndpoints(services));
  serve(http, host, people, peopleEndpoints({ ...services, orders }));
  serve(http, host, audit, auditEndpoints({ menus, calls: contract }));
  serve(http, host, watch, watchEndpoints(menus));
  refuseUnserved(http, keysOf(contract));
  return menuHandlers;
}

function hostOf({ db, menus, now }: Services): Host<Db, Tx> {
  return {
    authenticate: (token) => findViewer(db, token, now()),
    database: db,
    transaction: (log, work) => makeChange({ db, log }, work),
    audit: (tx, change) => writeAudit(tx, change),
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
