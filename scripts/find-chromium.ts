import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

/**
 * The path of a Chromium to test with: `CHROMIUM_PATH`, one of the system's, or Playwright's own. Without any it
 * installs one and says how: Debian's package where this may, Playwright's download elsewhere.
 */
export function findChromium(say: (line: string) => void): string {
  const found = look();
  if (found) return found;
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (isDebianRoot) {
    say('No Chromium found. Installing it: apt-get install chromium fonts-liberation');
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'],
      options,
    );
  } else {
    say('No Chromium found. Downloading one: playwright install chromium');
    execFileSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
      stdio: 'inherit',
    });
  }
  const installed = look();
  if (!installed) throw new Error('Chromium could not be installed. Install it by hand and set CHROMIUM_PATH.');
  return installed;
}

function look(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  return [...usual, chromium.executablePath()].find((path) => existsSync(path));
}
