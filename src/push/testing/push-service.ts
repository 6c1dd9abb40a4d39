import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { decrypt, faultOfVapid, type Keys } from '#push/testing/decrypt.ts';
import type { PushSubscription } from '#push/contract.ts';

/** A message as a browser gets it. */
export interface ReceivedPush {
  data: Record<string, string>;
  ttl: number;
  urgency: string | undefined;
  topic: string | undefined;
}

export interface TestBrowser {
  /** What its `pushManager.subscribe()` returned. */
  subscription: PushSubscription;
  received: ReceivedPush[];
}

/** What the service does instead of taking the next message: a status with headers, or no answer at all. */
export type Fault = { status: number; headers?: Record<string, string> } | 'silence';

export interface PushService {
  origin: string;
  /** The settings that let a shop send to it. */
  settings: { PUSH_TEST_SERVICE: string; PUSH_TEST_CERTIFICATE: string };
  subscribe(applicationServerKey: string): TestBrowser;
  /** For the next messages, one each. */
  faults: Fault[];
  /** The paths of all requests, in order. */
  requests: string[];
  /** What was wrong with messages that were refused. */
  wrong: string[];
  stop(): Promise<void>;
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A push service on a free port: it checks the sender's proof, and decrypts what it takes, as the browser would. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { keys: Keys; publicKey: string; browser: TestBrowser }>();
  const service = { faults: [] as Fault[], requests: [] as string[], wrong: [] as string[] };
  const [key, cert] = await Promise.all([readFile(file('key.pem')), readFile(file('certificate.pem'))]);
  const server = createServer({ key, cert }, (request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    service.requests.push(path);
    const fault = service.faults.shift();
    if (fault === 'silence') return;
    if (fault) return void response.writeHead(fault.status, fault.headers).end();
    const body = await readAll(request);
    const found = browsers.get(path);
    const answer = found ? receive(request, body, found) : 410;
    response.writeHead(answer).end();
  }

  function receive(
    { headers }: IncomingMessage,
    body: Buffer,
    { keys, publicKey, browser }: { keys: Keys; publicKey: string; browser: TestBrowser },
  ) {
    const fault = faultOfVapid(headers.authorization, origin, publicKey);
    if (fault) return refuse(403, fault);
    const { ttl, urgency, topic } = headers;
    if (headers['content-encoding'] !== 'aes128gcm') return refuse(400, 'another encoding');
    if (!/^\d+$/.test(String(ttl))) return refuse(400, 'no TTL');
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return refuse(400, 'a bad topic');
    if (body.length > 4096) return refuse(413, 'too long');
    try {
      const data = JSON.parse(decrypt(keys, body)) as ReceivedPush['data'];
      const [shownUrgency, shownTopic] = [urgency, topic].map((text) =>
        text === undefined ? undefined : String(text),
      );
      browser.received.push({ data, ttl: Number(ttl), urgency: shownUrgency, topic: shownTopic });
      return 201;
    } catch (error) {
      return refuse(400, String(error));
    }
  }

  function refuse(status: number, why: string): number {
    service.wrong.push(why);
    return status;
  }

  return {
    ...service,
    origin,
    settings: { PUSH_TEST_SERVICE: origin, PUSH_TEST_CERTIFICATE: file('certificate.pem') },
    subscribe(publicKey) {
      const ecdh = createECDH('prime256v1');
      const keys = { ecdh, auth: randomBytes(16) };
      const path = `/push/${randomUUID()}`;
      const browser: TestBrowser = {
        subscription: {
          endpoint: origin + path,
          keys: { p256dh: ecdh.generateKeys('base64url'), auth: keys.auth.toString('base64url') },
        },
        received: [],
      };
      browsers.set(path, { keys, publicKey, browser });
      return browser;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
