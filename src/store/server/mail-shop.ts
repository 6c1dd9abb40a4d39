import type { MailColors, MailLogo, MailShop } from '#mail/mail-content.ts';
import type { ReadMailShop } from '#mail/server/services.ts';
import type { Db } from '#database/schema.ts';
import { loadSharp } from '#platform/server/load-sharp.ts';
import { type AccentColors, accentColors } from '#store/accent.ts';
import { addressWords } from '#store/address-words.ts';
import type { StoreCache } from '#store/server/services.ts';
import { type PictureSources, readShopPicture } from '#uploads/server/read-picture.ts';

/** The colours of mails from a shop without an accent colour, as in `platform/web/tokens.css`. */
const houseColors = {
  light: { strip: '#b92f16', accent: '#b92f16', ink: '#fff8ee' },
  dark: { strip: '#ff8a63', accent: '#ff8a63', ink: '#2b0b02' },
};
/** The largest displayed size of a logo, in pixels. The PNG has twice this resolution. */
const largest = { width: 240, height: 56 };

/**
 * Returns a function that reads a store's look in mails. The last drawn logo is cached by its URL, because a new
 * picture has a new URL.
 */
export function createMailShopReader(
  services: { db: Db; menus: Pick<StoreCache, 'store'> } & PictureSources,
): ReadMailShop {
  let drawn: { address: string; logo: MailLogo | null } | null = null;
  return async (storeId) => {
    const known = await services.menus.store(services.db, storeId ?? undefined);
    if (!known) return { id: null, name: 'Hatch', email: null, signature: 'Hatch', logo: null, ...houseColors };
    const { store } = known;
    if (store.logo !== null && drawn?.address !== store.logo) {
      drawn = { address: store.logo, logo: await drawLogo(store.logo, services) };
    }
    const shop: MailShop = {
      id: store.id,
      name: store.name,
      email: store.email || null,
      signature: [store.name, addressWords(store.address), store.phone].filter(Boolean).join('\n'),
      logo: store.logo === null ? null : (drawn?.logo ?? null),
      ...(store.accent_color ? colorsOf(accentColors(store.accent_color)) : houseColors),
    };
    return shop;
  };
}

function colorsOf({ light, dark }: { light: AccentColors; dark: AccentColors }) {
  const of = (colors: AccentColors): MailColors => ({
    strip: colors.accent,
    accent: colors.accent,
    ink: colors['accent-ink'],
  });
  return { light: of(light), dark: of(dark) };
}

/** Draws a logo as PNG, because some mail programs show neither WebP nor SVG. null if its file is missing. */
async function drawLogo(address: string, sources: PictureSources): Promise<MailLogo | null> {
  const file = await readShopPicture(address, sources);
  if (!file) return null;
  const sharp = await loadSharp();
  const { data: png, info } = await sharp(file, { density: 300 })
    .resize(2 * largest.width, 2 * largest.height, { fit: 'inside' })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  return { png, width: Math.round(info.width / 2), height: Math.round(info.height / 2) };
}
