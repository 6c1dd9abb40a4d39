import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What one run sends: this many messages a second, whatever becomes of the earlier ones. */
export interface Sending {
  url: string;
  secret: string;
  /** Objects that the messages are about, each with the types of its messages; in turn. */
  about: { types: string[]; object: object }[];
  perSecond: number;
  seconds: number;
  /** Every so many messages one is sent once more, a second after it. 0: never. */
  repeatEvery: number;
  /** Of the messages' ids, which a number follows. */
  prefix: string;
}

export interface Sent {
  /** Requests by the status of their answer; 0: none. */
  statuses: Record<number, number>;
  /** The ids of the messages that were answered 200. */
  answered: string[];
  /** Milliseconds until each answer. */
  took: number[];
  /** Milliseconds by which each request was sent late. A sender that cannot keep up measures nothing. */
  late: number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

process.once('message', (sending: Sending) => {
  void send(sending).then((sent) => {
    process.send?.(sent, () => process.exit(0));
  });
});

async function send(sending: Sending): Promise<Sent> {
  const { perSecond, seconds, repeatEvery } = sending;
  const sent: Sent = { statuses: {}, answered: [], took: [], late: [] };
  const bodyOf = makeBodies(sending);
  const count = perSecond * seconds;
  const waiting: Promise<void>[] = [];
  const started = performance.now();
  for (let n = 0; n < count; n += 1) {
    const due = started + (n * 1_000) / perSecond;
    while (performance.now() < due) await sleep(1);
    sent.late.push(performance.now() - due);
    const isRepeated = repeatEvery > 0 && n >= perSecond && n % repeatEvery === 0;
    waiting.push(post(sending, bodyOf(isRepeated ? n - perSecond + 1 : n), sent));
  }
  await Promise.all(waiting);
  return sent;
}

interface Message {
  id: string;
  body: string;
}

/** The n-th message, as Stripe writes events. */
function makeBodies({ about, prefix }: Sending): (n: number) => Message {
  const made = about.flatMap(({ types, object }) =>
    types.map((type) => {
      const text = JSON.stringify({
        id: '',
        object: 'event',
        api_version: '2026-10-28.endive',
        created: Math.floor(Date.now() / 1_000),
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      });
      return text.slice('{"id":""'.length);
    }),
  );
  return (n) => {
    const id = `${prefix}${n}`;
    return { id, body: `{"id":"${id}"${made[n % made.length]}` };
  };
}

function post({ url, secret }: Sending, { id, body }: Message, sent: Sent): Promise<void> {
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'stripe-signature': `t=${time},v1=${signature}`,
  };
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => {
      sent.statuses[status] = (sent.statuses[status] ?? 0) + 1;
      if (status === 200) sent.answered.push(id);
      if (status !== 0) sent.took.push(performance.now() - began);
      resolve();
    };
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('error', () => end(0));
      response.on('end', () => end(response.statusCode ?? 0));
    })
      .on('error', () => end(0))
      .end(body);
  });
}
