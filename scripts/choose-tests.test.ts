import { expect, test } from 'vitest';
import { chooseTests } from './choose-tests.ts';

const imports = new Map(
  Object.entries({
    'src/app.ts': ['src/store/server/handlers.ts', 'src/menu/server/handlers.ts'],
    'src/store/hours.ts': [],
    'src/store/hours.test.ts': ['src/store/hours.ts'],
    'src/store/server/handlers.ts': ['src/store/hours.ts'],
    'src/store/server/handlers.test.ts': ['src/testing/test-app.ts'],
    'src/menu/times.ts': ['src/store/hours.ts'],
    'src/menu/times.test.ts': ['src/menu/times.ts'],
    'src/menu/other.test.ts': [],
    'src/menu/server/handlers.ts': [],
    'src/menu/server/handlers.test.ts': ['src/testing/test-app.ts'],
    'src/menu/server/rows.test.ts': ['src/store/hours.ts', 'src/testing/test-database.ts'],
    'src/testing/test-app.ts': ['src/app.ts'],
    'src/testing/test-database.ts': [],
    'src/testing/access.test.ts': ['src/testing/test-app.ts'],
    'simulators/printers/roll.ts': [],
    'simulators/printers/roll.test.ts': [],
    'scripts/print-hours.ts': ['src/store/hours.ts'],
    'scripts/print-hours.test.ts': ['scripts/print-hours.ts'],
  }),
);

test('a change chooses its domain’s own tests, and elsewhere the pure ones that import it', () => {
  expect(chooseTests(['src/store/hours.ts'], imports)).toEqual([
    'scripts/print-hours.test.ts',
    'src/menu/times.test.ts',
    'src/store/hours.test.ts',
    'src/store/server/handlers.test.ts',
  ]);
});

test('a file that nothing imports, such as a style sheet, chooses its domain’s own tests', () => {
  expect(chooseTests(['src/menu/web/menu.css'], imports)).toEqual([
    'src/menu/other.test.ts',
    'src/menu/server/handlers.test.ts',
    'src/menu/server/rows.test.ts',
    'src/menu/times.test.ts',
  ]);
});

test('a simulator chooses its own tests', () => {
  expect(chooseTests(['simulators/printers/roll.ts'], imports)).toEqual(['simulators/printers/roll.test.ts']);
});

test('the application itself, the two sweeps over every call, and a text choose nothing', () => {
  expect(chooseTests(['src/app.ts', 'src/testing/access.test.ts', 'README.md'], imports)).toEqual([]);
});

test('a changed test is chosen', () => {
  expect(chooseTests(['scripts/print-hours.test.ts'], imports)).toEqual(['scripts/print-hours.test.ts']);
});
