import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Rolldown, type InlineConfig } from 'vite';
import { faceConfig } from '../../vite.config.ts';
import type { App } from './manifest.ts';
import { pageLanguage, type Parameters } from './parameters.ts';

const entries: Record<App, string> = {
  customer: 'src/storefront/web/entry-android.tsx',
  kitchen: 'src/office/web/entry-kitchen.tsx',
};

/** Builds an app's pages into `folder/www`: the same pages as on the web, with an entry of their own and an empty root. */
export async function buildPages(app: App, parameters: Parameters, folder: string): Promise<void> {
  const isCustomer = app === 'customer';
  const language = pageLanguage(app, parameters);
  const base = faceConfig(isCustomer ? 'storefront' : 'office', language);
  const www = join(folder, 'www');
  await rm(www, { recursive: true, force: true });
  await mkdir(www, { recursive: true });
  const config: InlineConfig = {
    ...base,
    base: '/',
    configFile: false,
    logLevel: 'warn',
    build: {
      ...base.build,
      outDir: www,
      manifest: false,
      emptyOutDir: false,
      rolldownOptions: { input: { app: entries[app] } },
    },
  };
  const output = (await build(config)) as Rolldown.RolldownOutput;
  const entry = output.output.find((part) => part.type === 'chunk' && part.isEntry);
  if (entry?.type !== 'chunk') throw new Error(`The build of ${entries[app]} has no entry.`);
  const styles = [...(entry.viteMetadata?.importedCss ?? [])];
  await writeFile(
    join(www, 'index.html'),
    await writeIndex({ app, parameters, language, script: entry.fileName, imports: entry.imports, styles, www }),
  );
}

interface Index {
  app: App;
  parameters: Parameters;
  language: string;
  script: string;
  imports: readonly string[];
  styles: readonly string[];
  www: string;
}

/** The app puts a key in place of `{{shell-key}}` each time it serves the page (Bridge.java). */
async function writeIndex({ app, parameters, language, script, imports, styles, www }: Index): Promise<string> {
  const css = await Promise.all(styles.map((file) => readFile(join(www, file), 'utf8')));
  const name = app === 'customer' ? parameters.shopName : parameters.kitchenName;
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<meta http-equiv="content-security-policy" content="${policy(app, parameters)}">`,
    '<meta name="shell-key" content="{{shell-key}}"><meta name="format-detection" content="telephone=no">',
    `<title>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`,
    `<style>${css.join('').replaceAll('url(assets/', 'url(/assets/')}</style>`,
    ...imports.map((file) => `<link rel="modulepreload" href="/${file}">`),
    `<script type="module" src="/${script}"></script></head><body><div id="root"></div></body></html>`,
  ].join('');
}

/** Only the APK's scripts, no frame, and calls to the shop: any shop for the kitchen's app, which is told its own. */
function policy(app: App, { address, isDebug }: Parameters): string {
  const shop =
    app === 'customer' ? `${address} ${address.replace(/^http/, 'ws')}` : `https: wss:${isDebug ? ' http: ws:' : ''}`;
  return [
    "default-src 'self'",
    "img-src 'self' data: blob: https:",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${shop}`,
    "worker-src 'self' blob:",
    "media-src 'self' blob: mediastream:",
    "form-action 'none'",
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
  ].join('; ');
}
