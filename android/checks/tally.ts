/** Counts the checks; each failure is said at once. */
export class Tally {
  passed = 0;
  failed = 0;

  check(name: string, isGood: boolean, found?: unknown): void {
    if (isGood) {
      this.passed += 1;
      return;
    }
    this.failed += 1;
    console.error(`✗ ${name}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`);
  }

  equal(name: string, found: unknown, wanted: unknown): void {
    this.check(name, JSON.stringify(found) === JSON.stringify(wanted), { found, wanted });
  }

  /** Counts what a part of the checks counts, which may run beside others. One that does not come to its end has failed. */
  async part(name: string, run: (tally: Tally) => Promise<void> | void): Promise<void> {
    const began = performance.now();
    const own = new Tally();
    try {
      await run(own);
    } catch (error) {
      own.check(name, false, error instanceof Error ? (error.stack ?? error.message) : error);
    }
    own.check(`${name} has checks`, own.passed + own.failed > 0);
    this.passed += own.passed;
    this.failed += own.failed;
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
    console.log(`${seconds} s  ${name}: ${own.passed} passed, ${own.failed} failed`);
  }

  /** The counts of a program that ends with `N passed, N failed`. */
  add(name: string, output: string): void {
    const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
    if (passed === undefined) return this.check(`${name} came to its end`, false, output.slice(-2000));
    if (Number(failed) > 0) console.error(output);
    this.passed += Number(passed);
    this.failed += Number(failed);
  }
}
