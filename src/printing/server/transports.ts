import { createNetworkTransport } from '#printing/server/network/network-transport.ts';
import { createSystemTransport } from '#printing/server/system/system-transport.ts';
import type { KnownPrinters, Transports } from '#printing/server/transport.ts';

/** Every way on which the server itself sends jobs to printers. */
export function createTransports(
  { PRINTER_SIMULATOR: allowsOwnMachine }: { PRINTER_SIMULATOR: boolean },
  printers: Pick<KnownPrinters, 'heard'>,
): Transports {
  return {
    network: createNetworkTransport({ allowsOwnMachine, onCondition: printers.heard }),
    system: createSystemTransport(),
  };
}
