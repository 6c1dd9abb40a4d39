import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm run make -- common-passwords` writes the most common passwords of sufficient length, the most common first. They
 * come from the package zxcvbn-ts. If the package is missing in `scripts/common-passwords/generator`, it is installed
 * there.
 */
const generator = fileURLToPath(new URL('./common-passwords/generator/', import.meta.url));
const source = `${generator}node_modules/@zxcvbn-ts/language-common/src/passwords.json`;
const target = fileURLToPath(new URL('../src/accounts/server/common-passwords.txt', import.meta.url));
const wanted = 10_000;
/** The minimum length of a password; shorter passwords are refused for their length. */
const shortest = 8;

if (!existsSync(source)) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: generator,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
// The cast is safe, because the package documents this type.
const all = JSON.parse(readFileSync(source, 'utf8')) as string[];
const common = all.filter((password) => password.length >= shortest).slice(0, wanted);
writeFileSync(target, `${common.join('\n')}\n`);
