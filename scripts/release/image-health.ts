import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Blob {
  digest: string;
  size: number;
}

/**
 * Adds to an image what no option of `umoci` does: how Docker asks it about its health, and the names under which each kind
 * of Docker loads it.
 */
export function describeHealth(layout: string, version: string, health: object): void {
  const pathOf = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;
  const put = (content: object): Blob => {
    const text = JSON.stringify(content);
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    writeFileSync(pathOf(digest), text);
    return { digest, size: Buffer.byteLength(text) };
  };
  const index = read<{ manifests: (Blob & { annotations?: Record<string, string> })[] }>(join(layout, 'index.json'));
  const [first] = index.manifests;
  if (!first) throw new Error(`${layout} has no image.`);
  const manifest = read<{ config: Blob; layers: Blob[] }>(pathOf(first.digest));
  const image = read<{ config: object }>(pathOf(manifest.config.digest));
  const config = { ...manifest.config, ...put({ ...image, config: { ...image.config, Healthcheck: health } }) };
  const name = `hatch:${version}`;
  const annotations = { ...first.annotations, 'io.containerd.image.name': `docker.io/library/${name}` };
  const described = { ...first, ...put({ ...manifest, config }), annotations };
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ ...index, manifests: [described] }));
  const blobOf = ({ digest }: Blob) => `blobs/${digest.replace(':', '/')}`;
  const list = [{ Config: blobOf(config), RepoTags: [name], Layers: manifest.layers.map(blobOf) }];
  writeFileSync(join(layout, 'manifest.json'), JSON.stringify(list));
}
