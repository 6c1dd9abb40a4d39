import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import {
  type Alarm,
  type AlarmKind,
  canSilenceAlarm,
  resumesAfterSilence,
  mostUrgentAlarm,
  alarmSilenceMs,
} from '#kitchen/board-alarms.ts';
import { Banner } from '#kitchen/web/board/banner-strip.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { alarmWords } from '#kitchen/web/board-words.ts';
import bannerClasses from '#kitchen/web/board/banner.module.css';
import classes from '#kitchen/web/board/board-banners.module.css';
import { muteShift, startShift, useShift } from '#kitchen/web/board/shift.ts';
import { clockOffsetMs, useShopTime } from '#platform/web/clock.ts';
import type { BoardAlarm } from '#kitchen/web/board/use-alarm.ts';
import { useBoardConnection } from '#kitchen/web/board/use-board-connection.ts';
import { lazy, Suspense } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import type { ChannelState } from '#realtime/web/connection-watch.ts';
import { useChannelState } from '#realtime/web/use-channel.ts';
import type { ServerClockReading } from '#kitchen/contract.ts';

const CardBanner = lazy(async () => ({
  default: (await import('#kitchen/web/board/card-banner.tsx')).CardPaymentsBanner,
}));

interface BannersProps {
  alarm: BoardAlarm;
  unsent: number;
  query: UseQueryResult;
}

export function BoardBanners({ alarm, unsent, query }: BannersProps) {
  const isShopWrong = typeof useClockState()?.ahead_seconds === 'number';
  const offset = Math.round(Math.abs(clockOffsetMs()) / 60_000);
  return (
    <>
      <ConnectionBanner waiting={unsent} query={query} />
      <ClockBanner />
      <SoundBanner />
      <Suspense>
        <CardBanner />
      </Suspense>
      {/* This banner is hidden while the shop's clock is wrong, because the device's clock may be the right one. */}
      {offset >= 1 && !isShopWrong && <Banner icon="clock">{m.kitchen_board_clock_wrong({ minutes: offset })}</Banner>}
      {alarm.ringing.length > 0 && <RingingBanner alarm={alarm} />}
    </>
  );
}

/**
 * The banner of the sounding alarms, with a link to the most urgent order. In an order's last minute only an answer
 * silences its alarm.
 */
function RingingBanner({ alarm }: { alarm: BoardAlarm }) {
  const { showOrder, store } = useBoardControls();
  const now = useShopTime(1);
  const quietable = alarm.ringing.filter((each) => canSilenceAlarm(each, now));
  const last = alarm.ringing.length - quietable.length;
  const words = ringingWords(alarm);
  const orderId = mostUrgentAlarm(alarm.ringing.filter((each) => each.orderId !== null))?.orderId ?? null;
  return (
    <div className={bannerClasses.banner} data-tone="ringing" role="alert">
      <span className={classes.bell}>
        <Icon name="bell" size="1.75em" />
      </span>
      <strong className={bannerClasses.words} data-words>
        {last > 0 ? m.kitchen_board_alarm_last({ words, count: last }) : words}
      </strong>
      {quietable.length > 0 && (
        <Button
          variant="white"
          color="dark"
          data-acknowledge
          onClick={() => {
            alarm.acknowledge(quietable.map(({ key }) => key));
            void reportAcknowledged(store.id, quietable);
          }}
        >
          <span className={classes.heardIt}>
            {m.kitchen_board_silence()}{' '}
            {quietable.some((each) => resumesAfterSilence(each, now)) && (
              <small>{m.kitchen_board_silence_hint({ minutes: alarmSilenceMs / 60_000 })}</small>
            )}
          </span>
        </Button>
      )}
      {orderId !== null && (
        <Button variant="outline" className={classes.show} onClick={() => showOrder(orderId)}>
          {m.kitchen_board_show()}
        </Button>
      )}
    </div>
  );
}

const connectionWords: Record<Exclude<ChannelState, 'connected'>, () => string> = {
  initialized: m.kitchen_board_connection_initialized,
  connecting: m.kitchen_board_connection_connecting,
  unavailable: m.kitchen_board_connection_unavailable,
  failed: m.kitchen_board_connection_failed,
  disconnected: m.kitchen_board_connection_disconnected,
  unsubscribed: m.kitchen_board_connection_unsubscribed,
};

