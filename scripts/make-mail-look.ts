import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Generates the HTML of every mail from its MJML: `npm run make -- mail-look`, after a change of
 * `scripts/mail-look/mail.mjml`. With `--check` it only compares. MJML is installed in `scripts/mail-look/generator` if
 * it is missing.
 */
const folder = new URL('./mail-look/', import.meta.url);
const generator = fileURLToPath(new URL('generator/', folder));
const source = readFileSync(new URL('mail.mjml', folder), 'utf8');
const target = fileURLToPath(new URL('../src/mail/server/look.html', import.meta.url));

interface Mjml {
  default(source: string, options: object): Promise<{ html: string; errors: { formattedMessage: string }[] }>;
}

if (!existsSync(`${generator}node_modules`)) {
  console.log('MJML is missing. Installing it: npm ci --prefix scripts/mail-look/generator');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: generator,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
const made = await make();
if (!process.argv.includes('--check')) {
  writeFileSync(target, made);
  console.log(`${Math.round(made.length / 1024)} KB`);
} else if (readFileSync(target, 'utf8') !== made) {
  console.error(
    'src/mail/server/look.html is not what scripts/mail-look/mail.mjml gives. Run: npm run make -- mail-look',
  );
  process.exitCode = 1;
}

async function make(): Promise<string> {
  const load = createRequire(`${generator}package.json`);
  const { default: compile } = load('mjml-core') as Mjml;
  const preset = load('mjml-preset-core') as object;
  // The validator is off, because it refuses the placeholders of colours.
  const { html } = await compile(source, { presets: [preset], validationLevel: 'skip', fonts: {} });
  const body = `${html
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')}\n`;
  // A test compares these hashes with `mail.mjml` and `look.html`, because the tests have no MJML to compile them
  // again.
  return `<!-- Made by scripts/make-mail-look.ts: source ${hashOf(source)}, made ${hashOf(body)} -->\n${body}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
