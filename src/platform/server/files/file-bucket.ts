import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyBaseLogger } from 'fastify';
import { m } from '#messages';
import { AppError, ConfigError } from '#platform/errors.ts';
import type { ByteRange, FileStore } from '#platform/server/files/file-store.ts';
import { openS3, readS3ErrorCode, type S3Settings } from '#platform/server/files/s3.ts';

export type BucketSettings = S3Settings;

/**
 * Opens an S3 bucket as the store of uploaded files, under `uploads/`. Writes are atomic. A refusal or timeout of the
 * bucket is logged and thrown as 503 `unavailable`.
 */
export function openBucket(settings: BucketSettings, log: FastifyBaseLogger): Omit<FileStore, 'incoming'> {
  const { endpoint, bucket } = settings;
  const { call } = openS3(settings);

  const ask = async (method: 'GET' | 'HEAD' | 'PUT', name: string, body?: Blob, range?: ByteRange) => {
    try {
      return await call({
        method,
        key: `uploads/${name}`,
        ...(body && {
          body,
          // The bucket stores these headers with the object, and sends them with direct downloads.
          headers: { 'content-type': body.type, 'cache-control': 'public, max-age=31536000, immutable' },
        }),
        ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }),
      });
    } catch (error) {
      throw failed(method, name, error);
    }
  };

  const failed = (method: string, name: string, why: unknown) => {
    log.error({ err: why, bucket, endpoint, method, file: name }, 'the bucket for uploads failed');
    return new AppError('unavailable', m.platform_files_unavailable(), { headers: { 'retry-after': '10' } });
  };

  /** The bucket's response to a read; null if the file does not exist. Throws on any other failure. */
  const read = async (method: 'GET' | 'HEAD', name: string, range?: ByteRange) => {
    const answer = await ask(method, name, undefined, range);
    if (answer.ok) return answer;
    const reason = await readS3ErrorCode(answer);
    if (answer.status === 404 && reason !== 'NoSuchBucket') return null;
    throw failed(method, name, new Error(reason));
  };

  const put = async (name: string, body: Blob) => {
    const answer = await ask('PUT', name, body);
    if (!answer.ok) throw failed('PUT', name, new Error(await readS3ErrorCode(answer)));
    await answer.body?.cancel();
  };

  return {
    keep: (name, type, bytes) => put(name, new Blob([new Uint8Array(bytes)], { type })),
    // The blob streams the file from the disk while it is sent.
    keepFile: async (name, type, path) => put(name, await openAsBlob(path, { type })),
    async sizeOf(name) {
      const answer = await read('HEAD', name);
      return answer && Number(answer.headers.get('content-length'));
    },
    async open(name, range) {
      const answer = await read('GET', name, range);
      if (!answer?.body) return null;
      // The DOM's and Node's types of the stream differ, so the stream is cast.
      const body = Readable.fromWeb(answer.body as ReadableStream);
      return { size: sizeOfAll(answer), body };
    },
    async check() {
      const answer = await ask('GET', 'check').catch(() => null);
      if (!answer) return;
      const reason = answer.ok ? '' : await readS3ErrorCode(answer);
      if (answer.ok || reason === 'NoSuchKey') return;
      log.error({ bucket, endpoint, reason }, 'uploads will fail: the bucket does not take our key, or is not there');
    },
  };
}

/** The size of the whole file, even if the response is a range: `content-range: bytes 0-99/1234`. */
function sizeOfAll({ headers }: Response): number {
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return Number(whole ?? headers.get('content-length'));
}

interface BucketEnvironment {
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_BUCKET?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_TIMEOUT_MS: number;
}

/** Reads a bucket's settings; null: none is set. Throws ConfigError with the names of missing settings. */
export function readBucketSettings(values: BucketEnvironment): BucketSettings | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values;
  const set = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  if (S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    return {
      endpoint: S3_ENDPOINT,
      region: values.S3_REGION,
      bucket: S3_BUCKET,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      timeoutMs: values.S3_TIMEOUT_MS,
    };
  }
  const missing = Object.entries(set).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === Object.keys(set).length) return null;
  throw new ConfigError(
    `For a bucket, set ${missing.join(', ')} as well, or none of S3_ENDPOINT, S3_BUCKET and its keys.`,
  );
}
