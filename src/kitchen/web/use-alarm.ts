import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Alarm, alarmsOf, loudnessAfter } from '#kitchen/board-alarms.ts';
import { ringChime } from '#kitchen/web/chime.ts';
import { useShift } from '#kitchen/web/shift.ts';
import { useShopTime } from '#kitchen/web/shop-clock.ts';
import type { Order } from '#ordering/order.ts';

const heardKey = 'kitchen_alarms_heard';
const REMEMBERED = 500;

export interface BoardAlarm {
  /** What sounds because nobody has acknowledged it. */
  ringing: Alarm[];
  isHeard: (key: string) => boolean;
  /** Ends the sound of these alarms. */
  acknowledge: (keys: readonly string[]) => void;
}

/** Sounds while there is something that nobody on this board has acknowledged, louder with time. */
export function useAlarm(orders: ReadonlyMap<string, Order>): BoardAlarm {
  const shift = useShift();
  const now = useShopTime(5);
  const [heard, setHeard] = useState(readHeard);
  const alarms = useMemo(() => alarmsOf(orders.values(), now), [orders, now]);
  const ringing = alarms.filter((alarm) => !heard.has(alarm.key));
  const isRinging = ringing.length > 0;
  const sounds = isRinging && shift.isOn && shift.sound === 'ready';
  const since = useRef(0);

  useEffect(() => {
    if (isRinging) since.current = Date.now();
  }, [isRinging]);

  useEffect(() => {
    if (!sounds) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const ring = (): void => {
      const { gain, pause } = loudnessAfter((Date.now() - since.current) / 1000);
      ringChime(gain);
      timer = setTimeout(ring, pause * 1000);
    };
    ring();
    return () => clearTimeout(timer);
  }, [sounds]);

  const acknowledge = useCallback((keys: readonly string[]) => {
    setHeard((known) => {
      const next = [...known, ...keys].slice(-REMEMBERED);
      sessionStorage.setItem(heardKey, JSON.stringify(next));
      return new Set(next);
    });
  }, []);
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
