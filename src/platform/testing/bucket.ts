import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export interface TestBucket {
  /** Settings of the environment that lead to it. */
  environment: Record<string, string>;
  /** `silent`: takes requests and never answers; `cut`: breaks the connection off in the middle of a file. */
  mood: 'fine' | 'silent' | 'cut';
  /** What was asked of it. */
  calls: string[];
  close(): Promise<void>;
}

const key = { id: 'S3RVER', secret: 'S3RVER' };

/**
 * An S3 server on this machine, behind a gate that checks each request's signature by the letter of "Signature
 * Version 4", which s3rver itself leaves out, and can be slow or break off.
 */
export async function startTestBucket(name = 'pictures'): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'hatch-bucket-'));
  const store = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name }] });
  const { port } = await store.run();
  const bucket: Pick<TestBucket, 'mood' | 'calls'> = { mood: 'fine', calls: [] };
  const gate = createServer((request, response) => {
    bucket.calls.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (bucket.mood === 'silent') return;
    if (!isSigned(request, key.secret)) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
      return;
    }
    const { method, url: path, headers } = request;
    const onward = forward({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (bucket.mood === 'fine') return void answer.pipe(response);
      answer.once('data', (part: Buffer) => response.write(part.subarray(0, 1), () => response.destroy()));
    });
    request.pipe(onward);
  });
  await new Promise<void>((done) => void gate.listen(0, '127.0.0.1', done));
  const { port: gatePort } = gate.address() as AddressInfo;
  return Object.assign(bucket, {
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${gatePort}`,
      S3_BUCKET: name,
      S3_ACCESS_KEY_ID: key.id,
      S3_SECRET_ACCESS_KEY: key.secret,
    },
    async close() {
      gate.closeAllConnections();
      await new Promise((done) => gate.close(done));
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  });
}

function isSigned({ method, url = '', headers }: IncomingMessage, secret: string): boolean {
  const match = /^AWS4-HMAC-SHA256 Credential=(\S+?)\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(
    headers.authorization ?? '',
  );
  const [, , scope = '', signed = '', signature] = match ?? [];
  const [path = '', query = ''] = url.split('?');
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const content = String(headers['x-amz-content-sha256'] ?? '');
  const canonical = [method, path, query, lines.join(''), signed, content].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  let signing: string | Buffer = `AWS4${secret}`;
  for (const part of scope.split('/')) signing = createHmac('sha256', signing).update(part).digest();
  return createHmac('sha256', signing).update(toSign).digest('hex') === signature;
}
