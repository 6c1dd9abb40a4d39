import { parentPort } from 'node:worker_threads';
import type { AskedQuestion, GivenAnswer } from '#platform/server/idle-worker.ts';

/**
 * The worker's side of an idle worker: answers the questions as they come, in a thread or in a process of its own. What it
 * throws is the asker's error.
 */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  const listen = (post: (message: GivenAnswer<Answer>) => unknown) => (message: unknown) => {
    // The other side is `createIdleWorker`.
    const { id, question } = message as AskedQuestion<Question>;
    void tryTo(id, () => answer(question)).then(post);
  };
  if (parentPort) {
    const port = parentPort;
    port.on(
      'message',
      listen((message) => port.postMessage(message, [])),
    );
    return;
  }
  process.on(
    'message',
    listen((message) => process.send?.(message)),
  );
  // The one who asks has gone.
  process.on('disconnect', () => process.exit());
}

async function tryTo<Answer>(id: number, answer: () => Answer | Promise<Answer>): Promise<GivenAnswer<Answer>> {
  try {
    return { id, answer: await answer() };
  } catch (error) {
    return { id, error: String(error) };
  }
}
