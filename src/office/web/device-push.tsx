import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { parseUserAgent } from '#accounts/devices.ts';
import { m } from '#messages';
import classes from '#office/web/device-push.module.css';
import { api } from '#platform/web/api.ts';
import type { PushDevice } from '#push/contract.ts';
import {
  PushRefusedError,
  type PushState,
  pushState,
  PushUnavailableError,
  subscribeDevice,
} from '#push/web/this-device.ts';
import { notify } from '#ui/web/notify.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';

const devicesKey = ['push-devices'];
const withTimeout = { timeout: 20_000 };

/**
 * A dialog in which the signed-in person turns on push notifications of new orders on this device. While an order board
 * is on, the server sends no notifications.
 */
export function DevicePushDialog({ onClose }: { onClose: () => void }) {
  const devices = useQuery({
    queryKey: devicesKey,
    queryFn: async ({ signal }) => (await api('GET /v1/push/devices', {}, { signal, ...withTimeout })).data,
  });
  const told = devices.data?.filter(({ new_orders: isTold }) => isTold) ?? [];
  return (
    <Dialog opened onClose={onClose} title={m.office_push_title()}>
      {devices.isPending && <LoadingState />}
      {devices.isError && <OfficeLoadFailure error={devices.error} onRetry={() => void devices.refetch()} />}
      {devices.data && (
        <div className={classes.content}>
          <p>{m.office_push_words()}</p>
          <ThisDevice device={told.find(({ is_current: isCurrent }) => isCurrent)} />
          {told.some(({ is_current: isCurrent }) => !isCurrent) && (
            <OtherDevices devices={told.filter(({ is_current: isCurrent }) => !isCurrent)} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function ThisDevice({ device }: { device: PushDevice | undefined }) {
  const change = useChange();
  const state = pushState();
  if (state !== 'unasked' && state !== 'allowed') return <p role="status">{hindrances[state]()}</p>;
  if (!device) {
    return (
      <div className={classes.buttons}>
        <Button loading={change.isPending} onClick={() => change.mutate(turnOn)}>
          {m.office_push_turn_on()}
        </Button>
      </div>
    );
  }
  const { id } = device;
  const test = async () => {
    await api('POST /v1/push/devices/{id}/test', { id }, withTimeout);
    notify({ text: m.office_push_test_sent() });
  };
  return (
    <>
      <p role="status" className={classes.state}>
        {m.office_push_is_on()}
      </p>
      <div className={classes.buttons}>
        <Button loading={change.isPending} onClick={() => change.mutate(test)}>
          {m.office_push_test()}
        </Button>
        <Button variant="default" disabled={change.isPending} onClick={() => change.mutate(() => turnOff(id))}>
          {m.office_push_turn_off()}
        </Button>
      </div>
    </>
  );
}

function OtherDevices({ devices }: { devices: readonly PushDevice[] }) {
  const change = useChange();
  return (
    <section aria-labelledby="push-others" className={classes.others}>
      <h3 id="push-others">{m.office_push_others()}</h3>
      {devices.map(({ id, user_agent: agent }) => {
        const name = Object.values(parseUserAgent(agent)).filter(Boolean).join(', ') || m.office_push_unknown_device();
        return (
          <div key={id} className={classes.other}>
            <span>{name}</span>
            <Button
              variant="subtle"
              disabled={change.isPending}
              aria-label={m.office_push_turn_off_at({ name })}
              onClick={() => change.mutate(() => turnOff(id))}
            >
              {m.office_push_turn_off()}
            </Button>
          </div>
        );
      })}
    </section>
  );
}

const hindrances: Record<Exclude<PushState, 'unasked' | 'allowed'>, () => string> = {
  refused: m.office_push_refused,
  needs_home_screen: m.office_push_home_screen,
  unable: m.office_push_unable,
};

function useChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => {
      const isHere = error instanceof PushRefusedError || error instanceof PushUnavailableError;
      notify({ text: isHere ? m.office_push_not_now() : refusalWords(error), tone: 'bad' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: devicesKey }),
  });
}

async function turnOn(): Promise<void> {
  const subscription = await subscribeDevice();
  await api('POST /v1/push/devices', { subscription, new_orders: true }, withTimeout);
}

async function turnOff(id: string): Promise<void> {
  await api('DELETE /v1/push/devices/{id}', { id }, withTimeout);
}
