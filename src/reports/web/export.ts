import { m } from '#messages';
import { ApiError, apiFile } from '#platform/web/api.ts';
import { createExternalStore } from '#platform/web/external-store.ts';
import type { ExportTableName } from '#reports/contract.ts';
import { type DateRange, rangeLength } from '#reports/date-range.ts';
import { longDayWords } from '#reports/web/report-words.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { saveFile } from '#ui/web/save-file.ts';

export interface ReportExportProgress extends ExportProgress {
  cancel(): void;
}

/**
 * The running export; null: none. At most one export runs at a time. The export continues while the owner opens other
 * pages.
 */
export const runningExport = createExternalStore<ReportExportProgress | null>(() => null);

/** Milliseconds between two updates of the shown progress. */
const step = 100;
/** The number of received bytes after which the page moves them into a Blob, which the browser can store on disk. */
const most = 4_000_000;

/** Streams a table into a saved file and shows the outcome in a notification; never throws. */
export async function exportTable(store: Store, range: DateRange, rows: ExportTableName): Promise<void> {
  if (runningExport.read()) return;
  const stop = new AbortController();
  const show = (progress: ExportProgress) => runningExport.set({ ...progress, cancel: () => stop.abort() });
  let last = noExportProgress;
  show(last);
  addEventListener('beforeunload', askBeforeLeaving);
  try {
    const query = { store_id: store.id, start_date: range.from, end_date: range.to, rows };
    const stream = await apiFile('GET /v1/reports/sales/export', query, { signal: stop.signal });
    const table = await collect(stream, range, rows, (progress) => show((last = progress)));
    saveFile(table, `${store.slug}-${rows}-${range.from}-${range.to}.csv`);
    notify({ id: 'export', text: m.reports_export_saved({ count: last.rows }) });
  } catch (error) {
    if (stop.signal.aborted) notify({ id: 'export', text: m.reports_export_cancelled() });
    else {
      const text = error instanceof ApiError ? refusalWords(error) : brokenWords(last);
      const again = { label: m.platform_retry(), run: () => void exportTable(store, range, rows) };
      notify({ id: 'export', text, tone: 'bad', stays: true, action: again });
    }
  } finally {
    removeEventListener('beforeunload', askBeforeLeaving);
    runningExport.set(null);
  }
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  range: DateRange,
  rows: ExportTableName,
  show: (progress: ExportProgress) => void,
): Promise<Blob> {
  const type = 'text/csv;charset=utf-8';
  const follow = createExportProgressReader(range, rows);
  const decoder = new TextDecoder();
  const kept: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let shownAt = 0;
  let progress = noExportProgress;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    held.push(value);
    bytes += value.length;
    progress = follow(decoder.decode(value, { stream: true }));
    if (bytes > most) {
      kept.push(new Blob(held, { type }));
      [held, bytes] = [[], 0];
    }
    if (performance.now() - shownAt < step) continue;
    shownAt = performance.now();
    show(progress);
  }
  show(progress);
  return new Blob([...kept, ...held], { type });
}

function brokenWords({ day }: ExportProgress): string {
  return day === null ? m.reports_export_broken() : m.reports_export_broken_at({ day: longDayWords(day) });
}

/** Asks before the page is left, because a table is saved only when it is complete. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

interface ExportProgress {
  rows: number;
  /** The latest day of the rows so far; null before the first row. */
  day: string | null;
  /** The part of the range that has been read, 0 to 1. */
  part: number;
}

export const noExportProgress: ExportProgress = { rows: 0, day: null, part: 0 };

/**
 * Matches a table's row, and captures the row's day in the first or second field. Headings and the further lines of a
 * multi-line text do not match.
 */
const rowOf: Record<ExportTableName, RegExp> = {
  orders: /^(\d{4}-\d\d-\d\d),/,
  vat: /^(\d{4}-\d\d-\d\d),/,
  payouts: /^\w+,(\d{4}-\d\d-\d\d),/,
  offers: /^\d{4}-\d\d-\d\d,(\d{4}-\d\d-\d\d),/,
};

/** Returns a function that takes the next chunk of a table's text and returns the progress. */
export function createExportProgressReader(range: DateRange, rows: ExportTableName): (text: string) => ExportProgress {
  const days = rangeLength(range.from, range.to);
  let progress = noExportProgress;
  let begun = '';
  return (text) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      const day = rowOf[rows].exec(line)?.[1];
      if (day === undefined || day < range.from || day > range.to) continue;
      // A row of an earlier day does not move the progress back.
      const latest = progress.day !== null && progress.day > day ? progress.day : day;
      progress = { rows: progress.rows + 1, day: latest, part: rangeLength(range.from, latest) / days };
    }
    return progress;
  };
}
