import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The path of the JSON file with the duration of each unit test file (s). */
export const unitTimesFile = () => join(tmpdir(), 'unit-times.json');

/** Measures times that the JSON report omits: a file's imports, and its work before and after its tests. */
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
