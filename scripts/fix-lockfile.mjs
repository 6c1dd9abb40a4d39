// Completes the lockfile in an empty folder; run this script after every change of dependencies. npm omits other
// platforms' packages from package-lock.json if they are not in node_modules, and `npm ci` then fails on those
// platforms. Without any node_modules, npm writes all of them, each with its integrity.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'hatch-lockfile-'));
try {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const known = Object.entries(lock.packages).filter(([path, entry]) => path === '' || entry.integrity);
  lock.packages = Object.fromEntries(known);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  for (const name of ['package.json', '.npmrc']) copyFileSync(name, join(folder, name));
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved'];
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  copyFileSync(join(folder, 'package-lock.json'), 'package-lock.json');
} finally {
  rmSync(folder, { recursive: true });
}
