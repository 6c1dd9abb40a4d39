/**
 * When a job may wait for each printer, cached in memory so that an empty poll makes no query. It may be wrong in one
 * direction only: it says that a job may wait where none does.
 */
export interface WaitingJobs {
  /** The printer's jobs changed: the cached knowledge of them is stale. */
  disturb(printerId: string): void;
  /** The same of every printer, after notifications were missed. */
  disturbAll(): void;
  mayHave(printerId: string, now: Date): boolean;
  /** To be taken before the database is asked, and given to `learn`: changes meanwhile stay disturbed. */
  moment(): number;
  /** The database said at `moment` that the printer's next job is due at `at`; null: it has none. */
  learn(printerId: string, at: Date | null, moment: number): void;
  /** The same of every printer; those that are not named have no job. */
  learnAll(next: ReadonlyMap<string, Date>, moment: number): void;
}

export function createWaitingJobs(): WaitingJobs {
  let count = 0;
  /** The moment at which everything was disturbed last; -1 once all is known again. */
  let allDisturbed = 0;
  const disturbed = new Map<string, number>();
  let known = new Map<string, Date>();
  /** The moments of the newest answers: an answer that was asked for earlier, and comes later, changes nothing. */
  let allLearnt = -1;
  const learnt = new Map<string, number>();

  const isKnown = (printerId: string) => allDisturbed < 0 && !disturbed.has(printerId);
  return {
    disturb(printerId) {
      disturbed.set(printerId, (count += 1));
    },
    disturbAll() {
      allDisturbed = count += 1;
    },
    mayHave(printerId, now) {
      const at = known.get(printerId);
      return !isKnown(printerId) || (at !== undefined && at <= now);
    },
    moment: () => count,
    learn(printerId, at, moment) {
      const newest = Math.max(disturbed.get(printerId) ?? 0, learnt.get(printerId) ?? 0, allLearnt);
      if (newest > moment) return;
      learnt.set(printerId, moment);
      disturbed.delete(printerId);
      if (at === null) known.delete(printerId);
      else known.set(printerId, at);
    },
    learnAll(next, moment) {
      if (Math.max(allDisturbed, allLearnt) > moment) return;
      allDisturbed = -1;
      allLearnt = moment;
      const later = new Map([...disturbed].filter(([, at]) => at > moment));
      disturbed.clear();
      for (const [printerId, at] of later) disturbed.set(printerId, at);
      const learntLater = [...learnt].filter(([, at]) => at > moment);
      learnt.clear();
      const before = known;
      known = new Map(next);
      for (const [printerId, at] of learntLater) {
        learnt.set(printerId, at);
        const own = before.get(printerId);
        if (own === undefined) known.delete(printerId);
        else known.set(printerId, own);
      }
    },
  };
}
