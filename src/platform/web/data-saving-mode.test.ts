import { expect, test, vi } from 'vitest';
import { savesData } from '#platform/web/data-saving-mode.ts';

test.each([
  [{ connection: { saveData: true } }, true],
  [{ connection: { saveData: false } }, false],
  [{}, false],
])('of a browser with %j, saving data is %s', (navigator, isSaving) => {
  vi.stubGlobal('navigator', navigator);
  expect(savesData()).toBe(isSaving);
});
