import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { accounts, setup } from '#accounts/contract.ts';
import { factors } from '#accounts/factor-contract.ts';
import { devices } from '#accounts/device-contract.ts';
import { signInProviders } from '#accounts/provider-contract.ts';
import { startSummaries } from '#accounts/server/first-admin.ts';
import { accountsHandlers, beforeAccounts } from '#accounts/server/handlers.ts';
import { eraseKeptAccount, readKeptAccount } from '#accounts/server/kept-account.ts';
import { accountMailExamples } from '#accounts/server/mail-examples.ts';
import { emailOf } from '#accounts/server/user-views.ts';
import { findViewer } from '#accounts/server/sign-ins.ts';
import { social } from '#accounts/social-contract.ts';
import { apiInfo, describeWholeApi } from '#api-description.ts';
import { appRelease } from '#app-release/contract.ts';
import { appReleaseHandlers } from '#app-release/server/handlers.ts';
import { channels, type Services } from '#app-services.ts';
import { audit } from '#audit/contract.ts';
import { auditHandlers } from '#audit/server/handlers.ts';
import { complaints } from '#complaints/contract.ts';
import { namedComplaints } from '#complaints/server/complaint-rows.ts';
import { complaintHandlers } from '#complaints/server/handlers.ts';
import { eraseKeptComplaints, readKeptComplaints } from '#complaints/server/kept-complaints.ts';
import { complaintMailExamples } from '#complaints/server/mail-examples.ts';
import { contract } from '#contract.ts';
import { writeAudit } from '#database/audit.ts';
import { listConsents } from '#database/consents.ts';
import { createAuditNotes } from '#database/audit-notes.ts';
import { mail } from '#mail/contract.ts';
import { eraseKeptMails, readKeptMails } from '#mail/server/keep-mail.ts';
import { mailHandlers, type MailExamples } from '#mail/server/handlers.ts';
import type { Db, Tx } from '#database/schema.ts';
import { forCaller, withStatementLimit } from '#database/statement-limit.ts';
import { makeChange } from '#database/transaction.ts';
import { kitchen } from '#kitchen/contract.ts';
import { kitchenHandlers } from '#kitchen/server/handlers.ts';
import { printing } from '#printing/contract.ts';
import { printingHandlers } from '#printing/server/handlers.ts';
import { menu } from '#menu/contract.ts';
import { menuHandlers } from '#menu/server/handlers.ts';
import { orderAccounts } from '#ordering/account-contract.ts';
import { ordering } from '#ordering/contract.ts';
import { orderAccountHandlers } from '#ordering/server/account-handlers.ts';
import { orderingHandlers } from '#ordering/server/handlers.ts';
import { menuOrders } from '#ordering/server/menu-orders.ts';
import { startOrderQueue } from '#ordering/server/order-queue.ts';
import { eraseKeptOrders, readKeptOrders } from '#ordering/server/kept-orders.ts';
import { orderMailExamples } from '#ordering/server/mail-examples.ts';
import { storeOrders } from '#ordering/server/store-orders.ts';
import { payment } from '#payment/contract.ts';
import { eraseKeptCards } from '#payment/server/kept-cards.ts';
import { paymentMailExamples } from '#payment/server/mail-examples.ts';
import { paymentHandlers } from '#payment/server/handlers.ts';
import { office } from '#office/contract.ts';
import { officeHandlers } from '#office/server/first-evening.ts';
import { people } from '#people/contract.ts';
import type { KeptData } from '#people/server/kept-data.ts';
import { peopleHandlers } from '#people/server/handlers.ts';
import { AppError } from '#platform/errors.ts';
import { demoShop } from '#demo/demo-shop.ts';
import { DatabaseAway } from '#platform/server/database-away.ts';
import { refuseUnserved, serve, type Host } from '#platform/http/serve.ts';
import { keysOf } from '#platform/keys-of.ts';
import { serveApiDescription } from '#platform/server/api-page.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { push } from '#push/contract.ts';
import { pushHandlers } from '#push/server/handlers.ts';
import { listDevices } from '#push/server/subscriptions.ts';
import { realtime } from '#realtime/contract.ts';
import { realtimeHandlers } from '#realtime/server/handlers.ts';
import { reports } from '#reports/contract.ts';
import { takingsMailExample } from '#reports/server/mail-example.ts';
import { reportsHandlers } from '#reports/server/handlers.ts';
import { keepReads } from '#shop/server/kept-reads.ts';
import { shownMenusHandlers } from '#shop/server/shown-menus-handlers.ts';
import { store } from '#store/contract.ts';
import { storeHandlers } from '#store/server/handlers.ts';
import { storefront } from '#storefront/contract.ts';
import { pageConfigHandlers } from '#storefront/server/page-config-handlers.ts';
import { uploads } from '#uploads/contract.ts';
import { uploadsHandlers } from '#uploads/server/handlers.ts';
import { watch } from '#watch/contract.ts';
import { watchMailExamples } from '#watch/server/mail-examples.ts';
import { watchHandlers } from '#watch/server/handlers.ts';

