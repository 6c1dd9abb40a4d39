import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOf, type Installed, type Pin, sha256 } from '../build/debian-tools.ts';
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
}
