import { Migrator } from 'kysely/migration';
import type { Db } from '#database/schema.ts';
import * as firstShop from '#database/migrations/001-first-shop.ts';
import * as accounts from '#database/migrations/002-accounts.ts';
import * as appReleases from '#database/migrations/003-app-releases.ts';
import * as identities from '#database/migrations/004-identities.ts';
import * as appearance from '#database/migrations/005-appearance.ts';
import * as watch from '#database/migrations/006-watch.ts';
import * as refunds from '#database/migrations/007-refunds.ts';
import * as menuBin from '#database/migrations/010-menu-bin.ts';
import * as menuImports from '#database/migrations/011-menu-imports.ts';
import * as safeAddresses from '#database/migrations/012-safe-addresses.ts';
import * as clock from '#database/migrations/013-clock.ts';
import * as namedCalls from '#database/migrations/014-named-calls.ts';
import * as orderPrepMinutes from '#database/migrations/015-order-prep-minutes.ts';
import * as followUps from '#database/migrations/016-follow-ups.ts';
import * as orderMails from '#database/migrations/017-order-mails.ts';
import * as historyNotes from '#database/migrations/018-history-notes.ts';
import * as refundKinds from '#database/migrations/019-refund-kinds.ts';
import * as cardPayments from '#database/migrations/020-card-payments.ts';
import * as signInProviders from '#database/migrations/023-sign-in-providers.ts';
import * as printers from '#database/migrations/024-printers.ts';
import * as push from '#database/migrations/025-push.ts';
import * as accountLinks from '#database/migrations/026-account-links.ts';
import * as noSandboxBesideKeys from '#database/migrations/027-no-sandbox-beside-keys.ts';
import * as mails from '#database/migrations/029-mails.ts';
import * as knownDevices from '#database/migrations/030-known-devices.ts';
import * as takingsMails from '#database/migrations/031-takings-mails.ts';
import * as receiptDesign from '#database/migrations/033-receipt-design.ts';
import * as appFiles from '#database/migrations/034-app-files.ts';
import * as devices from '#database/migrations/035-devices.ts';
import * as history from '#database/migrations/036-history.ts';
import * as fillHistory from '#database/migrations/037-fill-history.ts';
import { withStatementLimit } from '#database/statement-limit.ts';
import * as addressFaults from '#database/migrations/038-address-faults.ts';
import * as orderLimits from '#database/migrations/039-order-limits.ts';
import * as pauseCause from '#database/migrations/042-pause-cause.ts';
import * as printFaults from '#database/migrations/043-print-faults.ts';
import * as auditSearch from '#database/migrations/044-audit-search.ts';
import * as fillAuditSearch from '#database/migrations/045-fill-audit-search.ts';
import * as takingsOfMonths from '#database/migrations/046-takings-of-months.ts';
import * as indexesWithoutWaitingRows from '#database/migrations/047-indexes-without-waiting-rows.ts';
import * as printersAsked from '#database/migrations/048-printers-asked.ts';
import * as markedPrints from '#database/migrations/049-marked-prints.ts';
import * as playSigning from '#database/migrations/050-play-signing.ts';
import * as firstEvenings from '#database/migrations/051-first-evenings.ts';
import * as missingRights from '#database/migrations/054-missing-rights.ts';
import * as orderNames from '#database/migrations/057-order-names.ts';
import * as fillOrderNames from '#database/migrations/058-fill-order-names.ts';
import * as erasedReasons from '#database/migrations/059-erased-reasons.ts';
import * as auditChain from '#database/migrations/060-audit-chain.ts';
import * as auditOutcomes from '#database/migrations/061-audit-outcomes.ts';
import * as latePaymentRefunds from '#database/migrations/062-late-payment-refunds.ts';
import * as secondFactors from '#database/migrations/063-second-factors.ts';
import * as provenSignIns from '#database/migrations/064-proven-sign-ins.ts';
import * as retention from '#database/migrations/066-retention.ts';
import * as complaints from '#database/migrations/067-complaints.ts';
import * as consents from '#database/migrations/068-consents.ts';
import * as failedRefundMails from '#database/migrations/069-failed-refund-mails.ts';
import * as processingPayments from '#database/migrations/070-processing-payments.ts';
import * as allergenAnswers from '#database/migrations/071-allergen-answers.ts';
import * as orderAllergies from '#database/migrations/073-order-allergies.ts';
import * as paidBy from '#database/migrations/074-paid-by.ts';
import * as groupPricing from '#database/migrations/076-group-pricing.ts';
import * as confirmedLocations from '#database/migrations/077-confirmed-locations.ts';
import * as refusedCardMails from '#database/migrations/079-refused-card-mails.ts';
import * as testMoney from '#database/migrations/080-test-money.ts';
import * as strangersPhones from '#database/migrations/081-strangers-phones.ts';
import * as sessionHashes from '#database/migrations/082-session-hashes.ts';
import * as fillSessionHashes from '#database/migrations/083-fill-session-hashes.ts';
import * as allergensText from '#database/migrations/085-allergens-text.ts';
import * as invitedCustomers from '#database/migrations/086-invited-customers.ts';
import * as refusedPages from '#database/migrations/087-refused-pages.ts';
import * as lateMessages from '#database/migrations/088-late-messages.ts';
import * as kitchenSlips from '#database/migrations/090-kitchen-slips.ts';
import * as pollIntervals from '#database/migrations/091-poll-intervals.ts';
import * as instancesAndToldFaults from '#database/migrations/093-instances-and-told-faults.ts';
import * as promisesMade from '#database/migrations/094-promises-made.ts';
import * as foldedText from '#database/migrations/095-folded-text.ts';

