// npm leaves packages of other platforms out of package-lock.json where node_modules is there without them, and `npm ci`
// fails on those platforms. Where nothing is installed it writes all, each with its integrity: so this has it complete
// the lockfile in an empty folder. Run after every change of dependencies.
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
