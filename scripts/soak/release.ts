import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#database/embedded/access.ts';
import { runTool } from '../release/artefacts.ts';
import { type TrialResult, runTrialShop, tryUnpackedRelease } from '../release/try-shop.ts';
import { printChecks } from './rush.ts';

/**
 * The limits: `archive` and `installed` for the size of the archive, packed and unpacked (MB). `minutes` limits the
 * time from the start of the package's installation to the set-up page.
 */
const most = { archive: 130, installed: 340, minutes: 2 };
/** The maximum score of `systemd-analyze security`, in tenths; 0 is the strictest service. */
const exposure = 20;

type Line = [string, boolean];

/**
 * Builds the release twice and compares the bytes: `npm run soak -- release`. It installs the package in an empty
 * Debian, runs the image, and places an order in each. `npm run soak -- release FOLDER` only tries out the archive and
 * the package in that folder. It needs root and Debian's `mmdebstrap`, `umoci` and `runc`.
 */
export async function soakRelease([made]: string[]): Promise<boolean> {
  const scratch = mkdtempSync(join(tmpdir(), 'hatch-soak-release-'));
  try {
    if (made !== undefined) return printChecks(await tryMade(made, scratch));
    const [first, second] = [join(scratch, 'first'), join(scratch, 'second')];
    for (const folder of [first, second]) {
      // The pages are built for each release, so that the comparison includes the page builds.
      execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
      execFileSync(process.execPath, ['scripts/release.ts', '--to', folder], { stdio: 'inherit' });
    }
    const [sums, again] = [first, second].map((folder) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
    rmSync(second, { recursive: true });
    return printChecks([
      [`${sums?.trim().split('\n').length} artefacts, the same bytes twice`, sums === again],
      ...(await tryMade(first, scratch)),
      await tryFreshDebian(artefact(first, /_amd64\.deb$/), scratch),
      await tryImage(artefact(first, /-amd64\.oci\.tar$/), scratch),
    ]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function tryMade(folder: string, scratch: string): Promise<Line[]> {
  const [archive, deb] = [artefact(folder, /-amd64\.tgz$/), artefact(folder, /_amd64\.deb$/)];
  const unpacked = join(scratch, 'archive');
  const tree = join(scratch, 'package');
  mkdirSync(unpacked);
  runTool('tar', ['-xzf', archive, '-C', unpacked]);
  runTool('dpkg-deb', ['-x', deb, tree]);
  // The unprivileged user must be able to enter the folder.
  runTool('chmod', ['a+rx', scratch]);
  const installed = Number(runTool('du', ['--summarize', '--block-size=1M', unpacked]).split('\t')[0]);
  const megabytes = statSync(archive).size / 1024 ** 2;
  return [
    [`archive of ${Math.round(megabytes)} MB`, megabytes <= most.archive],
    [`${installed} MB installed`, installed <= most.installed],
    ...judgeUnit(tree, scratch),
    line('the archive', await tryUnpackedRelease(join(unpacked, readdirSync(unpacked)[0] ?? '', 'bin/hatch'))),
    line("the package's tree", await tryUnpackedRelease(join(tree, 'usr/lib/hatch/bin/hatch'))),
  ];
}

/**
 * Checks the service's unit. The unit gets the path of the unpacked program, because `systemd-analyze verify` requires
 * that the program exists.
 */
function judgeUnit(tree: string, scratch: string): Line[] {
  const unit = join(scratch, 'hatch.service');
  const text = readFileSync(join(tree, 'lib/systemd/system/hatch.service'), 'utf8');
  writeFileSync(unit, text.replaceAll('/usr/bin/hatch', join(tree, 'usr/bin/hatch')));
  const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  const limit = `--threshold=${exposure}`;
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', limit, unit], { encoding: 'utf8' });
  const level = /exposure level.*: ([\d.]+)/.exec(judged.stdout)?.[1];
  return [
    [`the unit is valid ${verified.stderr}`.trim(), verified.status === 0 && verified.stderr === ''],
    [`the unit's exposure is ${level}`, judged.status === 0],
  ];
}

/**
 * Installs Debian and then runs the two commands of the documentation. The new Debian runs no systemd, so Hatch's unit
 * is only verified.
 */
async function tryFreshDebian(deb: string, scratch: string): Promise<Line> {
  const root = join(scratch, 'debian');
  runTool('mmdebstrap', ['--variant=apt', '--skip=cleanup/apt/lists', 'bookworm', root]);
  runTool('cp', ['/etc/resolv.conf', join(root, 'etc')]);
  runTool('cp', [deb, join(root, 'root/hatch.deb')]);
  const started = performance.now();
  runTool('chroot', [root, 'apt-get', 'install', '--yes', '/root/hatch.deb'], { DEBIAN_FRONTEND: 'noninteractive' });
  const installed = performance.now() - started;
  const unit = readFileSync(join(root, 'lib/systemd/system/hatch.service'), 'utf8');
  const [program = '', ...args] = /^ExecStart=(.+)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  const port = await findFreePort();
  const settings = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', `PORT=${port}`, 'LOG_LEVEL=warn'];
  runTool('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  try {
    const tried = await runTrialShop({
      start: ['chroot', '--userspec=hatch:hatch', root, ...settings, program, ...args],
      // The commands run as root, because an owner runs them by sudo.
      command: ['chroot', root, ...settings, 'hatch'],
      port,
    });
    const minutes = (installed + tried.ready) / 60_000;
    return [`a fresh Debian: ${minutes.toFixed(1)} minutes to the set-up page`, minutes <= most.minutes];
  } finally {
    runTool('umount', [join(root, 'proc')]);
  }
}

interface Bundle {
  process: { terminal: boolean; env: string[] };
  root: { readonly: boolean };
  mounts: object[];
  linux: { namespaces: { type: string }[] };
}

/** Runs the image as a container without privileges, in which only the volume is writable. */
async function tryImage(image: string, scratch: string): Promise<Line> {
  const [layout, bundle, data] = [join(scratch, 'layout'), join(scratch, 'bundle'), join(scratch, 'volume')];
  for (const folder of [layout, data]) mkdirSync(folder);
  runTool('tar', ['-xf', image, '-C', layout]);
  const [version = ''] = /\d+\.\d+\.\d+/.exec(image) ?? [];
  runTool('umoci', ['unpack', '--image', `${layout}:${version}`, bundle]);
  runTool('chown', ['1000:1000', data]);
  const file = join(bundle, 'config.json');
  const port = await findFreePort();
  const config = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
  config.process.terminal = false;
  config.process.env.push(`PORT=${port}`, 'LOG_LEVEL=warn');
  config.root.readonly = true;
  config.mounts.push(
    { destination: '/data', type: 'bind', source: data, options: ['rbind', 'rw'] },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] },
  );
  // Without a network namespace, the container is reachable on this machine's network.
  config.linux.namespaces = config.linux.namespaces.filter(({ type }) => type !== 'network');
  writeFileSync(file, JSON.stringify(config));
  const name = `hatch-soak-${process.pid}`;
  const start = ['runc', 'run', '--bundle', bundle, name] as const;
  return line('the image', await runTrialShop({ start, command: ['runc', 'exec', name, 'hatch'], port }));
}

function artefact(folder: string, name: RegExp): string {
  const found = readdirSync(folder).find((file) => name.test(file));
  if (found === undefined) throw new Error(`${folder} has no ${name}`);
  return join(folder, found);
}

/** The result line of a successful trial; a failed trial has thrown. */
function line(what: string, { ready, number }: TrialResult): Line {
  return [`${what}: ready after ${(ready / 1000).toFixed(1)} s, order ${number} placed`, true];
}
