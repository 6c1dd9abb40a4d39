import type { MailColors, MailLogo, MailShop } from '#mail/mail-content.ts';
import type { ReadMailShop } from '#mail/server/services.ts';
import type { Db } from '#database/schema.ts';
import { loadSharp } from '#platform/server/load-sharp.ts';
import { type AccentColors, accentColors } from '#store/accent.ts';
import { addressWords } from '#store/address-words.ts';
import type { CachedStores } from '#store/server/services.ts';
import { type PictureSources, readPicture } from '#uploads/server/read-picture.ts';

/** Without a colour of its own, as in `platform/web/tokens.css`. */
const houseColors = {
  light: { strip: '#b92f16', accent: '#b92f16', ink: '#fff8ee' },
  dark: { strip: '#ff8a63', accent: '#ff8a63', ink: '#2b0b02' },
};
/** On a screen, in pixels; the picture has twice as many. */
const largest = { width: 240, height: 56 };

/** A store's look in mails. A logo is drawn once per address, which changes with the picture. */
export function createMailShop(
  services: { db: Db; menus: Pick<CachedStores, 'store'> } & PictureSources,
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

/** Mail programs show PNG everywhere, WebP and SVG not. */
async function drawLogo(address: string, sources: PictureSources): Promise<MailLogo | null> {
  const file = await readPicture(address, sources);
  if (!file) return null;
  const sharp = await loadSharp();
  const { data: png, info } = await sharp(file, { density: 300 })
    .resize(2 * largest.width, 2 * largest.height, { fit: 'inside' })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  return { png, width: Math.round(info.width / 2), height: Math.round(info.height / 2) };
}
