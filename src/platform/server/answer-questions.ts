import type { AskedQuestion, GivenAnswer } from '#platform/server/idle-process.ts';

/**
 * The child's side of an idle process: answers questions as they arrive. An error that is thrown is passed to the
 * asker.
 */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  process.on('message', (message) => {
    // The other side is `createIdleProcess`.
    const { id, question } = message as AskedQuestion<Question>;
    void tryTo(id, () => answer(question)).then((given) => process.send?.(given));
  });
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
