import { randomUUID } from 'node:crypto';

interface Question {
  counts: Map<string, number>;
  waitingFor: Set<string>;
  finish: () => void;
}

export interface Survey {
  /** Adds the answers of the `peers` to `counts`. `send` sends them the question. */
  ask(counts: Map<string, number>, peers: Iterable<string>, send: (id: string) => void): Promise<void>;
  take(id: string, from: string, counted: Iterable<readonly [string, number]>): void;
  /** A peer that is gone is not waited for any longer. */
  drop(peerId: string): void;
}

/** Questions to the other instances; an instance that does not answer within `timeout` milliseconds is left out. */
export function makeSurvey(timeout: number): Survey {
  const questions = new Map<string, Question>();
  const settle = (question: Question, peerId: string): void => {
    question.waitingFor.delete(peerId);
    if (question.waitingFor.size === 0) question.finish();
  };
  return {
    async ask(counts, peers, send) {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeout);
      questions.set(id, { counts, waitingFor: new Set(peers), finish: resolve });
      send(id);
      await promise;
      clearTimeout(timer);
      questions.delete(id);
    },
    take(id, from, counted) {
      const question = questions.get(id);
      if (!question) return;
      for (const [channel, count] of counted) addCount(question.counts, channel, count);
      settle(question, from);
    },
    drop(peerId) {
      for (const question of questions.values()) settle(question, peerId);
    },
  };
}

function addCount(counts: Map<string, number>, channel: string, count: number): void {
  counts.set(channel, (counts.get(channel) ?? 0) + count);
}
