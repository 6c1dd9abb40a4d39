import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The parts of each package in `bench/tools` that the benchmarks use. A package is installed when first needed. */
interface Tools {
  autocannon: { default: (options: LoadOptions & { url: string; connections: number }) => Promise<LoadResult> };
  'chrome-launcher': {
    launch(options: { chromePath: string; chromeFlags: string[] }): Promise<{ port: number; kill(): void }>;
  };
  lighthouse: { default: (url: string, flags: LighthouseFlags) => Promise<{ lhr: LighthouseResult } | undefined> };
}

export interface LoadOptions {
  method?: 'POST';
  headers?: Record<string, string>;
  /** In seconds. */
  duration: number;
  requests?: { setupRequest(request: object): object }[];
}

interface LoadResult {
  non2xx: number;
  errors: number;
  timeouts: number;
  statusCodeStats: unknown;
  requests: { average: number; total: number };
  latency: { p99: number };
}

interface LighthouseFlags {
  port: number;
  throttlingMethod: 'devtools';
  logLevel: 'error';
}

export interface LighthouseResult {
  audits: Record<string, { title: string; score: number | null; numericValue?: number; details?: unknown }>;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  environment: { benchmarkIndex: number };
}

const folder = fileURLToPath(new URL('./tools/', import.meta.url));

/**
 * Imports a package of `bench/tools`, and installs it if it is missing: Lighthouse has 150 MB, which running, building
 * and testing the shop do not need. Its package.json is not in `bench/`, where it would break the `#` imports.
 */
export async function loadTool<Name extends keyof Tools>(name: Name): Promise<Tools[Name]> {
  if (!existsSync(`${folder}node_modules/${name}`)) {
    console.log('The tools of the benchmarks are missing. Installing them: npm ci --prefix bench/tools');
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  }
  const path = createRequire(`${folder}package.json`).resolve(name);
  // Only the types above are used.
  return (await import(pathToFileURL(path).href)) as Tools[Name];
}
