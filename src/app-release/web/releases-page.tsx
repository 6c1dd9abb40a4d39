import { Badge, Button, Group, TextInput } from '@mantine/core';
import { m } from '#messages';
import type { AppRelease, PlaySigning as Signing, VersionInUse } from '#app-release/contract.ts';
import { type AppPlatform, appPlatforms, formatFingerprint } from '#app-release/release-rules.ts';
import { AppFileFacts, UploadForm, useReleaseCalls, useReleases } from '#app-release/web/upload-form.tsx';
import classes from '#app-release/web/releases.module.css';
import { dateWords } from '#platform/date-words.ts';
import { isReachableByOthers, shopOrigin } from '#platform/web/shop-origin.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { QrCode } from '#ui/web/qr-code.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#platform/web/api.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';

export function AppReleasesPage({ store }: { store: Store }) {
  const query = useReleases();
  const { data } = query;
  return (
    <OfficePage title={m.office_page_releases()} hint={m.app_release_hint()}>
      {!isReachableByOthers(shopOrigin()) && (
        <p className={classes.notice}>{m.app_release_https({ address: shopOrigin() })}</p>
      )}
      {query.isPending && <LoadingState />}
      {query.isError && !data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {data &&
        appPlatforms.map((platform) => (
          <Platform
            key={platform}
            platform={platform}
            store={store}
            releases={data.releases.filter((release) => release.platform === platform)}
            usage={data.usage.filter((version) => version.platform === platform)}
          />
        ))}
    </OfficePage>
  );
}

interface PlatformProps {
  platform: AppPlatform;
  store: Store;
  releases: AppRelease[];
  usage: VersionInUse[];
}

function Platform({ platform, store, releases, usage }: PlatformProps) {
  const title = platform === 'android' ? m.app_release_customers_app() : m.app_release_kitchen_app();
  const current = releases.find((release) => release.is_current);
  return (
    <section className={classes.panel} aria-label={title}>
      <h2>{title}</h2>
      {releases.length === 0 && <p>{m.app_release_none()}</p>}
      {current && <HandOut release={current} />}
      <UploadForm
        platform={platform}
        onMade={(release) => notify({ text: m.app_release_made({ version: release.version }) })}
      />
      {platform === 'android' && <PlaySigning ownPackage={current?.facts?.package} />}
      {usage.length > 0 && <Usage usage={usage} store={store} />}
      <ul className={classes.list}>
        {releases.map((release) => (
          <li key={release.id} className={classes.release}>
            <Release release={release} store={store} isFirst={releases.every((each) => !each.published_at)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * A QR code and a link to the app. For the customers' app they lead to the page `/app`, for the kitchen app to its
 * file.
 */
function HandOut({ release: { platform, download_url: url } }: { release: AppRelease }) {
  const address = new URL(platform === 'android' ? '/app' : url, shopOrigin()).href;
  return (
    <div className={classes.code}>
      <QrCode text={address} label={m.app_release_qr()} />
      <div>
        <p>{platform === 'android' ? m.app_release_hand_out() : m.app_release_hand_out_kitchen()}</p>
        <p>
          <a href={address}>{address}</a>
        </p>
      </div>
    </div>
  );
}

function Usage({ usage, store }: { usage: VersionInUse[]; store: Store }) {
  return (
    <div>
      <h3>{m.app_release_usage()}</h3>
      <p className={classes.soft}>{m.app_release_usage_means()}</p>
      <table className={classes.usage}>
        <thead>
          <tr>
            <th scope="col">{m.app_release_page_version()}</th>
            <th scope="col">{m.app_release_usage_phones()}</th>
            <th scope="col">{m.app_release_usage_seen()}</th>
          </tr>
        </thead>
        <tbody>
          {usage.map(({ version, installs, last_seen_at: at }) => (
            <tr key={version}>
              <td>{version}</td>
              <td>{installs}</td>
              <td>{dateWords(at, store.timezone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const stateWords = {
  draft: m.app_release_state_draft,
  published: m.app_release_state_published,
  withdrawn: m.app_release_state_withdrawn,
};

function Release({ release, store, isFirst }: { release: AppRelease; store: Store; isFirst: boolean }) {
  const { publish, withdraw } = useReleaseCalls();
  const { version, state, facts, is_current: isCurrent, notes } = release;
  const notifyRefusal = (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' });
  const offer = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.app_release_publish_title({ version }),
      body: facts?.is_debug_key
        ? m.app_release_debug_key()
        : isFirst
          ? m.app_release_publish_first()
          : m.app_release_publish_means(),
      action: facts?.is_debug_key ? m.app_release_publish_debug() : m.app_release_publish(),
      isDangerous: facts?.is_debug_key ?? false,
    });
    if (!isSure) return;
    publish.mutate(release, {
      onSuccess: () => notify({ text: m.app_release_published({ version }) }),
      onError: notifyRefusal,
    });
  };
  const takeBack = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.app_release_withdraw_title({ version }),
      body: m.app_release_withdraw_means(),
      action: m.app_release_withdraw(),
      isDangerous: true,
    });
    if (!isSure) return;
    const undo = { label: m.platform_undo(), run: () => publish.mutate(release, { onError: notifyRefusal }) };
    withdraw.mutate(release, {
      // Undo publishes the release again. A draft was never published, so its withdrawal has no undo.
      onSuccess: () =>
        notify({ text: m.app_release_withdrawn({ version }), ...(state === 'published' && { action: undo }) }),
      onError: notifyRefusal,
    });
  };
  return (
    <>
      <div className={classes.head}>
        <h3>
          {version}{' '}
          <Badge variant={isCurrent ? 'light' : 'outline'} {...(isCurrent && { color: 'good' })}>
            {isCurrent ? m.app_release_current() : stateWords[state]()}
          </Badge>{' '}
          {facts?.is_debug_key && <Badge color="bad">{m.app_release_debug_badge()}</Badge>}
        </h3>
        <Group gap="xs">
          {state !== 'published' && (
            <Button variant="default" loading={publish.isPending} onClick={() => void offer()}>
              {state === 'draft' ? m.app_release_publish() : m.app_release_publish_again()}
            </Button>
          )}
          {state !== 'withdrawn' && (
            <Button variant="subtle" color="bad" loading={withdraw.isPending} onClick={() => void takeBack()}>
              {state === 'draft' ? m.app_release_drop() : m.app_release_withdraw()}
            </Button>
          )}
        </Group>
      </div>
      <p className={classes.soft}>{m.app_release_uploaded({ date: dateWords(release.created_at, store.timezone) })}</p>
      {notes && <p className={classes.notes}>{notes}</p>}
      {facts ? (
        <details>
          <summary>{m.app_release_details()}</summary>
          <AppFileFacts facts={facts} size={release.size} sha256={release.sha256} />
        </details>
      ) : (
        <p>{m.app_release_never_read()}</p>
      )}
    </>
  );
}

const key = ['play-signing'];
const withTimeout = { timeout: 20_000 };

/** The form for Google Play's signing key of the customers' app. `ownPackage`: the package of the shop's own app. */
function PlaySigning({ ownPackage }: { ownPackage: string | undefined }) {
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api('GET /v1/app-releases/play-signing', {}, { signal, ...withTimeout })).data,
  });
  return (
    <details open={Boolean(query.data) || query.isError}>
      <summary>{m.app_release_play()}</summary>
      {query.isPending && <LoadingState />}
      {query.isError && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <SigningForm key={query.data?.signer ?? ''} known={query.data} ownPackage={ownPackage} />
      )}
    </details>
  );
}

function SigningForm({ known, ownPackage }: { known: Signing | null; ownPackage: string | undefined }) {
  const client = useQueryClient();
  const [name, setName] = useState(known?.package ?? ownPackage ?? '');
  const [signer, setSigner] = useState(known ? formatFingerprint(known.signer) : '');
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const save = useMutation({
    mutationFn: () => api('PATCH /v1/app-releases/play-signing', { package: name, signer }, withTimeout),
    onSuccess: () => notify({ text: m.app_release_play_saved() }),
    onSettled,
  });
  const drop = useMutation({
    mutationFn: () => api('DELETE /v1/app-releases/play-signing', {}, withTimeout),
    onSuccess: () =>
      notify({ text: m.app_release_play_dropped(), action: { label: m.platform_undo(), run: () => save.mutate() } }),
    onSettled,
  });
  const failure = save.error ? formFailureOf(save.error) : null;
  const faultOf = (field: string) => failure?.errors[field]?.[0];
  const send = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={classes.play} onSubmit={send}>
      <p>{m.app_release_play_means()}</p>
      {failure?.message && <p role="alert">{failure.message}</p>}
      <TextInput
        label={m.app_release_play_package()}
        value={name}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        error={faultOf('package')}
        required
        onChange={({ target }) => setName(target.value)}
      />
      <TextInput
        label={m.app_release_play_signer()}
        placeholder="AB:CD:EF:…"
        value={signer}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        error={faultOf('signer')}
        required
        onChange={({ target }) => setSigner(target.value)}
      />
      <Group gap="xs">
        <Button type="submit" variant="default" loading={save.isPending}>
          {m.app_release_play_save()}
        </Button>
        {known && (
          <Button variant="subtle" color="bad" loading={drop.isPending} onClick={() => drop.mutate()}>
            {m.app_release_play_drop()}
          </Button>
        )}
      </Group>
    </form>
  );
}
