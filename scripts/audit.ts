import { spawnSync } from 'node:child_process';

/**
 * Asks the registry for known vulnerabilities of the packages: `npm run supply -- audit`. If the registry gives no
 * answer, the script reports that and succeeds, because many mirrors lack the service. It exits with 1 only for high or
 * critical vulnerabilities in packages that the server runs.
 */
const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--omit=dev'], { encoding: 'utf8', timeout: 120_000 });
const found = readReport(stdout);
if (!found) {
  const reason = readError(stdout) || stderr.trim().split('\n').at(-1) || 'no answer';
  console.log(`The registry gave no answer about weaknesses, so nothing is known of them: ${reason}`);
  process.exit(0);
}
const { low = 0, moderate = 0, high = 0, critical = 0 } = found;
console.log(`Known weaknesses: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low.`);
if (critical + high > 0) console.log('npm audit --omit=dev names them.');
process.exit(critical + high > 0 ? 1 : 0);

function readReport(text: string): Partial<Record<'low' | 'moderate' | 'high' | 'critical', number>> | null {
  const report = parse(text) as { metadata?: { vulnerabilities?: Record<string, number> } } | null;
  return report?.metadata?.vulnerabilities ?? null;
}

function readError(text: string): string | undefined {
  const report = parse(text) as { message?: string; error?: { summary?: string } } | null;
  return report?.error?.summary || report?.message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
