import type { BusMember, MessageBus } from '#realtime/server/message-bus.ts';

interface Member {
  topic: string;
  onMessage: (message: string) => void;
}

/** The bus of an application that runs as one process; several servers in that process may share it. */
export function createInProcessBus(): MessageBus {
  const members = new Set<Member>();

  return {
    join(topic, onMessage, onConnected): BusMember {
      const self: Member = { topic, onMessage };
      members.add(self);
      queueMicrotask(() => {
        if (members.has(self)) onConnected();
      });
      return {
        isConnected: () => members.has(self),
        async send(message) {
          if (!members.has(self)) throw new Error('The message bus is closed.');
          let reached = 0;
          for (const member of members) {
            if (member === self || member.topic !== topic) continue;
            reached += 1;
            // Asynchronously, as over a network: a receiver never runs inside the sender's call.
            setImmediate(() => {
              if (members.has(member)) member.onMessage(message);
            });
          }
          return reached;
        },
        async leave() {
          members.delete(self);
        },
      };
    },
    async close() {
      members.clear();
    },
  };
}
