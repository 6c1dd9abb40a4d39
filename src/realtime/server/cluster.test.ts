import { afterEach, expect, test } from 'vitest';
import { type Cluster, createCluster } from '#realtime/server/cluster.ts';
import { createInProcessBus } from '#realtime/server/open-bus.ts';
import { DEFAULT_REALTIME_LIMITS } from '#realtime/server/connection.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { createPresence, type Presence } from '#realtime/server/presence.ts';
import { FAST, silentLog } from '#realtime/testing/server.ts';

interface Instance {
  cluster: Cluster;
  presence: Presence;
  seen: string[];
  gaps: number;
  /** What becomes of a message that this instance sends. */
  outcome: (message: string) => 'sent' | 'lost' | 'refused';
  /** As if the bus had been away and were back. */
  reconnect: () => void;
}

const instances: Instance[] = [];

afterEach(async () => {
  await Promise.all(instances.splice(0).map(({ cluster }) => cluster.leave()));
});

function startInstance(shared: MessageBus): Instance {
  const seen: string[] = [];
  const presence = createPresence((change, channel, userId) => seen.push(`${change} ${channel} ${userId}`));
  const instance: Omit<Instance, 'cluster'> = {
    presence,
    seen,
    gaps: 0,
    outcome: () => 'sent',
    reconnect: () => undefined,
  };
  const bus: MessageBus = {
    ...shared,
    join(topic, onMessage, onConnected) {
      instance.reconnect = onConnected;
      const member = shared.join(topic, onMessage, onConnected);
      const send = async (message: string): Promise<number> => {
        const outcome = instance.outcome(message);
        if (outcome === 'refused') throw new Error('away');
        return outcome === 'sent' ? member.send(message) : 0;
      };
      return { ...member, send };
    },
  };
  const duties = {
    deliver: (channel: string, frame: string, except?: string) => seen.push(`${channel} ${frame} ${except}`),
    countListeners: () => new Map([['a', 2]]),
    disconnectUser: (userId: string, code: number) => seen.push(`${userId} ${code}`),
    afterGap: () => (started.gaps += 1),
  };
  const cluster = createCluster(bus, 't', presence, duties, { ...DEFAULT_REALTIME_LIMITS, ...FAST }, silentLog);
  const started: Instance = Object.assign(instance, { cluster });
  instances.push(started);
  return started;
}

async function startTwo(): Promise<[Instance, Instance]> {
  const bus = createInProcessBus();
  const pair: [Instance, Instance] = [startInstance(bus), startInstance(bus)];
  for (const { cluster } of pair) await expect.poll(() => cluster.peerCount()).toBe(1);
  return pair;
}

/** As a session does. */
function join({ presence, cluster }: Instance, userId: string): void {
  if (presence.join('a', userId, userId, null)) cluster.announceJoin(['a', userId, null]);
}

function leave({ presence, cluster }: Instance, userId: string): void {
  if (presence.leave('a', userId, userId)) cluster.announceLeave('a', userId);
}

test('a frame arrives as it was sent, with the socket to leave out', async () => {
  const [one, two] = await startTwo();
  await one.cluster.sendFrame('private-a', '{"event":"x y","data":"1 2"}', '1.2');
  await one.cluster.sendFrame('b', '{}');
  await expect.poll(() => two.seen).toEqual(['private-a {"event":"x y","data":"1 2"} 1.2', 'b {} ']);
});

test('a lost announcement is noticed, and the roster mends it', async () => {
  const [one, two] = await startTwo();
  one.outcome = (message) => (message.includes('"join"') ? 'lost' : 'sent');
  join(one, 'anna');
  await expect.poll(() => two.seen).toEqual(['added a anna']);
  one.outcome = (message) => (message.includes('"leave"') ? 'lost' : 'sent');
  leave(one, 'anna');
  join(one, 'ben');
  await expect.poll(() => two.seen.toSorted()).toEqual(['added a anna', 'added a ben', 'removed a anna']);
});

test('whatever is lost on the way, both agree in the end', async () => {
  const [one, two] = await startTwo();
  let dice = 1;
  for (const instance of [one, two]) {
    instance.outcome = () => {
      dice = (dice * 16807) % 2147483647;
      return dice % 3 === 0 ? 'lost' : 'sent';
    };
  }
  const users = ['anna', 'ben', 'carl', 'dora'];
  for (let step = 0; step < 60; step += 1) {
    const instance = step % 2 === 0 ? one : two;
    const user = users[(step * 7) % 4] ?? '';
    if (step % 3 === 0) leave(instance, user);
    else join(instance, user);
    if (step % 10 === 0) await new Promise((resolve) => void setTimeout(resolve, 5));
  }
  const held = new Set([...one.presence.localEntries(), ...two.presence.localEntries()].map(([, userId]) => userId));
  for (const { presence } of [one, two]) {
    await expect.poll(() => [...presence.members('a').keys()].toSorted()).toEqual([...held].toSorted());
  }
});

test('the users of an instance that fell silent leave, and are back when it speaks again', async () => {
  const [one, two] = await startTwo();
  join(one, 'anna');
  await expect.poll(() => two.seen).toEqual(['added a anna']);
  one.outcome = () => 'lost';
  await expect.poll(() => two.seen).toEqual(['added a anna', 'removed a anna']);
  expect(two.cluster.peerCount()).toBe(0);
  one.outcome = () => 'sent';
  await expect.poll(() => two.presence.members('a').has('anna')).toBe(true);
});

test('events that did not reach the others make their clients refetch once the bus is back', async () => {
  const [one, two] = await startTwo();
  one.outcome = () => 'refused';
  await one.cluster.sendFrame('a', '{}');
  await one.cluster.sendFrame('a', '{}');
  one.outcome = () => 'sent';
  await expect.poll(() => two.gaps).toBe(1);
  expect(one.gaps).toBe(0);
  expect(two.seen).toEqual([]);
});

test('an instance that had lost the bus makes its own clients refetch, and tells who is there', async () => {
  const [one, two] = await startTwo();
  one.outcome = (message) => (message.includes('"join"') ? 'lost' : 'sent');
  join(one, 'anna');
  one.reconnect();
  expect(one.gaps).toBe(1);
  await expect.poll(() => two.presence.members('a').has('anna')).toBe(true);
  expect(two.gaps).toBe(0);
});

test('counts are added up, and an instance that does not answer is not waited for', async () => {
  const [one, two] = await startTwo();
  const filter = { prefix: 'a', exact: true };
  expect(await one.cluster.countListeners(filter)).toEqual(new Map([['a', 4]]));
  two.outcome = (message) => (message.includes('"answer"') ? 'lost' : 'sent');
  expect(await one.cluster.countListeners(filter)).toEqual(new Map([['a', 2]]));
});

test('what an instance does not understand does no harm', async () => {
  const bus = createInProcessBus();
  const one = startInstance(bus);
  const stranger = bus.join(
    't',
    () => undefined,
    () => undefined,
  );
  for (const message of ['', 'n', 'nno json', 'n{}', 'n{"kind":"join","from":"x"}', 'x', 'f'])
    await stranger.send(message);
  const two = startInstance(bus);
  await expect.poll(() => one.cluster.peerCount()).toBe(1);
  await two.cluster.announceDisconnect('anna', 4200);
  await expect.poll(() => one.seen).toContain('anna 4200');
});
