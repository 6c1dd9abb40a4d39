import { readFileSync } from 'node:fs';

/** The share of its working time that a machine may lose to others on its host in a round that counts. */
const calm = 0.03;

export interface Rounds<T> {
  counted: T[];
  /** How many rounds there were, and what the host took in those that count, as text. */
  words: string;
}

/**
 * Runs rounds until `wanted` of them had the machine to themselves, at most three times as many; after that the calmest
 * ones count. While a virtual machine's host works for others, a page seems to hang although it does not. Only the lost
 * time decides which rounds count (`steal` in `/proc/stat`; without that file all count), never their measurements.
 */
export async function calmRounds<T>(wanted: number, run: () => Promise<T>): Promise<Rounds<T>> {
  const rounds: { result: T; stolen: number }[] = [];
  const areCalm = () => rounds.filter(({ stolen }) => stolen <= calm).length >= wanted;
  while (!areCalm() && rounds.length < 3 * wanted) {
    const before = readTimes();
    const result = await run();
    const after = readTimes();
    const worked = after.worked - before.worked;
    rounds.push({ result, stolen: worked === 0 ? 0 : (after.stolen - before.stolen) / worked });
  }
  const calmest = rounds.toSorted((a, b) => a.stolen - b.stolen).slice(0, wanted);
  const most = Math.max(0, ...calmest.map(({ stolen }) => stolen));
  const percent = `${(100 * most).toFixed(1)} %`;
  return {
    counted: calmest.map(({ result }) => result),
    words: `the calmest ${wanted} of ${rounds.length} rounds; others took at most ${percent} of the machine's working time`,
  };
}

/** The working time in ticks since the machine started, including stolen time. */
function readTimes(): { worked: number; stolen: number } {
  let line = '';
  try {
    line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  } catch {
    // Not on Linux: no stolen time is known.
  }
  // The columns in the kernel's documentation: user, nice, system, idle, iowait, irq, softirq, steal.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = line.split(/\s+/).slice(1).map(Number);
  return { worked: user + nice + system + irq + softirq + stolen, stolen };
}
