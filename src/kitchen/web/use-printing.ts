import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { Order } from '#ordering/order.ts';
import type { Print, PrintStatus } from '#ordering/print.ts';
import { api } from '#platform/web/api.ts';
import type { Printing } from '#printing/contract.ts';
import type { Printer } from '#printing/printer.ts';
import { useChannel, usePollingInterval } from '#realtime/web/use-channel.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';

/** The interval of refetches (ms), for missed events, and for prints that become due without an event. */
const askEvery = 60_000;
const keyOf = (storeId: string) => ['printing', storeId];

function usePrintingOf(storeId: string, refetchInterval: number | false) {
  return useQuery({
    queryKey: keyOf(storeId),
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/printing', { id: storeId }, { signal, timeout: 15_000 })).data,
    staleTime: 60_000,
    refetchInterval,
    refetchIntervalInBackground: true,
  });
}

/** Whether the shop has a printer; undefined while unknown. */
export function useHasPrinter(): boolean | undefined {
  const { store } = useBoardControls();
  return usePrintingOf(store.id, false).data?.has_printer;
}

interface PrintingEvents {
  'order.updated': { order: Order };
  'printer.updated': { printer: Printer | { id: string; deleted: true } };
  'print.updated': { print: Print };
}

/** The state of the shop's printing, updated by the store's channel. Only one component per page may use it. */
export function useLivePrinting(storeId: string): Printing | undefined {
  const client = useQueryClient();
  const { data } = usePrintingOf(storeId, usePollingInterval() || askEvery);
  const refetch = () => void cancelAndRefetch(client, keyOf(storeId));
  useChannel<PrintingEvents>(
    storeOrdersChannelName(storeId),
    {
      'printer.updated': ({ printer }) => {
        client.setQueryData<Printing>(keyOf(storeId), (known) => known && withPrinter(known, printer));
        refetch();
      },
      'print.updated': ({ print }) => {
        if (data && concerns(print, data)) refetch();
      },
      'order.updated': ({ order }) => {
        if (data && order.prints.some((print) => concerns(print, data))) refetch();
      },
    },
    { onCaughtUp: refetch },
  );
  return data;
}

const isTroubling: Record<PrintStatus, boolean> = {
  queued: false,
  claimed: false,
  sent: false,
  printed: false,
  failed: true,
  unknown: true,
  expired: true,
};

/** Whether a changed print may change the board's unread prints. */
function concerns(print: Print, { printers, unread }: Printing): boolean {
  if (isTroubling[print.status]) return true;
  if (unread.some(({ id, order_id: orderId }) => id === print.id || orderId === print.order_id)) return true;
  const printer = printers.find(({ id }) => id === print.printer_id);
  return print.status === 'queued' && printer !== undefined && printer.status.fault !== null;
}

function withPrinter(known: Printing, heard: Printer | { id: string; deleted: true }): Printing {
  const others = known.printers.filter(({ id }) => id !== heard.id);
  const printers = 'deleted' in heard ? others : [...others, heard];
  return { ...known, has_printer: printers.length > 0, printers };
}
