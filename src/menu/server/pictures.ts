import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { composeDish } from '#menu/pictures/compose-dish.ts';
import { composeHero } from '#menu/pictures/compose-hero.ts';
import { composeLogo } from '#menu/pictures/compose-logo.ts';
import { recipes } from '#menu/pictures/recipes.ts';
import { AppError } from '#platform/errors.ts';
import { sendPrebuilt, type PrebuiltBytes } from '#platform/http/answer.ts';
import { prebuild, pressHarder } from '#platform/server/prebuild.ts';

const folder = '/pictures/';

/** The address of a drawn picture. It carries a hash of what is in it, so that it may be kept for ever. */
export function pictureUrl(key: string): string {
  const svg = compose(key);
  if (svg === null) throw new Error(`There is no picture "${key}".`);
  return `${folder}${key}.${createHash('sha256').update(svg).digest('hex').slice(0, 4)}.svg`;
}

/** Serves the pictures that are drawn by the program itself: the demo shop's dishes, its hero and its mark. */
export function servePictures(app: FastifyInstance): void {
  const made = new Map<string, Promise<PrebuiltBytes>>();
  app.get<{ Params: { file: string } }>(`${folder}:file`, async (request, reply) => {
    const [key = ''] = request.params.file.split('.', 1);
    let bytes = made.get(key);
    if (!bytes) {
      const svg = compose(key);
      if (svg === null) throw new AppError('not_found', m.platform_not_found());
      bytes = prebuild(svg, 'image/svg+xml; charset=utf-8', 'public, max-age=31536000, immutable').then(pressHarder);
      made.set(key, bytes);
    }
    return sendPrebuilt(await bytes, request, reply);
  });
}

/** The SVG document of a drawn picture; null when there is none of that key. */
export function compose(key: string): string | null {
  if (key === 'hero') return composeHero();
  if (key === 'logo') return composeLogo();
  const recipe = recipes.get(key);
  return recipe ? composeDish(recipe) : null;
}