const groups = {
  accounts: { ...accounts, ...factors, ...social, ...signInProviders, ...devices, ...setup },
  store,
  menu,
  ordering: { ...ordering, ...orderAccounts },
  printing,
  kitchen,
  payment,
  reports,
  realtime,
  'app-release': appRelease,
  uploads,
  mail,
  push,
  complaints,
  people,
  audit,
  watch,
  storefront,
  office,
};

/** Made when somebody asks: it takes longer than the rest of a start. */
let description: Record<string, unknown> | undefined;
const describeOnce = () => (description ??= describeWholeApi(groups));

/** Serves every row of the contract and its description. */
export function serveEndpoints(http: FastifyInstance, services: Services, fastPath: FastPath): void {
  const { menus, menuTurns } = services;
  const host = hostOf(services);
  // A call that changes a store or its menu waits for its turn before it takes a connection.
  const inTurn: typeof host = {
    ...host,
    transaction: (...change) => menuTurns.take(() => host.transaction(...change)),
  };
  const kept = keptData(services);
  serveApiDescription(http, describeOnce, apiInfo);
  serve(http, host, groups.accounts, accountsHandlers(services), beforeAccounts);
  serve(http, inTurn, store, storeHandlers({ ...services, orders: storeOrders }));
  const ofMenus = { ...menuHandlers({ ...services, orders: menuOrders }), ...shownMenusHandlers(menus, fastPath) };
  serve(http, inTurn, menu, keepReads(menus, menu, ofMenus, ['GET /v1/menus/store/{storeId}']));
  serve(http, host, ordering, orderingHandlers(services, startOrderQueue(services.db)));
  serve(http, host, orderAccounts, orderAccountHandlers(services));
  serve(http, host, printing, printingHandlers(services));
  serve(http, host, kitchen, kitchenHandlers(services));
  serve(http, host, payment, paymentHandlers(services));
  serve(http, host, reports, reportsHandlers(services));
  serve(http, host, realtime, realtimeHandlers({ ...services, channels }));
  serve(http, host, appRelease, appReleaseHandlers(services));
  serve(http, host, uploads, uploadsHandlers(services));
  serve(http, host, mail, mailHandlers({ ...services, examples: mailExamples(services), emailOf }));
  serve(http, host, push, pushHandlers(services));
  serve(http, host, complaints, complaintHandlers(services));
  serve(http, host, people, peopleHandlers({ ...services, kept }));
  serve(
    http,
    host,
    audit,
    auditHandlers({ menus, calls: { ...contract, ...startSummaries }, others: namedComplaints }),
  );
  serve(http, host, watch, watchHandlers(services));
  serve(http, host, storefront, pageConfigHandlers(services));
  serve(http, host, office, officeHandlers({ ...services, demo }));
  refuseUnserved(http, keysOf(contract));
}

const demo = { store: demoShop.store, dishes: new Set(demoShop.items.map(({ name }) => name)) };

/** What all domains keep about a person. */
export function keptData(services: Services): KeptData {
  return {
    readers: {
      ...readKeptAccount,
      push_devices: (db, { viewer }) => listDevices(db, viewer),
      mails: readKeptMails,
      complaints: readKeptComplaints,
      consents: (db, { user }) => listConsents(db, user.id),
      ...readKeptOrders(services.orderParts),
    },
    erasers: [
      eraseKeptCards(services.jobs),
      eraseKeptOrders(services),
      eraseKeptComplaints,
      eraseKeptMails,
      eraseKeptAccount(services.totpSecrets),
    ],
  };
}

/** What the office's previews show. */
function mailExamples({ config, menus, now }: Services): MailExamples {
  const readStore = async (db: Db) => {
    const known = await menus.store(db);
    if (!known) throw new AppError('not_found', m.store_not_found());
    return known.store;
  };
  const invented = { readStore, now };
  return {
    ...accountMailExamples(config, invented),
    ...orderMailExamples(config, invented),
    ...paymentMailExamples(config, invented),
    ...watchMailExamples(config, invented),
    ...takingsMailExample(config, invented),
    ...complaintMailExamples(config, invented),
  };
}

/** Milliseconds that a statement may take for a customer or staff who look at a list. */
const listLimit = 4_000;

function hostOf({ clients, db, log, past, menus, now }: Services): Host<Db, Tx> {
  return {
    authenticate: (token) => findViewer(db, token, now()),
    database: db,
    readPast: (gone, work) =>
      forCaller(gone, () => withStatementLimit(listLimit, () => work(past))).catch((error: unknown) => {
        // Without `retry-after`: the same would take as long again.
        throw error instanceof DatabaseAway && error.isTooSlow
          ? new AppError('unavailable', m.platform_took_too_long())
          : error;
      }),
    transaction: (log, work) => makeChange({ db, log }, work),
    audit: (tx, change) => writeAudit(tx, change),
    notes: createAuditNotes({ db, log }),
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
