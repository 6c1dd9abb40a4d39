import { spawnSync } from 'node:child_process';

export interface SignatureVerdict {
  isFailure: boolean;
  words: string;
}

/**
 * Judges the output of `npm audit signatures --json`. The verdict is a failure if a package's signature is invalid, or
 * missing although the package's registry signs packages.
 */
export function judgeSignatures(stdout: string, stderr: string): SignatureVerdict {
  const found = readReport(stdout);
  if (!found) {
    const reason = stderr.trim().split('\n').at(0) || 'no answer';
    return { isFailure: false, words: `The registry gave no signatures, so none was compared: ${reason}` };
  }
  const bad = [...new Set([...found.invalid, ...found.missing].map(({ name, version }) => `${name}@${version}`))];
  if (bad.length === 0) return { isFailure: false, words: 'All signatures that the registry gave are right.' };
  return { isFailure: true, words: `These packages are not signed as their registry signs: ${bad.join(', ')}` };
}

interface Entry {
  name: string;
  version: string;
}

function readReport(text: string): { invalid: Entry[]; missing: Entry[] } | null {
  try {
    const { invalid, missing } = JSON.parse(text) as { invalid?: Entry[]; missing?: Entry[] };
    return invalid && missing ? { invalid, missing } : null;
  } catch {
    return null;
  }
}

// Verifies the registry's signatures of all installed packages: `npm run supply -- signatures`. If the registry gives
// no signatures, the script reports that and succeeds, because many mirrors have no keys.
if (process.argv[1] === import.meta.filename) {
  const { stdout, stderr } = spawnSync('npm', ['audit', 'signatures', '--json', '--fetch-retries=0'], {
    encoding: 'utf8',
    timeout: 60_000,
    shell: process.platform === 'win32',
  });
  const { isFailure, words } = judgeSignatures(stdout, stderr);
  console.log(words);
  process.exitCode = isFailure ? 1 : 0;
}
