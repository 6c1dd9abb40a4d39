import { useMutation, useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { Print } from '#ordering/print.ts';
import { api, type ApiInput } from '#platform/web/api.ts';
import { createExternalStore } from '#platform/web/external-store.ts';
import type { Printer, PrinterWithSecret } from '#printing/printer.ts';
import { useChannel, usePollingInterval } from '#realtime/web/use-channel.ts';
import { notify } from '#ui/web/notify.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';

/** The timeout of a call (ms). */
const timeout = 20_000;
const printersKey = (storeId: string) => ['printers', storeId];
export const printLedgerQueryKey = 'prints';

/** The printer secrets that the server sent since the page was loaded; they are shown until the page is closed. */
export const shownPrinterSecrets = createExternalStore<ReadonlyMap<string, string>>(() => new Map());

export function usePrinters(storeId: string) {
  return useQuery({
    queryKey: printersKey(storeId),
    refetchInterval: usePollingInterval(),
    queryFn: async ({ signal }) =>
      (await api('GET /v1/printers', { store_id: storeId, per_page: 200 }, { signal, timeout })).data,
  });
}

interface PrinterEvents {
  'printer.updated': { printer: Printer | { id: string; deleted: true } };
  'print.updated': { print: Print };
}

export function useLivePrinters(storeId: string): void {
  const refetchAll = () => {
    void cancelAndRefetch(queryClient, printersKey(storeId));
    void cancelAndRefetch(queryClient, [printLedgerQueryKey]);
  };
  useChannel<PrinterEvents>(
    storeOrdersChannelName(storeId),
    {
      'printer.updated': ({ printer }) => learnPrinter(storeId, printer),
      'print.updated': () => void queryClient.invalidateQueries({ queryKey: [printLedgerQueryKey] }),
    },
    { onCaughtUp: refetchAll },
  );
}

/** The owner's printer calls; each updates the query cache with its result. */
export function usePrinterCalls(storeId: string) {
  const learn = (printer: Printer) => learnPrinter(storeId, printer);
  const learnSecret = ({ secret, ...printer }: PrinterWithSecret) => {
    if (secret !== null) shownPrinterSecrets.set(new Map(shownPrinterSecrets.read()).set(printer.id, secret));
    learn(printer);
  };
  return {
    add: useMutation({
      mutationFn: async (printer: ApiInput<'POST /v1/printers'>) =>
        (await api('POST /v1/printers', printer, { timeout })).data,
      onSuccess: learnSecret,
    }),
    change: useMutation({
      mutationFn: async (change: ApiInput<'PATCH /v1/printers/{id}'>) =>
        (await api('PATCH /v1/printers/{id}', change, { timeout })).data,
      onSuccess: learn,
    }),
    rotate: useMutation({
      mutationFn: async (id: string) => (await api('POST /v1/printers/{id}/rotate-secret', { id }, { timeout })).data,
      onSuccess: learnSecret,
    }),
    test: useMutation({
      mutationFn: async (id: string) => (await api('POST /v1/printers/{id}/test', { id }, { timeout })).data,
      onSuccess: () => queryClient.invalidateQueries({ queryKey: [printLedgerQueryKey] }),
      onError: showPrinterRefusal,
    }),
    again: useMutation({
      mutationFn: ({ order_id: id, copy, printer_id: printerId }: Print & { order_id: string }) =>
        api(
          'POST /v1/orders/{id}/print-receipt',
          { id, printType: copy, both: false, ...(printerId !== null && { printer_id: printerId }) },
          { timeout },
        ),
      onSuccess: () => {
        notify({ id: 'print again', text: m.printing_office_recent_asked() });
        return queryClient.invalidateQueries({ queryKey: [printLedgerQueryKey] });
      },
      onError: showPrinterRefusal,
    }),
  };
}

/** Removes a printer, and offers an undo. Resolves to whether it was removed. */
export async function removePrinter(printer: Printer): Promise<boolean> {
  const { id, store_id: storeId, name } = printer;
  const others = queryClient.getQueryData<Printer[]>(printersKey(storeId)) ?? [];
  const followers = others.filter((other) => other.backup_printer_id === id).map((other) => other.id);
  try {
    await api('DELETE /v1/printers/{id}', { id }, { timeout });
  } catch (error) {
    showPrinterRefusal(error);
    return false;
  }
  learnPrinter(storeId, { id, deleted: true });
  notify({
    id: `printer ${id}`,
    text: m.printing_office_removed({ name }),
    stays: true,
    action: { label: m.platform_undo(), run: () => void restore(printer, followers) },
  });
  return true;
}

async function restore({ id, store_id: storeId, name }: Printer, followers: string[]): Promise<void> {
  try {
    const { data } = await api('POST /v1/printers/{id}/restore', { id, backup_of: followers }, { timeout });
    learnPrinter(storeId, data);
    notify({ id: `printer ${id}`, text: m.printing_office_restored({ name }) });
  } catch (error) {
    showPrinterRefusal(error);
  }
}

export function showPrinterRefusal(error: unknown): void {
  notify({ text: refusalWords(error), tone: 'bad' });
}

function learnPrinter(storeId: string, heard: Printer | { id: string; deleted: true }): void {
  queryClient.setQueryData<Printer[]>(printersKey(storeId), (known) => {
    if (!known) return known;
    if ('deleted' in heard) return known.filter(({ id }) => id !== heard.id);
    return known.some(({ id }) => id === heard.id)
      ? known.map((printer) => (printer.id === heard.id ? heard : printer))
      : [...known, heard].toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  });
}
