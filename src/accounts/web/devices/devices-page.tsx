import { Badge, Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import type { Device } from '#accounts/device-contract.ts';
import { formatDeviceCode } from '#accounts/devices.ts';
import classes from '#accounts/web/devices/devices.module.css';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { api, type ApiAnswer } from '#platform/web/api.ts';
import { useNow } from '#platform/web/clock.ts';
import { isReachableByOthers } from '#platform/web/shop-origin.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { EmptyState, OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { QrCode } from '#ui/web/qr-code.tsx';

const key = ['devices'];
const withTimeout = { timeout: 20_000 };
/** Milliseconds without a heartbeat after which a device counts as away. */
const awayAfter = 3 * 60_000;
const notifyRefusal = (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' });

export function DevicesPage({ store }: { store: Store }) {
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api('GET /v1/devices', {}, { signal, ...withTimeout })).data,
    refetchInterval: 10_000,
  });
  const own = query.data?.filter((device) => device.store_id === store.id) ?? [];
  return (
    <OfficePage title={m.office_page_devices()} hint={m.accounts_devices_hint()}>
      <NewDevice store={store} known={own.length} />
      {query.isPending && <LoadingState />}
      {query.isError && !query.data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && own.length === 0 && <EmptyState title={m.accounts_devices_none()} />}
      <ul className={classes.list}>
        {own.map((device) => (
          <li key={device.id} className={classes.panel} aria-label={device.name}>
            <DeviceRow device={device} store={store} />
          </li>
        ))}
      </ul>
    </OfficePage>
  );
}

type Code = ApiAnswer<'POST /v1/devices/codes'>['data'];

function NewDevice({ store, known }: { store: Store; known: number }) {
  const [made, setMade] = useState<{ code: Code; known: number } | null>(null);
  const [name, setName] = useState('');
  const [station, setStation] = useState('');
  const make = useMutation({
    mutationFn: async () =>
      (await api('POST /v1/devices/codes', { store_id: store.id, name, station }, withTimeout)).data,
    onSuccess: (code) => setMade({ code, known }),
    onError: notifyRefusal,
  });
  const now = useNow();
  const send = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  const isUsed = made !== null && known > made.known;
  const isOld = made !== null && Date.parse(made.code.expires_at) <= now.getTime();
  if (made && !isUsed && !isOld) {
    return (
      <section className={classes.panel} aria-label={m.accounts_device_add()}>
        <h2>{m.accounts_device_scan()}</h2>
        <div className={classes.code}>
          <QrCode text={made.code.url} label={m.accounts_device_qr()} />
          <div>
            <p>{m.accounts_device_scan_app()}</p>
            <p>{m.accounts_device_scan_browser({ address: made.code.url.split('#')[0] ?? '' })}</p>
            {!isReachableByOthers(made.code.url) && (
              <p role="alert">{m.accounts_device_no_https({ address: new URL(made.code.url).origin })}</p>
            )}
            <p className={classes.spelt}>{formatDeviceCode(made.code.code)}</p>
            <p className={classes.soft}>
              {m.accounts_device_valid({ time: timeWords(made.code.expires_at, store.timezone) })}
            </p>
          </div>
        </div>
        <Group>
          <Button variant="default" onClick={() => setMade(null)}>
            {m.platform_close()}
          </Button>
        </Group>
      </section>
    );
  }
  return (
    <form className={classes.panel} onSubmit={send} aria-label={m.accounts_device_add()}>
      <h2>{m.accounts_device_add()}</h2>
      {isUsed && <output>{m.accounts_device_added()}</output>}
      {isOld && !isUsed && <p role="alert">{m.accounts_device_too_late()}</p>}
      <div className={classes.fields}>
        <TextInput
          label={m.accounts_device_name()}
          placeholder={m.accounts_device_name_example()}
          value={name}
          maxLength={60}
          required
          onChange={({ target }) => setName(target.value)}
        />
        <TextInput
          label={m.accounts_device_station()}
          description={m.accounts_device_station_hint()}
          value={station}
          maxLength={40}
          onChange={({ target }) => setStation(target.value)}
        />
      </div>
      <Group>
        <Button type="submit" loading={make.isPending} disabled={name.trim() === ''}>
          {m.accounts_device_make_code()}
        </Button>
      </Group>
    </form>
  );
}

