import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer, ThreadQuestion } from '#platform/server/idle-thread.ts';

/** The thread's side of `createIdleThread`: answers the questions as they come. What it throws is the asker's error. */
export function answerThread<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  parentPort?.on('message', ({ id, question }: ThreadQuestion<Question>) => {
    void tryTo(id, () => answer(question)).then((message) => parentPort?.postMessage(message, []));
  });
}

async function tryTo<Answer>(id: number, answer: () => Answer | Promise<Answer>): Promise<ThreadAnswer<Answer>> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return { id, error: String(error) };
  }
}
