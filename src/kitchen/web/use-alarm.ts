import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Alarm, alarmsOf, loudnessAfter } from '#kitchen/board-alarms.ts';
import { ringChime } from '#kitchen/web/chime.ts';
import { useShift } from '#kitchen/web/shift.ts';
import { shopNow, useShopTime } from '#kitchen/web/shop-clock.ts';
import type { Order } from '#ordering/order.ts';
import { storeOrdersChannel } from '#realtime/channels.ts';
import { useChannel, useTell } from '#realtime/web/use-channel.ts';

const heardKey = 'kitchen_alarms_heard';
const REMEMBERED = 500;

export interface BoardAlarm {
  /** What sounds because nobody has acknowledged it. */
  ringing: Alarm[];
  isHeard: (key: string) => boolean;
  /** Ends the sound of these alarms. */
  acknowledge: (keys: readonly string[]) => void;
}

/** Sounds while there is something that nobody has acknowledged, on this board or another one of the store; louder with time. */
export function useAlarm(storeId: string, orders: ReadonlyMap<string, Order>): BoardAlarm {
  const shift = useShift();
  const now = useShopTime(5);
  const [heard, setHeard] = useState(readHeard);
  const alarms = useMemo(() => alarmsOf(orders.values(), now), [orders, now]);
  const ringing = alarms.filter((alarm) => !heard.has(alarm.key));
  const isRinging = ringing.length > 0;
  const sounds = isRinging && shift.isOn && shift.sound === 'ready';
  const since = useRef(0);
  useEffect(() => {
    since.current = Math.min(...ringing.map((alarm) => alarm.since));
  });

  useEffect(() => {
    if (!sounds) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const ring = (): void => {
      const { gain, pause } = loudnessAfter((shopNow() - since.current) / 1000);
      ringChime(gain);
      timer = setTimeout(ring, pause * 1000);
    };
    ring();
    return () => clearTimeout(timer);
  }, [sounds]);

  const hear = useCallback((keys: readonly string[]) => {
    setHeard((known) => {
      const next = [...new Set([...known, ...keys])].slice(-REMEMBERED);
      sessionStorage.setItem(heardKey, JSON.stringify(next));
      return new Set(next);
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

function readHeard(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(heardKey) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []);
  } catch {
    return new Set();
  }
}
