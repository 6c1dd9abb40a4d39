import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Arch } from './tree.ts';

export interface Release {
  version: string;
  /** The commit's time in seconds since 1970, which every packed file gets as its modification time. */
  epoch: number;
  folder: string;
  scratch: string;
}

/** Documentation pages for the person who installs Hatch, packed beside the programs. */
const docs = [
  'CHANGELOG.md',
  'docs/install-at-home.md',
  'docs/install-on-a-server.md',
  'docs/domain.md',
  'docs/operations.md',
  'docs/hatch.md',
];

/** Runs a tool; if it fails, prints its output. */
export function runTool(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The options with which `tar` writes the same bytes for the same files, whatever their owners and times. */
export function reproducibleTarOptions({ epoch }: Pick<Release, 'epoch'>, owner = 0): string[] {
  const times = ['--sort=name', '--format=gnu', `--mtime=@${epoch}`];
  return [...times, `--owner=${owner}`, `--group=${owner}`, '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
}

/** Packs the tree into an archive with one folder, for any Linux with glibc. Returns the artefact's name. */
export function packTgz(release: Release, tree: string, arch: Arch): string {
  const name = `hatch-${release.version}-${arch}`;
  const archive = join(release.folder, `${name}.tar`);
  const renamed = ['--transform', `flags=r;s,^\\.,${name},`];
  runTool('tar', [...reproducibleTarOptions(release), ...renamed, '-C', tree, '-cf', archive, '.']);
  runTool('gzip', ['--no-name', '--force', archive]);
  runTool('mv', [`${archive}.gz`, join(release.folder, `${name}.tgz`)]);
  return `${name}.tgz`;
}

/** Packs the Debian package. Returns the artefact's name. */
export function packDeb(release: Release, tree: string, arch: Arch): string {
  const root = join(release.scratch, `deb-${arch}`);
  const put = (from: string, to: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(from, join(root, to));
    chmodSync(join(root, to), mode);
  };
  mkdirSync(join(root, 'usr/lib'), { recursive: true });
  runTool('cp', ['--archive', '--link', tree, join(root, 'usr/lib/hatch')]);
  put('packaging/debian/hatch', 'usr/bin/hatch', 0o755);
  put('packaging/hatch.service', 'lib/systemd/system/hatch.service');
  for (const script of ['postinst', 'prerm', 'postrm']) put(`packaging/debian/${script}`, `DEBIAN/${script}`, 0o755);
  put('LICENSE', 'usr/share/doc/hatch/copyright');
  for (const page of docs) put(page, `usr/share/doc/hatch/${page.replace('docs/', '')}`);
  put('deploy/Caddyfile', 'usr/share/doc/hatch/Caddyfile');
  // The first install copies this file to `/etc`. If the package owned the file in `/etc`, apt could ask at an update
  // which version to keep, while the shop is stopped.
  mkdirSync(join(root, 'usr/share/hatch'), { recursive: true });
  writeFileSync(join(root, 'usr/share/hatch/hatch.env'), packageSettings(readFileSync('.env.example', 'utf8')));
  const size = runTool('du', ['--apparent-size', '--summarize', '--block-size=1024', root]).split('\t')[0] ?? '';
  const control = readFileSync('packaging/debian/control', 'utf8');
  writeFileSync(
    join(root, 'DEBIAN/control'),
    control.replace('VERSION', release.version).replace('ARCH', arch).replace('SIZE', size),
  );
  runTool('chmod', ['-R', 'u+rwX,go+rX,go-w', root]);
  setTimes(root, release.epoch);
  const name = `hatch_${release.version}_${arch}.deb`;
  const settings = ['--root-owner-group', '-Zzstd', '-z10'];
  runTool('dpkg-deb', [...settings, '--build', root, join(release.folder, name)], {
    SOURCE_DATE_EPOCH: String(release.epoch),
  });
  rmSync(root, { recursive: true });
  return name;
}

/**
 * The settings file of the Debian package: `.env.example` with DATA_DIR set to the folder to which the service may
 * write.
 */
export function packageSettings(example: string): string {
  // NODE_ENV is left out, because `hatch start` sets it.
  const paragraphs = example
    .trimEnd()
    .split('\n\n')
    .slice(1)
    .filter((text) => !text.includes('\n#NODE_ENV='));
  const intro =
    '# The settings of the shop, read by its service and by the command hatch. After a change: sudo systemctl restart hatch';
  return `${[intro, ...paragraphs].join('\n\n')}\n`.replace(/^#DATA_DIR=.*$/m, 'DATA_DIR=/var/lib/hatch');
}

function setTimes(folder: string, epoch: number): void {
  runTool('find', [folder, '-exec', 'touch', '--no-dereference', `--date=@${epoch}`, '{}', '+']);
}

/** The Debian packages in the image, which are installed with their dependencies. */
const ofImage = ['base-files', 'libc-bin', 'libstdc++6', 'libatomic1', 'dash', 'coreutils'];
const mirrors = ['debian bookworm', 'debian bookworm-updates', 'debian-security bookworm-security'];
const user = 1000;

/** Packs the container image, and lists its Debian packages. */
export function packImage(release: Release, tree: string, arch: Arch): { name: string; packages: string } {
  const { epoch, scratch, version } = release;
  const debian = join(scratch, `debian-${arch}.tar`);
  const kept = ['path-exclude=/usr/share/man/*', 'path-exclude=/usr/share/locale/*', 'path-exclude=/usr/share/info/*'];
  runTool(
    'mmdebstrap',
    [
      '--variant=extract',
      `--architectures=${arch}`,
      `--include=${ofImage.join(',')}`,
      '--skip=output/dev',
      ...kept.map((option) => `--dpkgopt=${option}`),
      'bookworm',
      debian,
      ...mirrors.map((mirror) => `deb http://deb.debian.org/${mirror} main`),
    ],
    { SOURCE_DATE_EPOCH: String(epoch) },
  );
  const layout = join(scratch, `image-${arch}`);
  const image = `${layout}:${version}`;
  const at = new Date(epoch * 1000).toISOString();
  const history = ['--history.created', at];
  runTool('umoci', ['init', '--layout', layout]);
  runTool('umoci', ['new', '--image', image]);
  runTool('umoci', ['raw', 'add-layer', '--image', image, ...history, '--history.created_by', 'Debian', debian]);
  const own = layerOf(release, tree, arch);
  runTool('umoci', ['raw', 'add-layer', '--image', image, ...history, '--history.created_by', `Hatch ${version}`, own]);
  runTool('umoci', [
    'config',
    '--image',
    image,
    '--created',
    at,
    ...history,
    '--os',
    'linux',
    '--architecture',
    arch,
    ...runs,
  ]);
  describeHealth(layout, version, healthCheck);
  runTool('umoci', ['gc', '--layout', layout]);
  const name = `hatch-${version}-${arch}.oci.tar`;
  runTool('tar', [...reproducibleTarOptions(release), '-C', layout, '-cf', join(release.folder, name), '.']);
  const packages = runTool('tar', ['-xOf', debian, './var/lib/dpkg/status']);
  for (const path of [layout, debian, own]) rmSync(path, { recursive: true });
  return { name, packages };
}

const runs = [
  `--config.user ${user}:${user} --config.workingdir /data --config.volume /data --config.exposedports 3000/tcp`,
  '--config.entrypoint /usr/bin/hatch --config.cmd start --config.cmd --empty',
  '--config.env PATH=/usr/bin:/bin --config.env DATA_DIR=/data',
].flatMap((options) => options.split(' '));
const askItself =
  'fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))';
const seconds = 1e9;
const healthCheck = {
  Test: ['CMD', '/usr/lib/hatch/node_modules/.bin/node', '-e', askItself],
  Interval: 30 * seconds,
  Timeout: 6 * seconds,
  StartPeriod: 60 * seconds,
  Retries: 3,
};

function layerOf(release: Release, tree: string, arch: Arch): string {
  const root = join(release.scratch, `layer-${arch}`);
  for (const path of ['usr/lib', 'usr/bin', 'etc', 'data']) mkdirSync(join(root, path), { recursive: true });
  runTool('cp', ['--archive', '--link', tree, join(root, 'usr/lib/hatch')]);
  symlinkSync('../lib/hatch/bin/hatch', join(root, 'usr/bin/hatch'));
  // PostgreSQL looks up the name of the user that runs it, so the image needs these two files.
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0:root:/:/bin/sh\nhatch:x:${user}:${user}:Hatch:/data:/bin/sh\n`);
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nhatch:x:${user}:\n`);
  const layer = `${root}.tar`;
  runTool('tar', [...reproducibleTarOptions(release), '-C', root, '-cf', layer, './etc', './usr']);
  runTool('tar', [...reproducibleTarOptions(release, user), '-C', root, '-rf', layer, './data']);
  rmSync(root, { recursive: true });
  return layer;
}

interface Blob {
  digest: string;
  size: number;
}

/**
 * Adds the image metadata for which `umoci` has no options: the health check, and the image's name for Docker with and
 * without the containerd store.
 */
function describeHealth(layout: string, version: string, health: object): void {
  const pathOf = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;
  const put = (content: object): Blob => {
    const text = JSON.stringify(content);
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    writeFileSync(pathOf(digest), text);
    return { digest, size: Buffer.byteLength(text) };
  };
  const index = read<{ manifests: (Blob & { annotations?: Record<string, string> })[] }>(join(layout, 'index.json'));
  const [first] = index.manifests;
  if (!first) throw new Error(`${layout} has no image.`);
  const manifest = read<{ config: Blob; layers: Blob[] }>(pathOf(first.digest));
  const image = read<{ config: object }>(pathOf(manifest.config.digest));
  const config = { ...manifest.config, ...put({ ...image, config: { ...image.config, Healthcheck: health } }) };
  const name = `hatch:${version}`;
  const annotations = { ...first.annotations, 'io.containerd.image.name': `docker.io/library/${name}` };
  const described = { ...first, ...put({ ...manifest, config }), annotations };
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ ...index, manifests: [described] }));
  const blobOf = ({ digest }: Blob) => `blobs/${digest.replace(':', '/')}`;
  const list = [{ Config: blobOf(config), RepoTags: [name], Layers: manifest.layers.map(blobOf) }];
  writeFileSync(join(layout, 'manifest.json'), JSON.stringify(list));
}

/** The version in a changelog's first heading; null: none. */
export function newestVersion(text: string): string | null {
  return /^## (\d+\.\d+\.\d+)\b/m.exec(text)?.[1] ?? null;
}
