import { randomUUID } from 'node:crypto';
import type { BusMember, MessageBus } from '#realtime/server/message-bus.ts';

/** So many messages are remembered, so that what came both ways is heard once. */
const remembered = 5_000;
/** Milliseconds between two announcements of who cannot hear the first way, and for which one counts. */
const announcing = { every: 5_000, lasts: 15_000 };
const deaf = '!deaf';
const hears = '!hears';

/**
 * A bus that goes on while one of two is away: what `first` does not bring to everyone goes by `second` as well. Each message
 * begins with a name, so that nobody hears it twice.
 */
export function createTwoWayBus(first: MessageBus, second: MessageBus): MessageBus {
  return {
    join(topic, onMessage, onConnected): BusMember {
      const self = randomUUID();
      const heard = new Set<string>();
      /** Those who said that the first way does not reach them, and until when that counts. */
      const unreached = new Map<string, number>();
      let sent = 0;
      let isOpen = false;
      const hear = (text: string) => {
        const end = text.indexOf(' ');
        const name = text.slice(0, end);
        if (name === deaf) return void unreached.set(text.slice(end + 1), performance.now() + announcing.lasts);
        if (name === hears) return void unreached.delete(text.slice(end + 1));
        if (heard.has(name)) return;
        heard.add(name);
        for (const oldest of heard) {
          if (heard.size <= remembered) break;
          heard.delete(oldest);
        }
        onMessage(text.slice(end + 1));
      };
      const open = () => {
        // The other way was open all the while.
        if (isOpen) return;
        isOpen = true;
        onConnected();
      };
      // The first way may count on this member long after it has stopped hearing.
      let announcement: NodeJS.Timeout | undefined;
      const announce = (what: string) => void two.send(`${what} ${self}`).catch(() => {});
      const lose = () => {
        isOpen = two.isConnected();
        announce(deaf);
        announcement ??= setInterval(announce, announcing.every, deaf).unref();
        // What was on its way is lost: whoever listens has to ask again.
        if (isOpen) onConnected();
      };
      const find = () => {
        if (announcement) announce(hears);
        clearInterval(announcement);
        announcement = undefined;
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
            if (reached >= others && !hasUnreached()) return reached;
          }
          return two.send(text);
        },
        leave: async () => {
          clearInterval(announcement);
          await Promise.all([one.leave(), two.leave()]);
        },
      };
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
