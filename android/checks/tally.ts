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

  /** A part that does not come to its end is a failure of its own. */
  async part(name: string, run: () => Promise<void> | void): Promise<void> {
    const [before, began] = [this.passed + this.failed, performance.now()];
    try {
      await run();
    } catch (error) {
      this.check(name, false, error instanceof Error ? (error.stack ?? error.message) : error);
    }
    const count = this.passed + this.failed - before;
    this.check(`${name} has checks`, count > 0);
    console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}: ${count} checks`);
  }

  /** The counts of a program that ends with `N passed, N failed`. */
  add(name: string, output: string): void {
    const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
    if (passed === undefined) return this.check(name, false, output.slice(-2000));
    if (Number(failed) > 0) console.error(output);
    this.passed += Number(passed);
    this.failed += Number(failed);
  }
}
