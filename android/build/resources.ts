import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { App } from './manifest.ts';
import { defaultLanguage } from '../../src/platform/languages.ts';
import { pageLanguage, type Parameters } from './parameters.ts';

const own = new URL('../res/', import.meta.url).pathname;
/** Pixels of an adaptive icon's layer and of an older phone's icon, at the largest density. */
const layer = 432;
const legacy = 192;

/** Writes an app's resources: those of the repository, with the shop's name, colours and icon. */
export async function writeResources(folder: string, app: App, parameters: Parameters): Promise<void> {
  for (const part of ['values', 'values-night', 'drawable', 'mipmap-anydpi-v26']) {
    await cp(join(own, part), join(folder, part), { recursive: true });
  }
  // An app speaks one language, that of its pages, and not the phone's.
  const language = pageLanguage(app, parameters);
  if (language !== defaultLanguage) {
    await cp(join(own, `values-${language}`, 'strings.xml'), join(folder, 'values', 'strings.xml'));
  }
  for (const part of ['xml', 'mipmap-xxxhdpi']) await mkdir(join(folder, part), { recursive: true });
  const name = app === 'customer' ? parameters.shopName : parameters.kitchenName;
  await write(join(folder, 'values', 'shop.xml'), [
    `<string name="app_name" translatable="false">${resourceText(name)}</string>`,
    `<color name="accent">${parameters.accent}</color>`,
    `<color name="paper">${parameters.paper}</color>`,
  ]);
  await write(join(folder, 'values-night', 'shop.xml'), [`<color name="paper">${parameters.paperDark}</color>`]);
  await writeFile(join(folder, 'xml', 'network.xml'), network(parameters.isDebug));
  if (app === 'kitchen') await writeFile(join(folder, 'xml', 'admin.xml'), admin);
  await drawIcon(folder, parameters);
}

/** As Android's string resources write it: `'`, `"`, `@` and `?` have a meaning there. */
function resourceText(text: string): string {
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return plain.replaceAll(/['"]|^[@?]/g, '\\$&');
}

async function write(file: string, lines: readonly string[]): Promise<void> {
  await writeFile(file, `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n  ${lines.join('\n  ')}\n</resources>\n`);
}

async function drawIcon(folder: string, { icon, accent }: Parameters): Promise<void> {
  const source = await readFile(icon);
  const draw = async (size: number) =>
    sharp(source, { density: 72 * 4 })
      .resize(size, size, { fit: 'contain', background: '#0000' })
      .png()
      .toBuffer();
  await writeFile(join(folder, 'mipmap-xxxhdpi', 'ic_foreground.png'), await draw(layer));
  // An older phone has no mask: a round of the colour, with the middle of the layer on it.
  const round = `<svg xmlns="http://www.w3.org/2000/svg" width="${legacy}" height="${legacy}"><circle cx="96" cy="96" r="92" fill="${accent}"/></svg>`;
  const middle = await sharp(await draw(288))
    .extract({ left: 48, top: 48, width: legacy, height: legacy })
    .toBuffer();
  const drawn = await sharp(Buffer.from(round))
    .composite([{ input: middle }])
    .png()
    .toBuffer();
  await writeFile(join(folder, 'mipmap-xxxhdpi', 'ic_launcher.png'), drawn);
}

const loopback = `
  <domain-config cleartextTrafficPermitted="true">
    <domain includeSubdomains="false">localhost</domain>
    <domain includeSubdomains="false">127.0.0.1</domain>
  </domain-config>`;

function network(isDebug: boolean): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<network-security-config>
  <base-config cleartextTrafficPermitted="false">
    <trust-anchors><certificates src="system"/></trust-anchors>
  </base-config>${isDebug ? loopback : ''}
</network-security-config>
`;
}

const admin = `<?xml version="1.0" encoding="utf-8"?>
<device-admin>
  <uses-policies><force-lock/></uses-policies>
</device-admin>
`;
