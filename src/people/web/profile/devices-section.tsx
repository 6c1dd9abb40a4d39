import { useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import type { SignIn } from '#accounts/contract.ts';
import { deviceName } from '#accounts/devices.ts';
import { Section } from '#people/web/profile/section.tsx';
import { signOutEverywhere } from '#accounts/web/sign-in-and-out.ts';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { failureOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

export const devicesKey = ['sign-ins'];

/** Where the person is signed in; each can be ended, and all at once. */
export function DevicesSection() {
  const queries = useQueryClient();
  const devices = useQuery({
    queryKey: devicesKey,
    queryFn: async ({ signal }) => (await api('GET /v1/auth/sign-ins', {}, { signal, timeout: 20_000 })).data,
  });
  const tell = (error: unknown) => notify({ text: failureOf(error).message ?? m.platform_internal() });
  const end = (id: string) => {
    api('DELETE /v1/auth/sign-ins/{id}', { id }, { timeout: 20_000 })
      .then(() => notify({ text: m.people_device_ended() }))
      .then(() => queries.invalidateQueries({ queryKey: devicesKey }))
      .catch(tell);
  };
  const endAll = () => {
    signOutEverywhere()
      .then(() => navigate('/'))
      .catch(tell);
  };
  return (
    <Section title={m.people_devices()} hint={m.people_devices_hint()}>
      {devices.isPending && (
        <div aria-hidden="true" className="grid gap-3">
          <div className="skeleton h-16" />
          <div className="skeleton h-16" />
        </div>
      )}
      {devices.isError && (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{failureOf(devices.error).message ?? m.platform_internal()}</p>
          <button type="button" className="btn btn-quiet" onClick={() => void devices.refetch()}>
            {m.platform_retry()}
          </button>
        </div>
      )}
      {devices.data && (
        <>
          <ul className="grid gap-3">
            {devices.data.map((device) => (
              <Device key={device.id} device={device} onEnd={() => end(device.id)} />
            ))}
          </ul>
          <div>
            <button type="button" className="btn btn-danger" onClick={endAll}>
              {m.people_sign_out_everywhere()}
            </button>
          </div>
        </>
      )}
    </Section>
  );
}

function Device({ device, onEnd }: { device: SignIn; onEnd: () => void }) {
  const { browser, system } = deviceName(device.user_agent);
  const name =
    browser && system ? m.people_device({ browser, system }) : (browser ?? system ?? m.people_device_unknown());
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-box border border-line p-3">
      <div>
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-ink-soft">
          {device.is_current
            ? m.people_device_this()
            : m.people_device_last_used({ date: dateWords(device.last_used_at, timeZone) })}
        </p>
      </div>
      {!device.is_current && (
        <button type="button" className="link min-h-11" onClick={onEnd}>
          {m.people_device_end()}
          <span className="sr-only"> {name}</span>
        </button>
      )}
    </li>
  );
}
