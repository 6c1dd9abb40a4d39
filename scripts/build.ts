import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { constants as priorities, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);
const stampFile = new URL('build.json', dist);
const products = [
  'dist/client/.vite/office-en.json',
  'dist/ssr/entry-server.js',
  'src/messages.gen/en/all.ts',
  'dist/api-viewer.js',
];

const levels = { info: 30, warn: 40, error: 60 };

process.chdir(fileURLToPath(root));
// Tests and developers' shells may set another NODE_ENV, for which JSX would be compiled differently.
process.env['NODE_ENV'] = 'production';

/**
 * The compressors with their settings. Brotli at its slowest quality makes files a fifth smaller than gzip. This
 * compression would take a fifth of a first start's time, so `--for-start` adds the Brotli files after the start.
 */
const compressors = {
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
};

const wish = process.argv[2];
const sources = await hashSources();
const stamp = await readStamp();
if (wish === '--add-brotli') {
  await setTimeout(Number(process.argv[3] ?? 0) * 1000);
  setPriority(priorities.priority.PRIORITY_LOW);
  await addBrotli();
} else if (isWanted()) {
  refuseWithoutTools();
  const started = performance.now();
  say('Building the web pages…');
  await buildPages();
  const { user, system } = process.cpuUsage();
  // Seconds of processor time, with which `check-costs.ts` compares a test run.
  const processor = (user + system) / 1e6;
  await writeStamp({ sources, processor, hasBrotli: wish !== '--for-start' });
  say(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
} else if (wish === '--if-needed' && !stamp?.hasBrotli) {
  await addBrotli();
}
if (wish === '--for-start' && !(await readStamp())?.hasBrotli) {
  // The delay (s) lets the shop open before the compression takes the processor.
  const delay = '20';
  spawn(process.execPath, [fileURLToPath(import.meta.url), '--add-brotli', delay], { stdio: 'ignore' }).unref();
}

/**
 * Whether the pages must be built. With `--if-missing`, outdated pages suffice, because `npm run dev` shows pages from
 * the sources.
 */
function isWanted(): boolean {
  if (wish === undefined || !products.every((path) => existsSync(new URL(path, root)))) return true;
  return wish !== '--if-missing' && stamp?.sources !== sources;
}

/** Prints a message for people, or in the log's format if `npm start` runs without a terminal. */
function say(msg: string, kind: keyof typeof levels = 'info'): void {
  const stream = kind === 'info' ? process.stdout : process.stderr;
  const isLog = process.env['npm_lifecycle_event'] === 'start' && !stream.isTTY;
  stream.write(`${isLog ? JSON.stringify({ level: levels[kind], time: Date.now(), msg }) : msg}\n`);
}

/**
 * Ends the process if the packages for building are missing. Such an install must use pages that were built elsewhere
 * from the same sources.
 */
function refuseWithoutTools(): void {
  const missing = ['vite', '@messageformat/parser'].filter(
    (name) => !existsSync(new URL(`node_modules/${name}`, root)),
  );
  if (missing.length === 0) return;
  say(
    `The web pages are not built from these sources, and what builds them is not installed (${missing.join(', ')}).\n` +
      'Run `npm ci` without --omit=dev here and start again, or bring the folders dist and src/messages.gen from a ' +
      'checkout of the same commit in which `npm run build` was run.',
    'error',
  );
  process.exit(1);
}

/**
 * Builds the pages into a new folder, which finally replaces the old folder, so that a failed build changes nothing.
 */
async function buildPages(): Promise<void> {
  const messages = compileMessages();
  // The messages compile while the tools load. A failure before `await messages` must not count as unhandled.
  messages.catch(() => {});
  const { build, createLogger, mergeConfig } = await import('vite');
  const { builds, faceConfig, renderingConfig, workerConfig } = await import('../vite.config.ts');
  await messages;
  const next = new URL(`next-${process.pid}/`, dist);
  const viewer = printApiViewer();
  // The viewer is awaited last. Until then its failure must not count as unhandled.
  viewer.catch(() => {});
  await mkdir(next, { recursive: true });
  try {
    const outDir = (part: string) => fileURLToPath(new URL(part, next));
    const parts = [
      ...builds.map(({ face, language }) =>
        mergeConfig(faceConfig(face, language), { build: { outDir: outDir('client') } }),
      ),
      mergeConfig(workerConfig(sources.slice(0, 16)), { build: { outDir: outDir('client') } }),
      mergeConfig(renderingConfig(), { build: { outDir: outDir('ssr') } }),
    ];
    for (const part of parts) {
      await build({
        ...part,
        configFile: false,
        logLevel: 'warn',
        customLogger: {
          ...createLogger('warn'),
          warn: (text) => say(text, 'warn'),
          error: (text) => say(text, 'error'),
        },
        build: { ...part.build, emptyOutDir: false },
      });
    }
    await compressAssets(new URL('client/', next), wish === '--for-start' ? ['gz'] : ['gz', 'br']);
    await writeFile(new URL('api-viewer.js', next), await viewer);
    for (const part of ['client', 'ssr', 'api-viewer.js']) {
      await rm(new URL(part, dist), { recursive: true, force: true });
      await rename(new URL(part, next), new URL(part, dist));
    }
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

async function printApiViewer(): Promise<string> {
  const script = fileURLToPath(new URL('scripts/write-api-viewer.ts', root));
  return (await promisify(execFile)(process.execPath, [script], { maxBuffer: 32 * 1024 * 1024 })).stdout;
}

/**
 * Adds Brotli copies after a first start. It only adds files and replaces none, because the server reads a file's
 * length before its bytes. If a shorter file replaced the file in between, the visitor would wait for bytes that never
 * come.
 */
async function addBrotli(): Promise<void> {
  if (!stamp) return;
  await compressAssets(new URL('client/', dist), ['br']);
  await writeStamp({ ...stamp, hasBrotli: true });
}

/**
 * Writes compressed copies beside every file of 400 bytes or more, because the server does not compress files itself.
 */
async function compressAssets(folder: URL, kinds: (keyof typeof compressors)[]): Promise<void> {
  const work: Promise<void>[] = [];
  for await (const name of glob('**/*.{js,css,svg,json,html,txt}', { cwd: fileURLToPath(folder) })) {
    work.push(
      (async () => {
        const bytes = await readFile(new URL(name, folder));
        if (bytes.length < 400) return;
        for (const kind of kinds) {
          const file = new URL(`${name}.${kind}`, folder);
          if (!existsSync(file)) await replaceFile(file, await compressors[kind](bytes));
        }
      })(),
    );
  }
  await Promise.all(work);
}

async function compileMessages(): Promise<void> {
  // npm is not used, because it may not know this Node version, and would print a warning.
  const { stderr } = await promisify(execFile)(process.execPath, ['scripts/compile-messages.ts']);
  if (stderr !== '') say(stderr.trimEnd(), 'warn');
}

/** A hash of the content of all page sources. Their modification times would change with each checkout or copy. */
async function hashSources(): Promise<string> {
  const names: string[] = [];
  const made = 'src/**/*.{ts,tsx,css,svg,json,webmanifest,woff2,png}';
  for await (const name of glob(made)) names.push(name);
  const counted = names
    .filter((name) => !/\/server\/|\/database\/|\/testing\/|messages\.gen|\.test\.ts/.test(name))
    .sort();
  const hash = createHash('sha256');
  for (const name of [
    ...counted,
    'vite.config.ts',
    'scripts/build.ts',
    'scripts/write-api-viewer.ts',
    'package-lock.json',
    'scripts/compile-messages.ts',
  ]) {
    hash.update(`${name}\n`).update(await readFile(new URL(name, root)));
  }
  return hash.digest('hex');
}

/**
 * The last build of `dist`: the hash of its sources, its processor time (s), and whether its files have Brotli copies.
 */
interface Stamp {
  sources: string;
  processor: number;
  hasBrotli: boolean;
}

async function readStamp(): Promise<Stamp | null> {
  try {
    return JSON.parse(await readFile(stampFile, 'utf8')) as Stamp;
  } catch {
    return null;
  }
}

async function writeStamp(made: Stamp): Promise<void> {
  await replaceFile(stampFile, JSON.stringify(made));
}

/** Replaces a file by renaming, so that a reader gets either the whole old or the whole new file. */
async function replaceFile(file: URL, content: string | Buffer): Promise<void> {
  const next = new URL(`${file.href}.next-${process.pid}`);
  await writeFile(next, content);
  await rename(next, file);
}
