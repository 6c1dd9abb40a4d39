import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { storeOrdersChannel } from '#ordering/channels.ts';
import type { Order } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';
import type { Printer } from '#printing/printer.ts';
import { lanPorts } from '#printing/web/lan/lan-ports.ts';
import type { Heard } from '#printing/web/lan/lan-answer.ts';
import { isReachable } from '#printing/web/lan/lan-printer.ts';
import { goRound } from '#printing/web/lan/print-jobs.ts';
import { useChannel } from '#realtime/web/use-channel.ts';

/** Milliseconds between two looks at the printers: a fault is known within fifteen seconds. */
const lookEvery = 10_000;

interface PrintEvents {
  'print.updated': { print: Print };
  /** The copies that an order's step asks for are announced with the order. */
  'order.updated': { order: Order };
}

export interface LanPrinting {
  /** What was heard of each printer last; one that was not asked yet is missing. */
  heard: ReadonlyMap<string, Heard>;
  /** Asks at once. */
  ask: () => void;
}

/**
 * Prints what waits for the printers that boards print on, as long as the component is shown. `isOn`: whether this device
 * is a board of the shop now; otherwise it asks nothing of the network around it.
 */
export function useLanPrinting(storeId: string, printers: readonly Printer[], isOn: boolean): LanPrinting {
  const own = printers.filter((printer) => printer.kind === 'browser' && isReachable(printer));
  const [ports] = useState(() => lanPorts(storeId));
  const reached = useRef(new Set<string>());
  const round = useRef({ isRunning: false, isWanted: false });
  const [heard, setHeard] = useState<ReadonlyMap<string, Heard>>(new Map());

  const go = useEffectEvent(async () => {
    if (!isOn || own.length === 0) return;
    if (round.current.isRunning) {
      round.current.isWanted = true;
      return;
    }
    round.current.isRunning = true;
    do {
      round.current.isWanted = false;
      try {
        setHeard(await goRound(ports, own, reached.current));
      } catch {
        // The shop is not reached: what waits is asked for again with the next look.
      }
    } while (round.current.isWanted);
    round.current.isRunning = false;
  });
  const names = own.map(({ id, address }) => `${id} ${address}`).join();
  useEffect(() => {
    if (!isOn || names === '') return undefined;
    void go();
    const timer = setInterval(() => void go(), lookEvery);
    return () => clearInterval(timer);
  }, [isOn, names]);
  const isForUs = ({ status, printer_id: id }: Print) =>
    status === 'queued' && own.some((printer) => printer.id === id);
  useChannel<PrintEvents>(
    storeOrdersChannel(storeId),
    {
      'print.updated': ({ print }) => {
        if (isForUs(print)) void go();
      },
      'order.updated': ({ order }) => {
        if (order.prints.some(isForUs)) void go();
      },
    },
    { onCaughtUp: () => void go() },
  );
  return { heard, ask: () => void go() };
}
