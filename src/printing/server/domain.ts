import type { FastifyInstance } from 'fastify';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { printingEndpoints } from '#printing/contract.ts';
import { createEncoder } from '#printing/server/encode-job.ts';
import { createPrintLeases } from '#printing/server/leases.ts';
import { createOrderPrintEffects } from '#printing/server/order-prints.ts';
import type { PrintingServices } from '#printing/server/services.ts';
import type { CachedPrinters, Transports } from '#printing/server/transport.ts';
import type { OrderPrintEffects } from '#ordering/server/services.ts';
import { printerFaultAlerts } from '#printing/server/alert-faults.ts';
import { startPaperRetention } from '#printing/server/print-views.ts';
import { printingHandlers } from '#printing/server/handlers.ts';
import { printSweeps } from '#printing/server/sweep-prints.ts';
import { serveCloudPrnt } from '#printing/server/polling/cloudprnt.ts';
import { serveEpsonPolls } from '#printing/server/polling/epson-polls.ts';
import { printerEventMaker, makePrintEvents } from '#printing/server/print-events.ts';
import { startSendingPrints } from '#printing/server/send-prints.ts';
import { createNetworkTransport } from '#printing/server/network/network-transport.ts';
import { createCupsTransport } from '#printing/server/system/system-transport.ts';

type Used<F extends (...args: never[]) => unknown> = Parameters<F>[0];
type Services = Used<typeof printingHandlers> &
  Used<typeof printSweeps> &
  Used<typeof printerFaultAlerts> &
  Used<typeof startSendingPrints> &
  Used<typeof startPaperRetention>;

/** `transports`: the functions that send jobs to printers; tests replace them. */
export function openPrinting(
  services: Omit<PrintingServices, 'clock' | 'encode' | 'leases' | 'transports'> &
    Parameters<typeof createPrintLeases>[0] & { config: Parameters<typeof createTransports>[0] },
  transports: Transports = createTransports(services.config, services.printers),
): Pick<PrintingServices, 'encode' | 'leases' | 'printers'> & { prints: OrderPrintEffects; transports: Transports } {
  return {
    encode: createEncoder(services),
    leases: createPrintLeases(services),
    printers: services.printers,
    prints: createOrderPrintEffects(services),
    transports,
  };
}

export const printingDomain = {
  name: 'printing',
  calls: [endpointRegistration(printingEndpoints, printingHandlers)],
  routes(http: FastifyInstance, services: Services) {
    serveCloudPrnt(http, services);
    serveEpsonPolls(http, services);
  },
  events: ({ config }: { config: Parameters<typeof printerEventMaker>[0] }) => ({
    print: makePrintEvents,
    printer: printerEventMaker(config),
  }),
  start(services: Services, parts: ServerParts) {
    parts.add('papers', startPaperRetention(services));
    const sending = parts.add('sending prints', startSendingPrints(services));
    return [sending.due];
  },
  work: (services: Services) => [...printSweeps(services), printerFaultAlerts(services)],
};

function createTransports(
  { PRINTER_SIMULATOR: allowsOwnMachine }: { PRINTER_SIMULATOR: boolean },
  printers: Pick<CachedPrinters, 'heard'>,
): Transports {
  return {
    network: createNetworkTransport({ allowsOwnMachine, onCondition: printers.heard }),
    system: createCupsTransport(),
  };
}
