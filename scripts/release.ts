import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { newestVersion, packDeb, packImage, packTgz, type Release, runTool } from './release/artefacts.ts';
import { type Arch, architectures, buildReleaseTree } from './release/tree.ts';
import { releaseBom } from './sbom.ts';

/**
 * Builds a release of the checked-out commit in `release/`, with the same bytes each time: `npm run release`. `--arch
 * amd64` limits it to one architecture, `--no-image` omits images, `--to FOLDER` changes the folder. `--tag` creates
 * the tag, from a clean checkout. It needs Debian's `binutils` and `dpkg`, and for images `mmdebstrap` and `umoci`, but
 * no daemon.
 */
const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true },
    'no-image': { type: 'boolean' },
    to: { type: 'string', default: 'release' },
    tag: { type: 'boolean' },
  },
});
const wanted = (values.arch ?? Object.keys(architectures)).map(readArch);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
if (newestVersion(readFileSync('CHANGELOG.md', 'utf8')) !== version)
  refuse(`CHANGELOG.md does not begin with ${version}, the version in package.json.`);
const changed = runTool('git', ['status', '--porcelain']).trim();
if (values.tag && changed) refuse(`A tag names a commit, and this checkout differs from its own:\n${changed}`);
if (values.tag && runTool('git', ['tag', '--list', `v${version}`]).trim()) refuse(`v${version} has been released.`);
if (changed) console.log('This checkout has changes that no commit has.');

const folder = resolve(values.to);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const release: Release = {
  version,
  epoch: Number(process.env['SOURCE_DATE_EPOCH'] ?? runTool('git', ['log', '-1', '--format=%ct'])),
  folder,
  scratch: mkdtempSync(join(tmpdir(), 'hatch-release-')),
};
try {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' });
  const images: Record<string, string> = {};
  const made: string[] = [];
  for (const arch of wanted) {
    const tree = join(release.scratch, `tree-${arch}`);
    await buildReleaseTree(tree, arch);
    made.push(packTgz(release, tree, arch), packDeb(release, tree, arch));
    if (!values['no-image']) {
      const { name, packages } = packImage(release, tree, arch);
      images[arch] = packages;
      made.push(name);
    }
    rmSync(tree, { recursive: true });
  }
  // The release contains the files that start the image.
  for (const name of values['no-image'] ? [] : ['compose.yaml', 'Caddyfile']) {
    copyFileSync(`deploy/${name}`, join(folder, name));
    utimesSync(join(folder, name), release.epoch, release.epoch);
    made.push(name);
  }
  const list = `hatch-${version}.cdx.json`;
  writeFileSync(join(folder, list), `${JSON.stringify(releaseBom(release.epoch, images), null, 2)}\n`);
  made.push(list);
  const sums = await Promise.all(made.map(async (name) => `${await digestOf(join(folder, name))}  ${name}\n`));
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  for (const name of made)
    console.log(`${(statSync(join(folder, name)).size / 1e6).toFixed(1).padStart(6)} MB  ${name}`);
} finally {
  rmSync(release.scratch, { recursive: true });
}
if (values.tag) {
  runTool('git', ['tag', '--annotate', '--message', `Hatch ${version}`, `v${version}`]);
  console.log(`This commit is v${version}.`);
}

function readArch(name: string): Arch {
  const known = Object.keys(architectures);
  if (!known.includes(name)) refuse(`--arch is one of ${known.join(', ')}.`);
  return name as Arch;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function refuse(words: string): never {
  console.error(words);
  process.exit(1);
}
