import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { repeat } from '#platform/server/sweep.ts';
import type { BusMember, MessageBus } from '#realtime/server/message-bus.ts';

/** The number of remembered messages, so that a message received on both buses is handled once. */
const remembered = 5_000;
/** Milliseconds between two announcements of members that `first` does not reach, and for which an announcement is valid. */
const announcing = { every: 5_000, lasts: 15_000 };
/** Whether `first` reaches a member, said by itself; instances of earlier releases know these texts. */
const notReached = '!deaf';
const reachedAgain = '!hears';

/**
 * A bus that works while one of two is away: messages that `first` does not bring to everyone are sent by `second` as well.
 * Each message begins with a unique name, so that nobody handles it twice. `known`: how many others there are at least, also of
 * those that were never heard of, because their `first` is another one.
 */
export function createTwoWayBus(first: MessageBus, second: MessageBus, known = () => 0): MessageBus {
  return {
    join(topic, onMessage, onConnected): BusMember {
      const self = randomUUID();
      const heard = new LRUCache<string, true>({ max: remembered });
      /** The members that said `first` does not reach them, and until when that is valid. */
      const unreached = new Map<string, number>();
      let sent = 0;
      let isOpen = false;
      const hear = (text: string) => {
        const end = text.indexOf(' ');
        const name = text.slice(0, end);
        if (name === notReached) return void unreached.set(text.slice(end + 1), performance.now() + announcing.lasts);
        if (name === reachedAgain) return void unreached.delete(text.slice(end + 1));
        if (heard.has(name)) return;
        heard.set(name, true);
        onMessage(text.slice(end + 1));
      };
      const open = () => {
        // The other bus was connected the whole time.
        if (isOpen) return;
        isOpen = true;
        onConnected();
      };
      // `first` may count this member as reached long after it stopped receiving.
      let endAnnouncing: (() => void) | undefined;
      const announce = (what: string) => void two.send(`${what} ${self}`).catch(() => {});
      const lose = () => {
        isOpen = two.isConnected();
        announce(notReached);
        endAnnouncing ??= repeat(announcing.every, () => announce(notReached));
        // Messages on the way were lost: listeners have to refetch.
        if (isOpen) onConnected();
      };
      const find = () => {
        if (endAnnouncing) announce(reachedAgain);
        endAnnouncing?.();
        endAnnouncing = undefined;
        open();
      };
      const hasUnreached = () => {
        for (const [id, until] of unreached) if (until < performance.now()) unreached.delete(id);
        return unreached.size > 0;
      };
      const one: BusMember = first.join(topic, hear, find, lose);
      const two: BusMember = second.join(topic, hear, open, () => (isOpen = one.isConnected()));
      return {
        isConnected: () => one.isConnected() || two.isConnected(),
        async send(message, others = 0) {
          sent += 1;
          const text = `${self}.${sent} ${message}`;
          if (one.isConnected()) {
            const reached = await one.send(text).catch(() => -1);
            if (reached >= Math.max(others, known()) && !hasUnreached()) return reached;
          }
          return two.send(text);
        },
        leave: async () => {
          endAnnouncing?.();
          await Promise.all([one.leave(), two.leave()]);
        },
      };
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
