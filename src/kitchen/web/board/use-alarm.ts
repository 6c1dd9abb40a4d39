import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Alarm,
  orderAlarms,
  type AcknowledgedAlarms,
  complaintAlarms,
  connectionAlarms,
  loudnessOfAlarms,
  printingAlarms,
  soundingAlarms,
} from '#kitchen/board-alarms.ts';
import type { OrderComplaint } from '#complaints/contract.ts';
import { ringOrderChime, playConnectionLostTone, useShift } from '#kitchen/web/board/shift.ts';
import { shopNow, useShopTime } from '#platform/web/clock.ts';
import type { Order } from '#ordering/order.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { Printing } from '#printing/contract.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { useChannel, useSendEvent } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

const heardKey = 'kitchen_alarms_heard';
const REMEMBERED = 500;

export interface BoardAlarm {
  /** The alarms that sound now: never acknowledged, or resumed after their silence. */
  ringing: Alarm[];
  /** The number of unanswered orders, including acknowledged ones. */
  unanswered: number;
  isHeard: (key: string) => boolean;
  acknowledge: (keys: readonly string[]) => void;
}

/**
 * Sounds the board's alarms, unless this or another board of the store acknowledged them recently. `lostSince`: since
 * when the connection counts as lost (epoch ms); null: it does not.
 */
export function useAlarm(
  store: Store,
  orders: ReadonlyMap<string, Order>,
  printing: Printing | undefined,
  lostSince: number | null,
  openedAt: number,
  complaints: readonly OrderComplaint[],
): BoardAlarm {
  const shift = useShift();
  const now = useShopTime(5);
  const [heard, setHeard] = useState(readHeard);
  const alarms = useMemo(
    () => [
      ...orderAlarms(orders.values(), now, openedAt),
      ...(printing ? printingAlarms(printing) : []),
      ...connectionAlarms(lostSince, store, orders, now),
      ...complaintAlarms(complaints, store, now, Math.max(openedAt, shift.startedAt)),
    ],
    [orders, printing, lostSince, store, now, openedAt, shift.startedAt, complaints],
  );
  const ringing = useMemo(() => soundingAlarms(alarms, heard, now), [alarms, heard, now]);
  const isRinging = ringing.length > 0;
  const sounds = isRinging && shift.isOn && shift.sound === 'ready';
  const latest = useRef(ringing);
  useEffect(() => {
    latest.current = ringing;
  });

  useEffect(() => {
    if (!sounds) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const ring = (): void => {
      const { gain, pause } = loudnessOfAlarms(latest.current, shopNow());
      sound(latest.current, gain, pause);
      timer = setTimeout(ring, pause * 1000);
    };
    ring();
    return () => {
      clearTimeout(timer);
      nativeShell().ring(0, 0);
    };
  }, [sounds]);

  const hear = useCallback((keys: readonly string[]) => {
    setHeard((known) => {
      const at = shopNow();
      const others = [...known].filter(([key]) => !keys.includes(key));
      const next = [...others, ...keys.map((key) => [key, at] as const)].slice(-REMEMBERED);
      sessionStorage.setItem(heardKey, JSON.stringify(next));
      return new Map(next);
    });
  }, []);
  const channel = storeOrdersChannelName(store.id);
  const tell = useSendEvent(channel);
  useChannel<{ 'client-heard': { keys?: unknown } }>(channel, {
    'client-heard': ({ keys }) => {
      if (Array.isArray(keys)) hear(keys.filter((key) => typeof key === 'string').slice(0, REMEMBERED));
    },
  });
  const acknowledge = useCallback(
    (keys: readonly string[]) => {
      hear(keys);
      tell('client-heard', { keys });
    },
    [hear, tell],
  );
  const isHeard = useCallback((key: string) => heard.has(key), [heard]);
  const unanswered = alarms.filter(({ kind }) => kind === 'new').length;
  return { ringing, unanswered, isHeard, acknowledge };
}

/**
 * Sounds the alarms once. In the app the bell has the tablet's alarm volume. The tone of a lost connection follows the
 * bell.
 */
function sound(ringing: readonly Alarm[], gain: number, pause: number): void {
  const isLost = ringing.some(({ kind }) => kind === 'line');
  const hasOthers = ringing.some(({ kind }) => kind !== 'line');
  const isByApp = nativeShell().ring(gain, pause);
  if (hasOthers && !isByApp) ringOrderChime(gain);
  if (isLost) playConnectionLostTone(gain, hasOthers || isByApp);
}

function readHeard(): AcknowledgedAlarms {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(heardKey) ?? '[]');
    return new Map(Array.isArray(kept) ? kept.filter(isHeardEntry) : []);
  } catch {
    return new Map();
  }
}

function isHeardEntry(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
