// The values that columns in `schema.ts` may have. The schemas of the domains are made from these lists. The values
// that the pages' first bundle needs are in `page-values.ts`.

export const fulfilmentTypes = ['collection', 'delivery'] as const;
export type FulfilmentType = (typeof fulfilmentTypes)[number];

/** The customer's wish if a dish is sold out: the shop rings them, or removes the dish. */
export const soldOutWishes = ['ring', 'remove'] as const;
export type SoldOutWish = (typeof soldOutWishes)[number];

export const paymentMethods = ['cash', 'card'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/**
 * `percent`, `amount`: a discount on the order's sum. `item_price`, `n_for_m`, `set_price`: another price for dishes.
 */
export const offerKinds = ['percent', 'amount', 'free_delivery', 'item_price', 'n_for_m', 'set_price'] as const;
export type OfferKind = (typeof offerKinds)[number];

export const pauseCauses = ['no_board', 'restored'] as const;
export type PauseCause = (typeof pauseCauses)[number];

export const receiptSizes = ['normal', 'large'] as const;
export type ReceiptSize = (typeof receiptSizes)[number];

export const dietaryMarks = ['vegetarian', 'vegan', 'halal', 'gluten_free'] as const;
export type Dietary = (typeof dietaryMarks)[number];

/** Whether an option's price is added to the dish's price, or replaces it. */
export const pricings = ['adds', 'is_price'] as const;
export type Pricing = (typeof pricings)[number];

/**
 * The states of an import. `failed`: the import changed nothing. `undoing`, `undone`: the import's changes are or were
 * undone.
 */
export const importStates = ['waiting', 'done', 'failed', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

export const orderStatuses = [
  'pending_payment',
  'placed',
  'accepted',
  'packed',
  'out_for_delivery',
  'delivered',
  'collected',
  'rejected',
  'cancelled',
  'expired',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const paymentStatuses = [
  'unpaid',
  'authorised',
  'paid',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const rejectReasons = [
  'too_busy',
  'closing_early',
  'item_unavailable',
  'cannot_deliver',
  'bad_address',
  'not_answered',
  'other',
] as const;
export type RejectReason = (typeof rejectReasons)[number];

/** Reasons why an order is not possible at a time. `temporaryRefusalKinds` are the reasons that end at a known time. */
export const timeRefusalKinds = [
  'past',
  'not_accepting',
  'unavailable',
  'fully_booked',
  'last_orders',
  'closed',
] as const;
export type TimeRefusalKind = (typeof timeRefusalKinds)[number];
export const temporaryRefusalKinds = ['paused', 'slot_full', 'closed_until'] as const;
export type TemporaryRefusalKind = (typeof temporaryRefusalKinds)[number];
/**
 * The fulfilment type that is paused while the other one is open. `_today`: the pause lasts for the rest of the day.
 */
export const pausedWays = ['collection', 'delivery', 'collection_today', 'delivery_today'] as const;
export type PausedWay = (typeof pausedWays)[number];

export const paymentHistoryKinds = ['marked_paid', 'cash_instead'] as const;
export type PaymentHistoryKind = (typeof paymentHistoryKinds)[number];
export const refundHistoryKinds = ['refund_failed', 'refund_by_hand', 'refund_waits'] as const;
export type RefundHistoryKind = (typeof refundHistoryKinds)[number];
/** The stages of a dispute in its order's history. A lost dispute that is appealed is `disputed` again. */
export const disputeStages = ['inquiry', 'inquiry_closed', 'disputed', 'dispute_won', 'dispute_lost'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/** How staff followed up a lost order. `rung`: staff called the customer; `left`: staff decided not to call. */
export const followUps = ['rung', 'left'] as const;
export type FollowUp = (typeof followUps)[number];

/** How the customer paid at the handover; `terminal`: at the shop's card machine. */
export const handoverPaymentMethods = ['cash', 'terminal', 'not_paid'] as const;
export type HandoverPaymentMethod = (typeof handoverPaymentMethods)[number];

/** `test`: the owner tries the board and the printers; such an order counts in no report. */
export const orderChannels = ['web', 'app', 'phone', 'counter', 'test'] as const;
export type OrderChannel = (typeof orderChannels)[number];

/**
 * The news of an order for a customer's browser. `not_ready`: staff took back a step, such as `ready`, after the
 * customer was told.
 */
export const orderPushKinds = [
  'accepted',
  'promised',
  'changed',
  'ready',
  'on_its_way',
  'not_ready',
  'rejected',
  'cancelled',
] as const;
export type OrderPushKind = (typeof orderPushKinds)[number];

export const printCopyKinds = ['kitchen', 'customer'] as const;
export type PrintCopy = (typeof printCopyKinds)[number];

export const printStatuses = ['queued', 'claimed', 'sent', 'printed', 'failed', 'expired', 'unknown'] as const;
export type PrintStatus = (typeof printStatuses)[number];

/**
 * The purposes of prints. `receipt` prints an order, `draft` a basket, and `test` the test page. `drawer` only opens
 * the cash drawer. `cancellation` prints a slip that the order was cancelled, and `promise` a slip with the order's new
 * time.
 */
export const printPurposes = ['receipt', 'draft', 'test', 'drawer', 'cancellation', 'promise'] as const;
export type PrintPurpose = (typeof printPurposes)[number];

/**
 * The faults of printers that cannot be reached. The list is in this file, so that browsers can load it without the
 * schemas.
 */
export const unreachablePrinterFaults = [
  'offline',
  'no_device',
  'wrong_address',
  'address_private',
  'address_own_machine',
  'address_not_single',
  'address_unknown',
  'no_print_system',
  'no_queue',
  'queue_stopped',
  'refused_by_browser',
] as const;

/**
 * Why a print was not made, or a printer does not print. `offline`: the printer is silent. `cannot_read`: the printer's
 * model cannot print the job. `not_fetched`: the printer did not fetch a job in time. `no_device`: no board or tablet
 * can reach the printer. `wrong_address`: nothing, or no printer, answers at the printer's address. `address_private`:
 * the address is in the server's own network, and the owner has not allowed that. `address_own_machine`: the address is
 * the server's own. `address_not_single`: the address belongs to no single device. `address_unknown`: the host name has
 * no address. `no_print_system`, `no_queue`, `queue_stopped`: faults of a print queue of the server. `removed`: the
 * printer was removed in the office. `unreadable`: the print cannot be drawn or encoded. `unanswered`: the printer did
 * not say whether it made the print. `no_printer`: the shop had no printer for the print.
 */
export const printFaults = [
  'paper_out',
  'cover_open',
  'cutter',
  'overheated',
  'paper_stuck',
  'cannot_read',
  'not_fetched',
  'busy',
  ...unreachablePrinterFaults,
  'removed',
  'unreadable',
  'unanswered',
  'no_printer',
  'other',
] as const;
export type PrintFault = (typeof printFaults)[number];

/**
 * How a printer is reached. `star_cloudprnt` and `epson_sdp`: it polls the server. `network`: the server connects to
 * it. `browser`: a board or tablet in the shop connects to it. `system`: a print queue of the server's own machine.
 */
export const printerKinds = ['star_cloudprnt', 'epson_sdp', 'network', 'browser', 'system'] as const;
export type PrinterKind = (typeof printerKinds)[number];

export const paperStates = ['unknown', 'ok', 'low', 'out'] as const;
export type PaperState = (typeof paperStates)[number];

export const printerCoverStates = ['unknown', 'closed', 'open'] as const;
export type PrinterCoverState = (typeof printerCoverStates)[number];

/** The modes of a card provider's keys. Test keys move no money. */
export const paymentModes = ['test', 'live'] as const;
export type PaymentMode = (typeof paymentModes)[number];

/**
 * The shop's state of a payment attempt. A state only changes to a later state of this list, and the last three are
 * final. One exception: a failed capture may prove to have succeeded.
 */
export const paymentStates = ['pending', 'authorised', 'captured', 'voided', 'refunded', 'failed'] as const;
export type PaymentAttemptStatus = (typeof paymentStates)[number];

/**
 * The provider's state of a payment attempt. While the payer can retry on the provider's page, the state is `open`;
 * `declined` and `abandoned` are final.
 */
export const providerStates = [
  'open',
  'authorised',
  'declined',
  'abandoned',
  'captured',
  'voided',
  'refunded',
] as const;
export type ProviderState = (typeof providerStates)[number];

/** Reasons why the shop could not read the provider's records that are newer than the restored backup. */
export const providerReadingFailures = ['keys_refused', 'refused', 'unreachable'] as const;
export type ProviderReadingFailure = (typeof providerReadingFailures)[number];

export const erasureKinds = ['person', 'order'] as const;
export type ErasureKind = (typeof erasureKinds)[number];

/**
 * The calls that a payment may still need. `capture` charges the approved money. `release` gives up that money: it
 * voids or refunds the payment, or closes its open page.
 */
export const owedProviderCalls = ['capture', 'release'] as const;
export type OwedProviderCall = (typeof owedProviderCalls)[number];

export const paymentFailures = ['declined', 'abandoned', 'wrong_amount', 'capture_failed'] as const;
export type PaymentFailure = (typeof paymentFailures)[number];

/**
 * The outcome of a provider's event. `unknown`: the event is about nothing of this shop. `failed`: the event was given
 * up.
 */
export type PaymentEventOutcome = 'applied' | 'unknown' | 'failed';

export type MovementKind = 'held' | 'captured' | 'released' | 'refunded' | 'refund_failed' | 'disputed' | 'dispute_won';

/**
 * The kinds of refunds. `asked`: by a person, with a reason. `order_ended`: the order ended after its payment.
 * `at_provider`: made on the provider's own pages. `line_removed`: for removed dishes, which the order's total no
 * longer contains. `late_payment`: the payment arrived when the order no longer needed it.
 */
export const refundKinds = ['asked', 'order_ended', 'at_provider', 'line_removed', 'late_payment'] as const;
export type RefundKind = (typeof refundKinds)[number];

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export type SandboxRefusal = 'capture' | 'refund';

/**
 * The kind of a line of the provider's statement. `fee`: a fee that belongs to no single payment. `payout`: money sent
 * to the shop's bank account. `payout_failed`: money that came back from there.
 */
export const bankEntryKinds = [
  'charge',
  'refund',
  'refund_failed',
  'dispute',
  'dispute_won',
  'fee',
  'payout',
  'payout_failed',
  'other',
] as const;
export type BankEntryKind = (typeof bankEntryKinds)[number];

export const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed', 'cancelled'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** The provider's statuses of a dispute. An inquiry is a question by the payer's bank; only a dispute moves money. */
export const disputeStatuses = [
  'inquiry_needs_response',
  'inquiry_under_review',
  'inquiry_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export const keySources = ['environment', 'typed'] as const;
export type KeySource = (typeof keySources)[number];

export const keyTrialStates = ['open', 'paid', 'refunded', 'abandoned', 'failed'] as const;
export type KeyTrialState = (typeof keyTrialStates)[number];

/** The sign-in providers with rules of their own; any other OpenID provider is `other`. */
export const signInProviderKinds = ['google', 'apple', 'other'] as const;
export type SignInProviderKind = (typeof signInProviderKinds)[number];

/**
 * A problem of a sign-in provider. `away`: the provider does not answer. `no_provider`: the address has no OpenID
 * provider. `client_refused`: the provider does not know this shop's id and secret. `return_refused`: the provider does
 * not return browsers to this shop. `clock`: the provider's clock and the shop's differ.
 */
export type SignInProviderProblem = 'away' | 'no_provider' | 'client_refused' | 'return_refused' | 'clock';
/**
 * The purpose of a sign-in at a provider. `app`: for the Android app. `link`: to connect an identity to an account.
 * `trial`: the owner tries the provider.
 */
export type SignInPurpose = 'sign_in' | 'app' | 'link' | 'trial';

export const userRoles = ['admin', 'store_admin', 'customer'] as const;
export type UserRole = (typeof userRoles)[number];

export const staffRoles = ['admin', 'store_admin'] as const;
export type StaffRole = (typeof staffRoles)[number];

export const deviceKinds = ['tablet', 'browser'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

export const consentKinds = ['notifications', 'allergies'] as const;
export type ConsentKind = (typeof consentKinds)[number];

export const complaintSubjects = ['data', 'order', 'other'] as const;
export type ComplaintSubject = (typeof complaintSubjects)[number];

/** A customer's wish about an order that went wrong. */
export const complaintWishes = ['money_back', 'make_again', 'only_tell'] as const;
export type ComplaintWish = (typeof complaintWishes)[number];

export const complaintStates = ['new', 'in_progress', 'answered'] as const;
export type ComplaintState = (typeof complaintStates)[number];

/** Why a call was refused: not allowed, throttled, or a wrong password. */
export const refusedCallOutcomes = ['refused', 'throttled', 'failed'] as const;
export type RefusedCallOutcome = (typeof refusedCallOutcomes)[number];
