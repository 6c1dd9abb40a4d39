import type { Item } from '#menu/menu-shapes.ts';
import { loadSharp } from '#platform/server/load-sharp.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import { type AccentColors, accentColors } from '#store/accent.ts';
import { pickShowcaseDishes } from '#storefront/showcase-dishes.ts';
import { type PictureSources, readShopPicture } from '#uploads/server/read-picture.ts';

export const iconNames = ['180', '192', '512', 'maskable'] as const;
export type IconName = (typeof iconNames)[number];

const houseAccent = { accent: '#b92f16', 'accent-ink': '#fff8ee' };
const ground = '#fffdf8';

/** Draws the shop's logo as a square PNG, or else the standard mark in the shop's colour. */
export async function drawIcon(shop: Shop, name: IconName, pictures: PictureSources): Promise<Buffer> {
  const sharp = await loadSharp();
  const size = name === 'maskable' ? 512 : Number(name);
  const isFilled = name === 'maskable' || name === '180';
  const logo = await readShopPicture(shop.store.logo, pictures);
  const { accent, 'accent-ink': ink } = accentOf(shop);
  const inner = Math.round(size * (name === 'maskable' ? 0.64 : isFilled ? 0.8 : 1));
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  const mark = await sharp(logo ?? Buffer.from(houseMark(accent, ink, isFilled)), { density: 300 })
    .resize(inner, inner, { fit: 'contain', background: transparent })
    .png()
    .toBuffer();
  const background = isFilled ? (logo ? ground : accent) : transparent;
  return sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: mark, gravity: 'centre' }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** Draws the picture of a shared link, 1200 by 630: the cover, or dishes on the shop's colour. */
export async function drawSharePicture(shop: Shop, pictures: PictureSources): Promise<Buffer> {
  const cover = await readShopPicture(shop.store.cover, pictures);
  if (cover) return toShared(cover);
  const background = accentOf(shop).accent;
  const sharp = await loadSharp();
  const [width, height, gap] = [460, 345, 24];
  const dishes = await Promise.all(
    pickShowcaseDishes(shop.menus, 9).map(async ({ image }, index) => {
      const picture = await readShopPicture(image, pictures);
      if (!picture) return [];
      const input = await sharp(picture).resize(width, height, { fit: 'cover' }).png().toBuffer();
      return [{ input, left: (index % 3) * (width + gap), top: Math.floor(index / 3) * (height + gap) }];
    }),
  );
  const table = await sharp({
    create: { width: 3 * width + 2 * gap, height: 3 * height + 2 * gap, channels: 3, background },
  })
    .composite(dishes.flat())
    .png()
    .toBuffer();
  const turned = await sharp(table).rotate(-6, { background }).png().toBuffer();
  return toShared(turned);
}

/** Draws the picture of a link to a dish, 1200 by 630: the dish's own picture, or else the shop's. */
export async function drawDishPicture(shop: Shop, { image }: Item, pictures: PictureSources): Promise<Buffer> {
  const picture = await readShopPicture(image, pictures);
  return picture ? toShared(picture) : drawSharePicture(shop, pictures);
}

/** Whether a dish's picture is stored on this server, so that shared links can show a copy. */
export function hasStoredPicture({ image }: Pick<Item, 'image'>): boolean {
  return /^\/(uploads|pictures)\//.test(image ?? '');
}

/** Converts a picture to a JPEG of 1200 by 630, because social networks accept no SVG, and not all accept WebP. */
async function toShared(picture: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(picture).resize(1200, 630, { fit: 'cover' }).jpeg({ quality: 80 }).toBuffer();
}

function accentOf({ store }: Shop): Pick<AccentColors, 'accent' | 'accent-ink'> {
  return store.accent_color ? accentColors(store.accent_color).light : houseAccent;
}

/** Draws the standard mark, a covered dish, as SVG. `isBare` leaves out the background. */
function houseMark(accent: string, ink: string, isBare: boolean): string {
  const plate = isBare ? '' : `<rect width="32" height="32" rx="8" fill="${accent}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="512" height="512">${plate}<path d="M7 19a9 9 0 0 1 18 0Z" fill="${ink}"/><path d="M5 21h22v2a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2Z" fill="${ink === houseAccent['accent-ink'] ? '#f5b83d' : ink}"/><circle cx="16" cy="8.5" r="1.8" fill="${ink}"/></svg>`;
}
