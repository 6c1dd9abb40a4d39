import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';

export interface S3Settings {
  /**
   * The URL of the S3 service, such as `https://s3.eu-west-2.amazonaws.com`; the bucket's name is appended as a path.
   */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The timeout of a response (ms). */
  timeoutMs: number;
}

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The object's key; empty: the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Blob;
  /**
   * The expected size of the response body in bytes. If set, the timeout covers the body as well; otherwise only the
   * headers.
   */
  answerBytes?: number;
}

export interface LocalFile {
  path: string;
  size: number;
  sha256: string;
}

/** Creates an S3 client of a bucket. A call throws an error if no response arrives within its timeout. */
export function openS3({ endpoint, region, bucket, accessKeyId, secretAccessKey, timeoutMs }: S3Settings) {
  const client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, retries: 1, initRetryMs: 100 });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  // A large file extends the timeout by a second for each 256 KB.
  const allowedFor = (bytes: number) => Math.round(timeoutMs + (bytes / (256 * 1024)) * 1000);
  const call = async ({ method, key, query, headers = {}, body, answerBytes }: S3Call): Promise<Response> => {
    const allowed = allowedFor(body?.size ?? answerBytes ?? 0);
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error(`no answer in ${allowed} ms`)), allowed);
    let isAnswered = false;
    try {
      const search = query ? `?${new URLSearchParams(query).toString()}` : '';
      const answer = await client.fetch(`${base}${key ? `/${key}` : ''}${search}`, {
        method,
        // Redirects are not followed, because they could send a file or the shop's signature to any host.
        redirect: 'manual',
        signal: stop.signal,
        headers,
        ...(body && { body }),
      });
      isAnswered = true;
      return answer;
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : error;
    } finally {
      if (isAnswered && answerBytes !== undefined) timer.unref();
      else clearTimeout(timer);
    }
  };
  /** Streams a local file to the bucket, which checks the hash. `fetch` would read the whole file into memory. */
  const putFile = async (key: string, { path, size, sha256 }: LocalFile): Promise<Response> => {
    const url = `${base}/${key}`;
    const { headers } = await client.sign(url, { method: 'PUT', headers: { 'x-amz-content-sha256': sha256 } });
    const asked = (url.startsWith('https:') ? https : http).request(url, {
      method: 'PUT',
      headers: { ...Object.fromEntries(headers), 'content-length': size },
      signal: AbortSignal.timeout(allowedFor(size)),
    });
    // The response is awaited from the start, because the bucket may refuse before it has received the whole file.
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    pipeline(createReadStream(path), asked).catch((error: unknown) => asked.destroy(error as Error));
    const [answer] = await answered;
    return new Response((await text(answer)) || null, { status: answer.statusCode ?? 502 });
  };
  return { call, putFile };
}

/** The S3 error code, e.g. `NoSuchBucket`; the HTTP status if there is none. */
export async function readS3ErrorCode(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => '');
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? `status ${answer.status}`;
}
