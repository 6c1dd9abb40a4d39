import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const variables = (css: string): string[] => css.match(/--[\w-]+:[^;]+;/g) ?? [];

test('a screen that a person made dark has the same colours as a dark device', async () => {
  const tokens = await readFile(new URL('../platform/web/tokens.css', import.meta.url), 'utf8');
  const dark = await readFile(new URL('web/dark.css', import.meta.url), 'utf8');
  const ofDevice = variables(tokens.slice(tokens.indexOf('prefers-color-scheme: dark')));
  expect(ofDevice.length).toBeGreaterThan(20);
  const [onScreen = ''] = dark.split('@media print');
  expect(variables(onScreen)).toEqual(ofDevice);
});