function ConnectionBanner({ waiting, query }: { waiting: number; query: UseQueryResult }) {
  const { store } = useBoardControls();
  const state = useChannelState(storeOrdersChannelName(store.id));
  const line = useBoardConnection(store.id);
  const isStale = query.isError;
  const isDead = line === 'dead';
  const isBroken = isDead || state !== 'connected';
  if (!isBroken && waiting === 0 && !isStale) return null;
  // The library still reports a half-open connection as connected.
  const said = isDead && isHopeful(state) ? 'unavailable' : state;
  const time = timeWords(new Date(query.dataUpdatedAt), store.timezone);
  return (
    <Banner icon="offline" tone={isDead || isStale ? 'bad' : 'plain'}>
      {isStale ? (
        <span>{m.kitchen_board_connection_stale({ time })}</span>
      ) : (
        isBroken && said !== 'connected' && <span>{connectionWords[said]()}</span>
      )}{' '}
      {waiting > 0 && (
        <strong className={classes.queue} data-waiting={waiting}>
          {m.kitchen_board_queue({ count: waiting })}
        </strong>
      )}
    </Banner>
  );
}

function isHopeful(state: ChannelState): boolean {
  return state === 'connected' || state === 'connecting' || state === 'initialized';
}

function SoundBanner() {
  const shift = useShift();
  if (!shift.isOn) return <Banner icon="bellOff">{m.kitchen_board_shift_off()}</Banner>;
  if (shift.sound === 'locked') {
    return (
      <Banner
        icon="bellOff"
        tone="bad"
        buttons={
          <Button variant="white" color="dark" onClick={() => void startShift()}>
            {m.kitchen_board_sound_unlock()}
          </Button>
        }
      >
        {m.kitchen_board_sound_locked()}
      </Banner>
    );
  }
  if (shift.sound === 'muted') {
    return (
      <Banner
        icon="bellOff"
        tone="bad"
        buttons={
          <Button variant="white" color="dark" onClick={() => muteShift(false)}>
            {m.kitchen_board_unmute()}
          </Button>
        }
      >
        {m.kitchen_board_sound_muted()}
      </Banner>
    );
  }
  return shift.isScreenAwake ? null : <Banner icon="moon">{m.kitchen_board_shift_sleeps()}</Banner>;
}

/**
 * Reports to the shop that staff acknowledged these orders' alarms, so that the owner's alert mentions the
 * acknowledgement.
 */
async function reportAcknowledged(id: string, alarms: readonly Alarm[]): Promise<void> {
  const order_ids = alarms.flatMap(({ kind, orderId }) => (kind === 'new' && orderId !== null ? [orderId] : []));
  if (order_ids.length === 0) return;
  await api('POST /v1/stores/{id}/heard', { id, order_ids: order_ids.slice(0, 200) }, { timeout: 15_000 }).catch(
    () => undefined,
  );
}

function ringingWords({ ringing, unanswered }: BoardAlarm): string {
  const kinds: AlarmKind[] = ['line', 'allergy', 'stop', 'new', 'payment', 'arrived', 'complaint', 'printer', 'print'];
  return kinds
    .map((kind) => ({ kind, count: ringing.filter((alarm) => alarm.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => alarmWords[kind]({ count: kind === 'new' ? unanswered : count }))
    .join(', ');
}

const key = ['clock'];
/** Milliseconds between two requests for the state of the shop's clock. */
const askEvery = 5_000;

function useClockState(): ServerClockReading | undefined {
  const { store } = useBoardControls();
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await api('GET /v1/stores/{id}/clock', { id: store.id })).data,
    refetchInterval: askEvery,
  });
  return data;
}

/** Warns that the shop's clock has jumped. No order is rejected automatically until somebody confirms the time. */
function ClockBanner() {
  const { store } = useBoardControls();
  const queries = useQueryClient();
  const state = useClockState();
  const confirm = useMutation({
    mutationFn: async () => (await api('POST /v1/stores/{id}/clock/confirm', { id: store.id })).data,
    onSuccess: (confirmed) => queries.setQueryData(key, confirmed),
  });
  if (!state || state.ahead_seconds === null) return null;
  const now = new Date(state.now);
  const time = `${timeWords(now, store.timezone)}, ${dateWords(now, store.timezone)}`;
  const words = state.ahead_seconds > 0 ? m.kitchen_board_clock_ahead : m.kitchen_board_clock_back;
  return (
    <Banner
      icon="clock"
      tone="bad"
      isAsking
      buttons={
        <Button variant="white" color="dark" loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {m.kitchen_board_clock_confirm()}
        </Button>
      }
    >
      {words({ by: lengthWords(Math.abs(state.ahead_seconds)), time })}{' '}
      {confirm.isError && <strong>{m.kitchen_board_clock_failed()}</strong>}
    </Banner>
  );
}

function lengthWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120
    ? m.kitchen_board_clock_minutes({ count: minutes })
    : m.kitchen_board_clock_hours({ count: Math.round(minutes / 60) });
}
