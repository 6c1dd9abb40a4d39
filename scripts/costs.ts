/** A file of tests: its seconds on the clock, and of processor where they are measured. */
export interface FileCost {
  file: string;
  seconds: number;
  processor: number | null;
}

export interface Limits {
  /** The most processor seconds of the whole run, as a multiple of those of the page build in the same run. */
  ratio: number;
  /** Why it is what it is; it goes up with a new one only. */
  reason: string;
  /** Each file above three times the median of its kind, and why. */
  expensive: Readonly<Record<string, string>>;
}

/** A file that takes less is never named: below this, differences are chance. */
const leastSeconds = 30;

/** Why a run costs too much, one line each; empty if it does not. */
export function findExcess(
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
