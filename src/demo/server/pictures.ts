import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { bitmapWidths } from '#menu/drawn-pictures.ts';
import { AppError } from '#platform/errors.ts';
import { type EncodedBodies, sendPrebuiltBody } from '#platform/http/answer.ts';
import { getOrCreateCached, prebuildAnswer, startRecompressing } from '#platform/server/prebuilt-answers.ts';
import { loadSharp } from '#platform/server/load-sharp.ts';

const folder = '/pictures/';
const files = new URL('../pictures/', import.meta.url);
const keys = new Set(readdirSync(files).map((name) => name.replace(/\.svg$/, '')));

/** The URL of a drawn picture. It contains the content's hash, so that caches never go stale. */
export function demoPictureUrl(key: string): string {
  const svg = demoPictureSvg(key);
  if (svg === null) throw new Error(`There is no picture "${key}".`);
  return `${folder}${key}.${createHash('sha256').update(svg).digest('hex').slice(0, 4)}.svg`;
}

/**
 * Serves the program's drawn pictures, such as the demo's dishes and logo, as SVG. Lists and cards
 * get the pictures as AVIF or WebP, in each of `bitmapWidths`.
 */
export function serveDemoPictures(app: FastifyInstance): void {
  const documents = new Map<string, Promise<EncodedBodies>>();
  const pixels = new Map<string, Promise<Buffer>>();
  const forEver = 'public, max-age=31536000, immutable';
  app.get<{ Params: { file: string } }>(`${folder}:file`, async (request, reply) => {
    const [, key = '', width] = fileName.exec(request.params.file) ?? [];
    if (width !== undefined) {
      const format = request.headers.accept?.includes('image/avif') ? 'avif' : 'webp';
      reply.headers({ 'cache-control': forEver, vary: 'accept, origin' }).type(`image/${format}`);
      const bitmap = async () => toPixels(draw(key), width, format);
      return reply.send(await getOrCreateCached(pixels, `${key} ${width} ${format}`, bitmap));
    }
    const type = 'image/svg+xml; charset=utf-8';
    const bytes = await getOrCreateCached(documents, key, async () =>
      startRecompressing(await prebuildAnswer(draw(key), type, forEver)),
    );
    return sendPrebuiltBody(bytes, request, reply);
  });
}

/** The SVG of a drawn picture. Throws 404 for an unknown key. */
function draw(key: string): string {
  const svg = demoPictureSvg(key);
  if (svg === null) throw new AppError('not_found', m.platform_not_found());
  return svg;
}

/**
 * A picture's file name, with four digits of the hash. Shops of the first releases have stored names with eight digits.
 */
const fileName = new RegExp(`^([a-z0-9-]+)\\.(?:[0-9a-f]{4}){1,2}(?:\\.svg|-(${bitmapWidths.join('|')}))$`);

/** The quality of each width. A wide bitmap needs less, because more pixels hide more of the compression. */
const qualities: Record<(typeof bitmapWidths)[number], { avif: number; webp: number }> = {
  224: { avif: 31, webp: 48 },
  400: { avif: 26, webp: 36 },
};

/**
 * Rasterises a picture to about as many bytes as its compressed SVG has, or twice as many on a card. AVIF takes 25 to
 * 100 ms, and keeps full colour resolution (4:4:4), so that edges stay sharp.
 */
async function toPixels(svg: string, wanted: string, format: 'avif' | 'webp'): Promise<Buffer> {
  const width = bitmapWidths.find((one) => String(one) === wanted);
  if (!width) throw new AppError('not_found', m.platform_not_found());
  const sharp = await loadSharp();
  const drawn = sharp(Buffer.from(svg)).resize({ width });
  const { avif, webp } = qualities[width];
  return (
    format === 'avif'
      ? drawn.avif({ quality: avif, effort: 1, chromaSubsampling: '4:4:4' })
      : drawn.webp({ quality: webp })
  ).toBuffer();
}

/** The SVG of a drawn picture; null: unknown key. */
export function demoPictureSvg(key: string): string | null {
  return keys.has(key) ? readFileSync(new URL(`${key}.svg`, files), 'utf8') : null;
}
