import { Alert, Button, Group, Loader, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { m } from '#messages';
import type { AppFile, AppRelease } from '#app-release/contract.ts';
import { type AppPlatform, formatFingerprint, fileSizeWords } from '#app-release/release-rules.ts';
import { api, apiAddress, ApiError, type ApiInput, readToken } from '#platform/web/api.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import classes from '#app-release/web/releases.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

const largest = 150 * 1024 * 1024;

/** Uploads a file, shows the facts that the server has read from it, and creates a draft release. */
export function UploadForm({ platform, onMade }: { platform: AppPlatform; onMade: (release: AppRelease) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<{ upload: AppUpload; part: number } | null>(null);
  const [file, setFile] = useState<AppFile | null>(null);
  const [notes, setNotes] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { make } = useReleaseCalls();
  const send = (chosen: File | undefined): void => {
    if (picker.current) picker.current.value = '';
    if (!chosen) return;
    setFile(null);
    setProblem(null);
    if (chosen.size > largest) return setProblem(m.app_release_too_large());
    const upload = uploadApp(chosen, platform, (part) => setSending({ upload, part }));
    setSending({ upload, part: 0 });
    upload.done
      .then(setFile, (error: unknown) => {
        const isStopped = error instanceof ApiError && error.code === 'not_sent';
        if (!isStopped) setProblem(wordsOf(error));
      })
      .finally(() => setSending(null));
  };
  const keep = (download_url: string): void =>
    make.mutate(
      { platform, download_url, notes },
      {
        onSuccess: (release) => {
          setFile(null);
          setNotes('');
          onMade(release);
        },
        onError: (error) => setProblem(wordsOf(error)),
      },
    );
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".apk,application/vnd.android.package-archive"
        hidden
        aria-label={m.app_release_choose()}
        onChange={({ target }) => send(target.files?.[0])}
      />
      {problem && <Alert color="bad">{problem}</Alert>}
      {sending && <Progress part={sending.part} onStop={() => sending.upload.stop()} />}
      {!sending && !file && (
        <Group>
          <Button onClick={() => picker.current?.click()}>{m.app_release_upload()}</Button>
        </Group>
      )}
      {file && (
        <>
          <AppFileFacts facts={file} size={file.size} sha256={file.sha256} />
          <Textarea
            label={m.app_release_notes()}
            description={m.app_release_notes_hint()}
            value={notes}
            onChange={({ target }) => setNotes(target.value)}
            maxLength={2000}
            autosize
            minRows={2}
          />
          <Group gap="xs">
            <Button loading={make.isPending} onClick={() => keep(file.download_url)}>
              {m.app_release_keep({ version: file.version })}
            </Button>
            <Button variant="default" onClick={() => setFile(null)}>
              {m.platform_cancel()}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

function Progress({ part, onStop }: { part: number; onStop: () => void }) {
  const percent = Math.round(part * 100);
  return (
    <Group gap="sm">
      <Loader size="sm" aria-hidden="true" />
      <progress value={percent} max={100} aria-label={m.app_release_uploading({ percent })} />
      <output>{percent < 100 ? m.app_release_uploading({ percent }) : m.app_release_reading()}</output>
      <Button variant="subtle" onClick={onStop}>
        {m.platform_cancel()}
      </Button>
    </Group>
  );
}

function wordsOf(error: unknown): string {
  const [own] = error instanceof ApiError ? Object.values(error.errors).flat() : [];
  return own ?? refusalWords(error);
}

interface AppUpload {
  /** Resolves to the stored file. Rejects with ApiError, with the code `not_sent` after a cancellation. */
  done: Promise<AppFile>;
  stop(): void;
}

/** Uploads an app's file, and reports the progress from 0 to 1. */
function uploadApp(file: File, platform: AppPlatform, onProgress: (part: number) => void): AppUpload {
  // `XMLHttpRequest`, because `fetch` cannot report the progress of an upload.
  const request = new XMLHttpRequest();
  request.open('POST', apiAddress(`/v1/app-releases/files?platform=${platform}`));
  request.setRequestHeader('content-type', 'application/vnd.android.package-archive');
  request.setRequestHeader('accept', 'application/json');
  const token = readToken();
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
  const done = new Promise<AppFile>((resolve, reject) => {
    request.addEventListener('error', () => reject(new ApiError(0, { code: 'offline' })));
    request.addEventListener('abort', () => reject(new ApiError(0, { code: 'not_sent' })));
    request.addEventListener('load', () => {
      const body = readBody(request.responseText);
      if (request.status === 201) resolve(body['data'] as AppFile);
      else reject(new ApiError(request.status, body));
    });
    request.send(file);
  });
  return { done, stop: () => request.abort() };
}

function readBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

type Facts = NonNullable<AppRelease['facts']>;

export function AppFileFacts({ facts, size, sha256 }: { facts: Facts; size: number; sha256: string }) {
  const rows: [name: string, value: string][] = [
    [m.app_release_fact_package(), facts.package],
    ...(facts.shop ? ([[m.app_release_fact_shop(), facts.shop]] as [string, string][]) : []),
    [m.app_release_fact_version(), `${facts.version} (${facts.version_code})`],
    [m.app_release_fact_android(), m.app_release_fact_apis({ min: facts.min_sdk, target: facts.target_sdk })],
    [m.app_release_page_size(), fileSizeWords(size)],
    [m.app_release_fact_signer(), formatFingerprint(facts.signer)],
    [m.app_release_fact_file(), sha256],
  ];
  return (
    <>
      {facts.is_debug_key && <Alert color="bad">{m.app_release_debug_key()}</Alert>}
      {facts.target_sdk < newestTarget && (
        <Alert color="warn">{m.app_release_low_target({ target: facts.target_sdk, wanted: newestTarget })}</Alert>
      )}
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The Android API level that apps should target. The page warns of a lower level, which Google Play may refuse. */
const newestTarget = 36;

const key = ['app-releases'];
const withTimeout = { timeout: 20_000 };

export function useReleases() {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const options = { signal, ...withTimeout };
      const [releases, usage] = await Promise.all([
        api('GET /v1/app-releases', { per_page: 200 }, options),
        api('GET /v1/app-releases/usage', {}, options),
      ]);
      return { releases: releases.data, usage: usage.data };
    },
    // The query polls, because releases can be published in other tabs, and phones report their versions.
    refetchInterval: 30_000,
  });
}

export function useReleaseCalls() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  return {
    make: useMutation({
      mutationFn: async (release: ApiInput<'POST /v1/app-releases'>) =>
        (await api('POST /v1/app-releases', release, withTimeout)).data,
      onSettled,
    }),
    publish: useMutation({
      // `confirm: true`, because the owner has already confirmed on the page, which also warns of a debug key.
      mutationFn: ({ id }: AppRelease) => api('POST /v1/app-releases/{id}/publish', { id, confirm: true }, withTimeout),
      onSettled,
    }),
    withdraw: useMutation({
      mutationFn: ({ id }: AppRelease) => api('DELETE /v1/app-releases/{id}', { id }, withTimeout),
      onSettled,
    }),
  };
}
