import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';

export interface S3Settings {
  /** e.g. `https://s3.eu-west-2.amazonaws.com`; the bucket's name becomes part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** How long the bucket may take to answer, in milliseconds. */
  timeoutMs: number;
}

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The object's key; empty: the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Blob;
  /** The bytes of the answer, if its body has to come in time, too; otherwise only its beginning has. */
  answerBytes?: number;
}

/** A file of this machine. */
export interface LocalFile {
  path: string;
  size: number;
  sha256: string;
}

/** Calls a bucket by the protocol of S3. A call throws the reason if no answer comes in time. */
export function openS3({ endpoint, region, bucket, accessKeyId, secretAccessKey, timeoutMs }: S3Settings) {
  const client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, retries: 1, initRetryMs: 100 });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  // A large file gets more time: a second for each 256 KB.
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
        // A redirect could send a file, or the shop's signature, anywhere.
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
  /** Puts a local file as it is read; `fetch` would read ahead all of it. The bucket checks the hash. */
  const putFile = async (key: string, { path, size, sha256 }: LocalFile): Promise<Response> => {
    const url = `${base}/${key}`;
    const { headers } = await client.sign(url, { method: 'PUT', headers: { 'x-amz-content-sha256': sha256 } });
    const asked = (url.startsWith('https:') ? https : http).request(url, {
      method: 'PUT',
      headers: { ...Object.fromEntries(headers), 'content-length': size },
      signal: AbortSignal.timeout(allowedFor(size)),
    });
    // A refusal may come before all was sent.
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    pipeline(createReadStream(path), asked).catch((error: unknown) => asked.destroy(error as Error));
    const [answer] = await answered;
    return new Response((await text(answer)) || null, { status: answer.statusCode ?? 502 });
  };
  return { call, putFile };
}

/** The error's name in S3, e.g. `NoSuchBucket`; the status if there is no name. */
export async function s3Reason(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => '');
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? `status ${answer.status}`;
}
