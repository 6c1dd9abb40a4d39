import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes the list of what the server runs, in CycloneDX, for a release: `npm run sbom [FILE]`, by default `sbom.cdx.json`. `npm sbom
 * --omit dev` leaves out what the server and a tool of development both need, so npm is shown a project that has no such tools.
 */
interface Locked {
  dev?: boolean;
  devDependencies?: unknown;
}

const file = process.argv[2] ?? 'sbom.cdx.json';
const folder = mkdtempSync(join(tmpdir(), 'hatch-sbom-'));
try {
  const { devDependencies: _tools, ...manifest } = readJson<Record<string, unknown>>('package.json');
  const lock = readJson<{ packages: Record<string, Locked> }>('package-lock.json');
  const running = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  for (const [, entry] of running) delete entry.devDependencies;
  write('package.json', manifest);
  write('package-lock.json', { ...lock, packages: Object.fromEntries(running) });
  const text = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const bom = JSON.parse(text) as { metadata: { component: { name: string } }; components: unknown[] };
  // npm calls it by its folder.
  bom.metadata.component.name = String(manifest['name']);
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${bom.components.length} packages are listed in ${file}.`);
} finally {
  rmSync(folder, { recursive: true });
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(name, 'utf8')) as T;
}

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}
