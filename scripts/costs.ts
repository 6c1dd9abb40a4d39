/** The cost of a test file: its wall-clock seconds, and its processor seconds if they were measured. */
export interface FileCost {
  file: string;
  seconds: number;
  processor: number | null;
}

export interface Limits {
  /** The limit of a run's processor time, as a multiple of the page build's processor time in the same run. */
  ratio: number;
  /** The reason for the limit; a higher limit needs a new reason. */
  reason: string;
  /** The test files that may exceed three times the median of their kind, each with a reason. */
  expensive: Readonly<Record<string, string>>;
}

/** A file below this processor time (s) is never reported, because differences between such small times are chance. */
const leastSeconds = 30;

/** The reasons why a run costs too much, one line each; empty: the cost is within the limits. */
export function findExcessiveCosts(
  { total, build, costs }: { total: number; build: number; costs: readonly FileCost[] },
  limits: Limits,
): string[] {
  const ratio = total / build;
  const found =
    ratio > limits.ratio ? [`The run took ${ratio.toFixed(1)} page builds, more than ${limits.ratio}.`] : [];
  for (const kind of ['e2e/', 'src/', 'scripts/', 'simulators/']) {
    const files = costs.flatMap(({ file, processor }) =>
      file.startsWith(kind) && processor !== null ? [{ file, processor }] : [],
    );
    const limit = Math.max(leastSeconds, 3 * medianOf(files.map(({ processor }) => processor)));
    for (const { file, processor } of files) {
      if (processor <= limit || Object.hasOwn(limits.expensive, file)) continue;
      found.push(`${file} took ${processor.toFixed(0)} s of processor, more than ${limit.toFixed(0)} s.`);
    }
  }
  return found;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
