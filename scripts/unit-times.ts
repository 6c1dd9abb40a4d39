import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Where the seconds of each file of unit tests stand after a run, by its path, as JSON. */
export const unitTimesFile = () => join(tmpdir(), 'unit-times.json');

/** Counts what the report in JSON leaves out: what a file imports, and what it does before and after its tests. */
export default class UnitTimes implements Reporter {
  readonly #seconds: Record<string, number> = {};

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, setupDuration, duration } = module.diagnostic();
    this.#seconds[relative('.', module.moduleId)] = (collectDuration + setupDuration + duration) / 1000;
  }

  onTestRunEnd(): void {
    writeFileSync(unitTimesFile(), JSON.stringify(this.#seconds));
  }
}
