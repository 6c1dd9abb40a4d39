import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOf, findOut, type Installed, type Pin, sha256 } from '../build/debian-tools.ts';
import type { Tally } from './tally.ts';

/** A machine whose tool is not the one of the list is refused, with the reason. */
export function checkTools(tally: Tally, folder: string): void {
  const info = join(folder, 'var/lib/dpkg/info');
  mkdirSync(info, { recursive: true });
  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  const program = join(folder, 'usr/bin/tool');
  writeFileSync(program, 'as packed');
  const md5 = createHash('md5').update('as packed').digest('hex');
  const list = `${md5}  usr/bin/tool\n${md5}  usr/share/doc/tool/copyright\n`;
  writeFileSync(join(info, 'tool:amd64.md5sums'), list);
  const pin: Pin = {
    name: 'tool',
    version: '1.0',
    architecture: 'amd64',
    deb: '',
    list: sha256(list),
    isForChecks: false,
  };
  const machine = (version: string | null): Installed => ({ root: folder, versionOf: () => version });
  const found = (changed: Partial<Pin> = {}, version: string | null = '1.0', architecture = 'amd64') =>
    faultsOf({ ...pin, ...changed }, machine(version), architecture);
  tally.equal('the tool of the list', found(), []);
  tally.equal('another version', found({}, '1.1'), ['tool is 1.1, and not 1.0']);
  tally.equal('none', found({}, null), ['tool is missing, and not 1.0']);
  tally.equal('another package of this name', found({ list: sha256('') }), [
    'tool 1.0: another package has this name and version',
  ]);
  tally.check('another kind of machine', found({}, '1.0', 'arm64')[0]?.includes('this is arm64') === true);
  writeFileSync(program, 'changed');
  tally.equal('a changed file', found(), ['tool 1.0: /usr/bin/tool was changed after it was installed']);
  checkLeast(tally, pin);
  checkCommand(tally, pin, folder);
}

/** Where a least version is enough, a newer tool is taken as it is, on any kind of machine. */
function checkLeast(tally: Tally, pin: Pin): void {
  const found = (version: string) =>
    faultsOf({ ...pin, least: '17' }, { root: '/nowhere', versionOf: () => version }, 'arm64');
  tally.equal('the least version', found('17'), []);
  tally.equal('a Debian’s newer one', found('21.0.9+10-1'), []);
  tally.equal('an older one', found('11.0.2+9-3'), ['tool is 11.0.2+9-3, and not 17 or later']);
}

/** All that is wrong is told at once, before anything is installed, with the one command that mends it. */
function checkCommand(tally: Tally, pin: Pin, folder: string): void {
  const versions: Record<string, string> = { newer: '2.0', old: '11' };
  const machine = { root: folder, versionOf: (name: string) => versions[name] ?? null };
  const named = (name: string, change: Partial<Pin> = {}): Pin => ({ ...pin, name, ...change });
  const pins = [named('newer'), named('old', { least: '17' }), named('gone')];
  const { missing, words } = findOut(pins, machine, 'amd64');
  tally.equal(
    'what is missing',
    missing.map(({ name }) => name),
    ['gone'],
  );
  tally.check(
    'each fault',
    ['newer is 2.0, and not 1.0', 'old is 11, and not 17 or later'].every((each) => words?.includes(each)),
    words,
  );
  tally.check(
    'one command for all',
    words?.includes('--no-install-recommends newer=1.0 old gone=1.0\n') === true,
    words,
  );
  tally.equal('nothing wrong', findOut([named('gone')], machine, 'amd64').words, null);
}
