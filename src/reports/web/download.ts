import { api } from '#platform/web/api.ts';
import type { ExportRows } from '#reports/contract.ts';
import type { DateRange } from '#reports/date-range.ts';
import type { Store } from '#store/contract.ts';

/** Has the browser keep one of the accountant's tables. Throws ApiError. */
export async function downloadTable(store: Store, { from, to }: DateRange, rows: ExportRows): Promise<void> {
  const query = { store_id: store.id, start_date: from, end_date: to, rows };
  const table = await api('GET /v1/reports/sales/export', query, { timeout: 120_000 });
  // Reading a text drops the mark by which spreadsheets know its encoding.
  const url = URL.createObjectURL(new Blob([`\uFEFF${table}`], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${store.slug}-${rows}-${from}-${to}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
