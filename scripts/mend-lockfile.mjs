// Adds platform-only optional packages that the registry left out to package-lock.json, so that `npm ci` does not
// report "Missing: X@ from lock file". Other machines resolve them by name. Run after every change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs';
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const P = lock.packages;
let n = 0;
for (const [key, pkg] of Object.entries({ ...P })) {
  for (const [name, range] of Object.entries(pkg.optionalDependencies ?? {})) {
    let dir = key,
      found = false;
    for (;;) {
      if (P[`${dir ? `${dir}/` : ''}node_modules/${name}`]) {
        found = true;
        break;
      }
      if (!dir) break;
      dir = dir.includes('/node_modules/') ? dir.slice(0, dir.lastIndexOf('/node_modules/')) : '';
    }
    if (found) continue;
    const version = range.replace(/^[\^~]/, '');
    const os =
      ['android', 'darwin', 'freebsd', 'win32', 'openbsd', 'openharmony', 'sunos', 'aix', 'netbsd'].find((o) =>
        name.includes(`-${o}`),
      ) ?? 'linux';
    const cpu = /wasm32/.test(name)
      ? 'wasm32'
      : (['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64'].find((c) => name.includes(`-${c}`)) ??
        'none');
    // musl builds: libc keeps them out of glibc machines
    P[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      optional: true,
      os: [os],
      ...(/musl/.test(name) && { libc: ['musl'] }),
      ...(pkg.dev && { dev: true }),
    };
    n++;
    console.log('stub', name, version, os, cpu);
  }
}
lock.packages = Object.fromEntries(Object.entries(P).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(n, 'stubs');
