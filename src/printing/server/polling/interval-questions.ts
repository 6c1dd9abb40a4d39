/** Which printers are asked how often they poll: a minute after one that did not answer, and every hour. */
export interface IntervalQuestions {
  /** Whether to ask now; then it has been asked. */
  isDue(printerId: string): boolean;
  answered(printerId: string): void;
}

const hour = 60 * 60_000;
const minute = 60_000;

export function createIntervalQuestions(now: () => Date): IntervalQuestions {
  const nextAt = new Map<string, number>();
  return {
    isDue(printerId) {
      const at = now().getTime();
      if (at < (nextAt.get(printerId) ?? 0)) return false;
      nextAt.set(printerId, at + minute);
      return true;
    },
    answered: (printerId) => void nextAt.set(printerId, now().getTime() + hour),
  };
}