/** Forward only: a released migration is never edited; the next one corrects it. */
export const migrations = {
  '001-first-shop': firstShop,
  '002-accounts': accounts,
  '003-app-releases': appReleases,
  '004-identities': identities,
  '005-appearance': appearance,
  '006-watch': watch,
  '007-refunds': refunds,
  '010-menu-bin': menuBin,
  '011-menu-imports': menuImports,
  '012-safe-addresses': safeAddresses,
  '013-clock': clock,
  '014-named-calls': namedCalls,
  '015-order-prep-minutes': orderPrepMinutes,
  '016-follow-ups': followUps,
  '017-order-mails': orderMails,
  '018-history-notes': historyNotes,
  '019-refund-kinds': refundKinds,
  '020-card-payments': cardPayments,
  '023-sign-in-providers': signInProviders,
  '024-printers': printers,
  '025-push': push,
  '026-account-links': accountLinks,
  '027-no-sandbox-beside-keys': noSandboxBesideKeys,
  '029-mails': mails,
  '030-known-devices': knownDevices,
  '031-takings-mails': takingsMails,
  '033-receipt-design': receiptDesign,
  '034-app-files': appFiles,
  '035-devices': devices,
  '036-history': history,
  '037-fill-history': fillHistory,
  '038-address-faults': addressFaults,
  '039-order-limits': orderLimits,
  '042-pause-cause': pauseCause,
  '043-print-faults': printFaults,
  '044-audit-search': auditSearch,
  '045-fill-audit-search': fillAuditSearch,
  '046-takings-of-months': takingsOfMonths,
  '047-indexes-without-waiting-rows': indexesWithoutWaitingRows,
  '048-printers-asked': printersAsked,
  '049-marked-prints': markedPrints,
  '050-play-signing': playSigning,
  '051-first-evenings': firstEvenings,
  '054-missing-rights': missingRights,
  '057-order-names': orderNames,
  '058-fill-order-names': fillOrderNames,
  '059-erased-reasons': erasedReasons,
  '060-audit-chain': auditChain,
  '061-audit-outcomes': auditOutcomes,
  '062-late-payment-refunds': latePaymentRefunds,
  '063-second-factors': secondFactors,
  '064-proven-sign-ins': provenSignIns,
  '066-retention': retention,
  '067-complaints': complaints,
  '068-consents': consents,
  '069-failed-refund-mails': failedRefundMails,
  '070-processing-payments': processingPayments,
  '071-allergen-answers': allergenAnswers,
  '073-order-allergies': orderAllergies,
  '074-paid-by': paidBy,
  '076-group-pricing': groupPricing,
  '077-confirmed-locations': confirmedLocations,
  '079-refused-card-mails': refusedCardMails,
  '080-test-money': testMoney,
  '081-strangers-phones': strangersPhones,
  '082-session-hashes': sessionHashes,
  '083-fill-session-hashes': fillSessionHashes,
  '085-allergens-text': allergensText,
  '086-invited-customers': invitedCustomers,
  '087-refused-pages': refusedPages,
  '088-late-messages': lateMessages,
  '090-kitchen-slips': kitchenSlips,
  '091-poll-intervals': pollIntervals,
  '093-instances-and-told-faults': instancesAndToldFaults,
  '094-promises-made': promisesMade,
  '095-folded-text': foldedText,
};

/** In milliseconds: rewriting a large shop's tables takes long, and other instances wait for the lock. */
const hour = 3_600_000;

/**
 * Migrates the database to the current schema. Safe when several instances start together: the migrator takes a lock. A
 * migration that was added below one that ran already is run too: numbers are given out before the work on them ends.
 * Each has a transaction of its own, so that none holds its locks while a later one fills tables.
 */
export async function migrate(db: Db): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true });
  await withStatementLimit(hour, async () => {
    for (let isDone = false; !isDone;) {
      const { error, results } = await migrator.migrateUp();
      if (error) throw error;
      isDone = results === undefined || results.length === 0;
    }
  });
}
