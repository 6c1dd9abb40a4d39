/** More types of columns, as in `column-types.ts`: of printers and prints. */

export type PrinterKind = 'star_cloudprnt' | 'epson_sdp' | 'network' | 'browser' | 'system';
export type PaperState = 'unknown' | 'ok' | 'low' | 'out';
export type CoverState = 'unknown' | 'closed' | 'open';
/** Why a printer does not print, or did not print a copy. */
export type PrintFault =
  | 'paper_out'
  | 'cover_open'
  | 'cutter'
  | 'overheated'
  | 'paper_stuck'
  | 'cannot_read'
  | 'not_fetched'
  | 'busy'
  | 'offline'
  | 'no_device'
  | 'wrong_address'
  | 'address_private'
  | 'address_own_machine'
  | 'address_not_single'
  | 'address_unknown'
  | 'no_print_system'
  | 'no_queue'
  | 'queue_stopped'
  | 'refused_by_browser'
  | 'removed'
  | 'unreadable'
  | 'unanswered'
  | 'no_printer'
  | 'other';
/** As in `ordering/print.ts`. */
export type PrintPurpose = 'receipt' | 'draft' | 'test' | 'drawer' | 'cancellation' | 'promise';
