import { randomUUID } from 'node:crypto';
import type { BusMember, MessageBus } from '#realtime/server/message-bus.ts';

/** So many messages are remembered, so that what came both ways is heard once. */
const remembered = 5_000;

/**
 * A bus that goes on while one of two is away: what `first` does not bring to everyone goes by `second` as well. Each message
 * begins with a name, so that nobody hears it twice.
 */
export function createTwoWayBus(first: MessageBus, second: MessageBus): MessageBus {
  return {
    join(topic, onMessage, onConnected): BusMember {
      const self = randomUUID();
      const heard = new Set<string>();
      let sent = 0;
      let isOpen = false;
      const hear = (text: string) => {
        const end = text.indexOf(' ');
        const name = text.slice(0, end);
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
      const lose = (other: () => BusMember) => {
        isOpen = other().isConnected();
        // What was on its way is lost: whoever listens has to ask again.
        if (isOpen) onConnected();
      };
      const one: BusMember = first.join(topic, hear, open, () => lose(() => two));
      const two: BusMember = second.join(topic, hear, open, () => (isOpen = one.isConnected()));
      return {
        isConnected: () => one.isConnected() || two.isConnected(),
        async send(message, others = 0) {
          sent += 1;
          const text = `${self}.${sent} ${message}`;
          if (one.isConnected()) {
            const reached = await one.send(text).catch(() => -1);
            if (reached >= others) return reached;
          }
          return two.send(text);
        },
        leave: async () => {
          await Promise.all([one.leave(), two.leave()]);
        },
      };
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
