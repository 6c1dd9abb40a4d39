import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Banner } from '#kitchen/web/board/banner.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import type { ClockState } from '#kitchen/contract.ts';
import classes from '#kitchen/web/board/clock-banner.module.css';
import { m } from '#messages';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';

const key = ['clock'];
/** Milliseconds between two checks: people would not notice a wrong clock for hours. */
const askEvery = 5_000;

/** How the shop's clock has jumped; undefined while unknown. */
export function useClockState(): ClockState | undefined {
  const { store } = useBoardControls();
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await api('GET /v1/stores/{id}/clock', { id: store.id })).data,
    refetchInterval: askEvery,
  });
  return data;
}

/** The shop's clock has jumped: no order is rejected automatically until somebody confirms the time. */
export function ClockBanner() {
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
    <Banner icon="clock" tone="bad">
      <div className={classes.asking}>
        <span>{words({ by: lengthWords(Math.abs(state.ahead_seconds)), time })}</span>
        {confirm.isError && <strong>{m.kitchen_board_clock_failed()}</strong>}
        <Button variant="white" color="dark" loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {m.kitchen_board_clock_confirm()}
        </Button>
      </div>
    </Banner>
  );
}

/** In minutes up to two hours, in hours beyond. */
function lengthWords(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120
    ? m.kitchen_board_clock_minutes({ count: minutes })
    : m.kitchen_board_clock_hours({ count: Math.round(minutes / 60) });
}
