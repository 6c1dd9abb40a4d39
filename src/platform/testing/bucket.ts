import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface TestBucket {
  /** Environment variables that point to it. */
  environment: Record<string, string>;
  /**
   * `silent`: accepts requests and never answers; `cut`: closes the connection in the middle of a file; `elsewhere`:
   * sends each request to `elsewhere`, as S3 does for a bucket in another region; `forgetful`: acknowledges files, and
   * stores none of those whose names have `forgets`.
   */
  mood: 'fine' | 'silent' | 'cut' | 'elsewhere' | 'forgetful';
  forgets: string;
  elsewhere: string;
  /** The requests it received. */
  calls: string[];
  /** The stored files by their paths, as `/pictures/uploads/a.webp`. */
  files: Map<string, StoredFile>;
  close(): Promise<void>;
}

const key = { id: 'bucket-key', secret: 'bucket-secret' };

/**
 * A bucket on this machine, with the part of the S3 protocol that the shop uses: whole files, listed three at a time.
 * It checks each request's signature by the letter of "Signature Version 4", and can be slow or break off.
 */
export async function startTestBucket(name = 'pictures'): Promise<TestBucket> {
  const files = new Map<string, StoredFile>();
  const bucket: Pick<TestBucket, 'mood' | 'calls' | 'elsewhere' | 'files' | 'forgets'> = {
    mood: 'fine',
    calls: [],
    elsewhere: '',
    files,
    forgets: '',
  };
  const gate = createServer((request, response) => {
    bucket.calls.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (bucket.mood === 'silent') return;
    if (bucket.mood === 'elsewhere') {
      return void response.writeHead(307, { location: bucket.elsewhere + (request.url ?? '') }).end();
    }
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '', headers } = request;
    const [path = '', query] = url.split('?');
    const bytes = await buffer(request);
    const refusal = accessFault(request);
    if (refusal !== null) return refuse(response, 403, refusal);
    if (query !== undefined && path === `/${name}`) return void response.end(listed(files, `${path}/`, query));
    if (!path.startsWith(`/${name}/`)) return refuse(response, 404, 'NoSuchBucket');
    if (method === 'DELETE') {
      files.delete(path);
      return void response.writeHead(204).end();
    }
    if (method === 'PUT') {
      if (isDamaged(bytes, headers['x-amz-content-sha256'])) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
      const isForgotten = bucket.mood === 'forgetful' && path.includes(bucket.forgets);
      if (!isForgotten) files.set(path, { bytes, type: headers['content-type'] ?? '' });
      return void response.writeHead(200).end();
    }
    const file = files.get(path);
    if (file) sendFile(response, file, method === 'HEAD' ? 'head' : bucket.mood);
    else refuse(response, 404, 'NoSuchKey');
  };
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
    },
  });
}

interface StoredFile {
  bytes: Buffer;
  type: string;
}

function isDamaged(bytes: Buffer, named: string | string[] | undefined): boolean {
  const wanted = String(named);
  return /^[0-9a-f]{64}$/.test(wanted) && createHash('sha256').update(bytes).digest('hex') !== wanted;
}

function sendFile(response: ServerResponse, { bytes, type }: StoredFile, mood: TestBucket['mood'] | 'head'): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
  if (mood === 'cut') response.write(bytes.subarray(0, 1), () => response.destroy());
  else response.end(mood === 'head' ? '' : bytes);
}

/** Why S3 would not let this caller in; null if it would. */
function accessFault(request: IncomingMessage): string | null {
  if (!request.headers.authorization?.includes(`Credential=${key.id}/`)) return 'InvalidAccessKeyId';
  return isSigned(request, key.secret) ? null : 'SignatureDoesNotMatch';
}

function listed(files: Map<string, StoredFile>, start: string, query: string): string {
  const asked = new URLSearchParams(query);
  const after = asked.get('continuation-token') ?? '';
  const prefix = start + (asked.get('prefix') ?? '');
  const all = [...files]
    .filter(([path]) => path.startsWith(prefix) && path > after)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const page = all.slice(0, 3);
  const rows = page.map(
    ([path, { bytes }]) =>
      `<Contents><Key>${path.slice(start.length)}</Key><ETag>&quot;-&quot;</ETag><Size>${bytes.length}</Size></Contents>`,
  );
  const next = page.length < all.length ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}

function isSigned({ method, url = '', headers }: IncomingMessage, secret: string): boolean {
  const match = /^AWS4-HMAC-SHA256 Credential=(\S+?)\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(
    headers.authorization ?? '',
  );
  const [, , scope = '', signed = '', signature] = match ?? [];
  const [path = '', query = ''] = url.split('?');
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const content = String(headers['x-amz-content-sha256'] ?? '');
  const pairs = [...new URLSearchParams(query)].map((pair) => pair.map(encodeURIComponent).join('='));
  const canonical = [method, path, pairs.toSorted().join('&'), lines.join(''), signed, content].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n');
  let signing: string | Buffer = `AWS4${secret}`;
  for (const part of scope.split('/')) signing = createHmac('sha256', signing).update(part).digest();
  return createHmac('sha256', signing).update(toSign).digest('hex') === signature;
}
