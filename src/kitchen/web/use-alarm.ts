import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Alarm, alarmsOf, type Heard, loudnessOf, printingAlarms, ringingOf } from '#kitchen/board-alarms.ts';
import { ringChime } from '#kitchen/web/chime.ts';
import { useShift } from '#kitchen/web/shift.ts';
import { shopNow, useShopTime } from '#platform/web/clock.ts';
import type { Order } from '#ordering/order.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import type { Printing } from '#printing/contract.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import { useChannel, useTell } from '#realtime/web/use-channel.ts';

const heardKey = 'kitchen_alarms_heard';
const REMEMBERED = 500;

export interface BoardAlarm {
  /** The alarms that are sounding because nobody has acknowledged or answered them. */
  ringing: Alarm[];
  isHeard: (key: string) => boolean;
  /** Silences these alarms for a while. */
  acknowledge: (keys: readonly string[]) => void;
}

/** Sounds unless the alarm was acknowledged recently, on this board or another one of the store. */
export function useAlarm(
  storeId: string,
  orders: ReadonlyMap<string, Order>,
  printing: Printing | undefined,
): BoardAlarm {
  const shift = useShift();
  const now = useShopTime(5);
  const [heard, setHeard] = useState(readHeard);
  const alarms = useMemo(
    () => [...alarmsOf(orders.values(), now), ...(printing ? printingAlarms(printing) : [])],
    [orders, printing, now],
  );
  const ringing = useMemo(() => ringingOf(alarms, heard, now), [alarms, heard, now]);
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
      const { gain, pause } = loudnessOf(latest.current, shopNow());
      if (!nativeShell().ring(gain, pause)) ringChime(gain);
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
  const channel = storeOrdersChannel(storeId);
  const tell = useTell(channel);
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
  return { ringing, isHeard, acknowledge };
}

function readHeard(): Heard {
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
