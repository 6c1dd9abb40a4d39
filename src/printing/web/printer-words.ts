import type { BadgeTone } from '#ui/web/office/office-page.tsx';
import { m } from '#messages';
import type { Print, PrintPurpose } from '#ordering/print.ts';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { printerModels, findPrinterProfile } from '#printing/paper/profiles.ts';
import { printErrorWords } from '#printing/printer-rules.ts';
import type { Printer, PrinterKind } from '#printing/printer.ts';
import type { Store } from '#store/contract.ts';

export const printerKindWords: Record<PrinterKind, () => string> = {
  star_cloudprnt: m.printing_office_kind_star_cloudprnt,
  epson_sdp: m.printing_office_kind_epson_sdp,
  network: m.printing_office_kind_network,
  browser: m.printing_office_kind_browser,
  system: m.printing_office_kind_system,
};

export const printerKindDescriptions: Record<PrinterKind, () => string> = {
  star_cloudprnt: m.printing_office_kind_star_cloudprnt_means,
  epson_sdp: m.printing_office_kind_epson_sdp_means,
  network: m.printing_office_kind_network_means,
  browser: m.printing_office_kind_browser_means,
  system: m.printing_office_kind_system_means,
};

/** The id of a printer's model, without the character tables that the owner chose. */
export function printerModelIdOf(profile: string): string {
  return profile.split(':', 1)[0] ?? '';
}

export function printerModelWords(profile: string): string {
  const model = printerModels.find(({ id }) => id === printerModelIdOf(profile));
  return model ? m.printing_office_model_of({ brand: model.brand, models: model.models }) : profile;
}

export function printerStateBadge(printer: Printer): { tone: BadgeTone | null; words: string } {
  const { status } = printer;
  if (status.state === 'fault') return { tone: 'bad', words: m.printing_office_state_fault() };
  if (status.state === 'offline') return { tone: 'bad', words: m.printing_office_state_offline() };
  if (status.state === 'new') return { tone: null, words: m.printing_office_state_new() };
  if (status.paper === 'low') return { tone: 'warn', words: m.printing_office_state_low() };
  return saysHowItIs(printer)
    ? { tone: 'good', words: m.printing_office_state_ready() }
    : { tone: null, words: m.printing_office_state_reached() };
}

/** Whether the printer can report missing paper. */
function saysHowItIs({ kind, profile, width_mm: width }: Printer): boolean {
  return kind !== 'system' && (kind !== 'network' || findPrinterProfile(profile, width)?.status_back === true);
}

/** Above this poll interval (s), staff notice a delay. */
const slowPoll = 10;

export function isPollingSlowly({ poll_seconds: seconds }: Printer): boolean {
  return seconds !== null && seconds > slowPoll;
}

/** A time such as `19:04`, with the day unless it is today. */
export function printerTimeWords(instant: string, { timezone }: Store): string {
  const now = new Date(shopNow());
  const day = dayWords(instant, now, timezone);
  const time = timeWords(instant, timezone);
  return day === dayWords(now, now, timezone) ? time : m.printing_office_day_time({ day, time });
}

export function printerDutyWords(printer: Printer): string {
  const { receipts, stations, fulfilment_types: types, copies, channels, prints_promises: hasSlips } = printer;
  if (receipts.length === 0) return m.printing_office_prints_nothing();
  const what =
    receipts.length === 2
      ? m.printing_office_prints_both()
      : receipts[0] === 'kitchen'
        ? m.printing_office_prints_kitchen()
        : m.printing_office_prints_customer();
  const [type] = types.length === 1 ? types : [];
  return [
    m.printing_office_prints({ what }),
    copies > 1 && m.printing_office_copies_of({ count: copies }),
    stations.length > 0 && m.printing_office_only({ what: stations.join(', ') }),
    type === 'collection' && m.printing_office_fulfilment_collection(),
    type === 'delivery' && m.printing_office_fulfilment_delivery(),
    channels.length > 0 && channels.map((channel) => m.printing_office_channel({ channel })).join(', '),
    hasSlips && m.printing_office_prints_promises(),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A print's status as text, with its times; `now` in epoch ms. */
export function printStatusWords(print: Print, store: Store, now: number): string {
  const at = (instant: string | null) => (instant === null ? '' : printerTimeWords(instant, store));
  const error = printErrorWords(print) ?? '';
  if (print.read_at !== null) {
    return m.printing_office_print_read({ name: print.read_by ?? '', time: at(print.read_at) });
  }
  switch (print.status) {
    case 'queued':
      return Date.parse(print.due_at) > now + 60_000
        ? m.printing_office_print_due({ time: at(print.due_at) })
        : m.printing_office_print_queued();
    case 'claimed':
      return m.printing_office_print_claimed({ time: at(print.claimed_at) });
    case 'sent':
      return print.ended_at === null
        ? m.printing_office_print_sending({ time: at(print.sent_at) })
        : m.printing_office_print_sent({ time: at(print.sent_at) });
    case 'printed':
      return m.printing_office_print_printed({ time: at(print.printed_at) });
    case 'expired':
      return m.printing_office_print_expired();
    case 'failed':
      return failureStory(print, error, at);
    case 'unknown':
      return print.moved_to_id === null
        ? m.printing_office_print_unknown({ error })
        : m.printing_office_print_moved_unknown({ error });
  }
}

function failureStory(print: Print, error: string, at: (instant: string) => string): string {
  if (print.moved_to_id !== null) return m.printing_office_print_moved({ error });
  return print.ended_at === null && print.retry_at !== null
    ? m.printing_office_print_retry({ time: at(print.retry_at), error })
    : m.printing_office_print_failed({ error });
}

/** The title of a print, such as `Kitchen receipt, copy`. */
export function printTitleWords({
  purpose,
  copy,
  is_reprint: isReprint,
  is_marked: isMarked,
  nth,
  moved_from_id: from,
}: Print): string {
  const kinds: Record<PrintPurpose, () => string> = {
    receipt: copy === 'kitchen' ? m.printing_office_receipt_kitchen : m.printing_office_receipt_customer,
    draft: m.printing_office_recent_draft,
    test: m.printing_office_recent_test,
    drawer: m.printing_office_recent_drawer,
    cancellation: m.printing_office_recent_cancellation,
    promise: m.printing_office_recent_promise,
  };
  return [
    kinds[purpose](),
    nth > 1 && m.printing_office_recent_nth({ nth }),
    isReprint && m.printing_office_recent_copy(),
    from !== null && m.printing_office_print_from(),
    isMarked && m.printing_office_print_unsure(),
  ]
    .filter(Boolean)
    .join(', ');
}