function DeviceRow({ device, store }: { device: Device; store: Store }) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const [draft, setDraft] = useState<{ name: string; station: string } | null>(null);
  const change = useMutation({
    mutationFn: (next: { name: string; station: string }) =>
      api('PATCH /v1/devices/{id}', { id: device.id, ...next }, withTimeout),
    onSuccess: () => setDraft(null),
    onError: notifyRefusal,
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: () => api('DELETE /v1/devices/{id}', { id: device.id }, withTimeout),
    onSuccess: () => notify({ text: m.accounts_device_revoked({ name: device.name }) }),
    onError: notifyRefusal,
    onSettled,
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.accounts_device_revoke_title({ name: device.name }),
      body: m.accounts_device_revoke_means(),
      action: m.accounts_device_revoke(),
      isDangerous: true,
    });
    if (isSure) revoke.mutate();
  };
  const isGone = device.revoked_at !== null;
  return (
    <>
      <div className={classes.head}>
        <h2>
          {device.name} {device.station && <Badge variant="outline">{device.station}</Badge>}{' '}
          <Presence device={device} />
        </h2>
        {!isGone && (
          <Group gap="xs">
            <Button variant="default" onClick={() => setDraft({ name: device.name, station: device.station })}>
              {m.accounts_device_change()}
            </Button>
            <Button variant="subtle" color="bad" loading={revoke.isPending} onClick={() => void ask()}>
              {m.accounts_device_revoke()}
            </Button>
          </Group>
        )}
      </div>
      {draft && !isGone && (
        <form
          className={classes.fields}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(draft);
          }}
        >
          <TextInput
            label={m.accounts_device_name()}
            value={draft.name}
            maxLength={60}
            required
            onChange={({ target }) => setDraft({ ...draft, name: target.value })}
          />
          <TextInput
            label={m.accounts_device_station()}
            value={draft.station}
            maxLength={40}
            onChange={({ target }) => setDraft({ ...draft, station: target.value })}
          />
          <Group gap="xs">
            <Button type="submit" loading={change.isPending} disabled={draft.name.trim() === ''}>
              {m.accounts_device_save()}
            </Button>
            <Button variant="default" onClick={() => setDraft(null)}>
              {m.platform_cancel()}
            </Button>
          </Group>
        </form>
      )}
      <p className={classes.soft}>{conditionWords(device, store).join(' · ')}</p>
    </>
  );
}

function Presence({ device }: { device: Device }) {
  const now = useNow();
  if (device.revoked_at !== null) return <Badge variant="outline">{m.accounts_device_gone()}</Badge>;
  const isHere = now.getTime() - Date.parse(device.last_seen_at) < awayAfter;
  return (
    <Badge variant="light" color={isHere ? 'good' : 'bad'}>
      {isHere ? m.accounts_device_here() : m.accounts_device_away()}
    </Badge>
  );
}

function conditionWords(device: Device, store: Store): string[] {
  const { battery, is_charging: isCharging, wifi, version, last_seen_at: at, kind } = device;
  const seen = `${dateWords(at, store.timezone)}, ${timeWords(at, store.timezone)}`;
  return [
    kind === 'tablet' ? m.accounts_device_tablet() : m.accounts_device_browser(),
    m.accounts_device_seen({ at: seen }),
    ...(battery === null ? [] : [m.accounts_device_battery({ percent: battery })]),
    ...(isCharging === null ? [] : [isCharging ? m.accounts_device_charging() : m.accounts_device_not_charging()]),
    ...(wifi === null ? [] : [m.accounts_device_wifi({ bars: wifi })]),
    ...(version === null ? [] : [m.accounts_device_app({ version })]),
  ];
}
