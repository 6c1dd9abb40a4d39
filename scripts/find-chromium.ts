import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/**
 * The path of Debian's windowless Chromium. It has the same engine as a whole Chromium, and makes journeys a third
 * faster.
 */
const shell = '/usr/bin/chromium-headless-shell';
const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

/**
 * Finds a Chromium for tests: `CHROMIUM_PATH`, an installed one, or Playwright's download. `isWhole`: the test needs a
 * whole browser, as Lighthouse and notifications do; otherwise a windowless Chromium suffices. If none is found, it
 * reports that by `say` and installs one. Root on Debian gets Debian's package, anybody else Playwright's download.
 */
export function findChromium(say: (line: string) => void, { isWhole = true } = {}): string {
  const found = look(isWhole);
  if (found) return found;
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (isDebianRoot) {
    const packages = [isWhole ? 'chromium' : 'chromium-headless-shell', 'fonts-liberation'];
    say(`No Chromium found. Installing it: apt-get install ${packages.join(' ')}`);
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  } else {
    say('No Chromium found. Downloading one: playwright install chromium');
    execFileSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    });
  }
  const installed = look(isWhole);
  if (!installed) throw new Error('Chromium could not be installed. Install it by hand and set CHROMIUM_PATH.');
  return installed;
}

function look(isWhole: boolean): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  return [...(isWhole ? [] : [shell]), ...usual, chromium.executablePath()].find((path) => existsSync(path));
}
