import { m } from '#messages';
import { currentLanguage, languages } from '#platform/language.ts';
import { type AccentColors, accentColors } from '#store/accent.ts';
import type { PageData } from '#storefront/page-data.ts';
import type { FaceAssets } from '#storefront/server/built-assets.ts';

/**
 * Reserves the height of the usual orders before the first paint, as `LazyOpenOrders` stored it. Later the space would
 * push the whole page down. A basket with dishes hides the usual orders.
 */
export const reserveUsualHeight = `try{const s=localStorage,b=JSON.parse(s.getItem("basket")),h=s.getItem("usual_height");if(h>0&&!b?.lines?.length&&["token","order_sessions","favourite_dishes"].some(k=>s.getItem(k)))document.documentElement.style.setProperty("--usual-height",h+"px")}catch{}`;

/** The metadata of a page. Its URLs are absolute. */
export interface PageMetadata {
  title: string;
  description?: string;
  canonical?: string;
  /** The page's URL without a language, from which the URLs of its languages are built. */
  address?: string;
  /** The URL in shared links, if it differs from the canonical URL. */
  shared?: string;
  /** The URL of the picture for shared links, 1200 by 630 pixels. */
  image?: string;
  isHidden?: boolean;
}

export interface HtmlPage extends PageMetadata {
  structuredData?: unknown;
  /** The owner's accent colour; null: the standard colour. */
  accentColor: string | null;
  assets: FaceAssets;
  /** Whether style sheets are inline, for a fast first view, or linked. */
  styles: 'inline' | 'linked';
  page: PageData;
  /** The rendered HTML; empty for a page that the browser renders. */
  body: string;
  /** The HTML that browsers without scripts show, on a page without a body. */
  withoutScript?: string | undefined;
}

/** Writes a complete HTML document. Texts from outside are escaped for their place in it. */
export function formatHtmlDocument(html: HtmlPage): string {
  const { assets } = html;
  const isInline = html.styles === 'inline';
  const styles = isInline
    ? `<style>${assets.css}</style>`
    : assets.stylesheets.map((file) => `<link rel="stylesheet" href="${file}">`).join('');
  const [preloads = ''] = /^(?:<link rel="preload" as="image"[^>]*>)*/.exec(html.body) ?? [];
  const inlined = [...(isInline ? assets.stylesheets : []), ...assets.pageStylesheets];
  return [
    `<!doctype html><html lang="${currentLanguage()}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    // React writes these at the head of the body. Before the styles they start the pictures while the page arrives.
    preloads,
    metadataTags(html),
    ...assets.fonts.map((file) => `<link rel="preload" href="${file}" as="font" type="font/woff2" crossorigin>`),
    styles,
    accentStyle(html.accentColor),
    // The page's own styles are inline. Nothing is shown without them, and a request for them would double the wait.
    assets.pageCss ? `<style>${assets.pageCss}</style>` : '',
    // These disabled links tell scripts that load later which style sheets are already present.
    ...inlined.map((file) => `<link rel="stylesheet" href="${file}" disabled>`),
    `<script type="module" src="${assets.script}" fetchpriority="low"></script>`,
    '<link rel="icon" href="/app-icon/192.png" sizes="192x192" type="image/png">',
    '<link rel="apple-touch-icon" href="/app-icon/180.png"><link rel="manifest" href="/manifest.webmanifest">',
    '<meta name="theme-color" content="#fbf5ea" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#16100d" media="(prefers-color-scheme: dark)">',
    '<meta name="format-detection" content="telephone=no">',
    html.structuredData ? `<script type="application/ld+json">${scriptSafeJson(html.structuredData)}</script>` : '',
    html.body ? `<script>${reserveUsualHeight}</script>` : '',
    `</head><body><div id="root">${html.body.slice(preloads.length)}</div>`,
    html.body
      ? ''
      : (html.withoutScript ?? `<noscript><p>${escapeHtml(m.storefront_needs_javascript())}</p></noscript>`),
    `<script type="application/json" id="page-data">${scriptSafeJson(html.page)}</script>`,
    // Preloads come after the body, so that pictures and the first view's script load first: a browser requests six
    // files at once, in document order.
    html.page.shopUrl
      ? `<link rel="preload" href="${html.page.shopUrl}" as="fetch" crossorigin fetchpriority="low">`
      : '',
    ...assets.preloads.map((file) => `<link rel="modulepreload" href="${file}" fetchpriority="low">`),
    '</body></html>',
  ].join('');
}

/** The style with the owner's colour. It is inline, so that no other colour flashes first. */
function accentStyle(color: string | null): string {
  if (!color || !/^#[0-9a-f]{6}$/.test(color)) return '';
  const { light, dark } = accentColors(color);
  const rules = (shades: AccentColors) =>
    Object.entries(shades)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';');
  return `<style>:root{${rules(light)}}@media (prefers-color-scheme:dark){:root{${rules(dark)}}}</style>`;
}

/**
 * The tags that describe a page to search engines, shared links and the tab. They come early in the document, because
 * some programs read only its beginning.
 */
export function metadataTags(described: PageMetadata): string {
  const { title, description, canonical, address, shared = canonical, image, isHidden } = described;
  const tags = [
    `<title>${escapeHtml(title)}</title><meta property="og:title" content="${escapeHtml(title)}">`,
    '<meta property="og:type" content="website">',
  ];
  if (description) {
    tags.push(
      `<meta name="description" content="${escapeHtml(description)}">`,
      `<meta property="og:description" content="${escapeHtml(description)}">`,
    );
  }
  if (canonical) tags.push(`<link rel="canonical" href="${escapeHtml(canonical)}">`);
  if (shared) tags.push(`<meta property="og:url" content="${escapeHtml(shared)}">`);
  if (address) {
    for (const language of languages) {
      tags.push(`<link rel="alternate" hreflang="${language}" href="${escapeHtml(address)}?lang=${language}">`);
    }
    tags.push(`<link rel="alternate" hreflang="x-default" href="${escapeHtml(address)}">`);
  }
  if (image) {
    tags.push(
      `<meta property="og:image" content="${escapeHtml(image)}">`,
      '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
      '<meta name="twitter:card" content="summary_large_image">',
    );
  }
  if (isHidden) tags.push('<meta name="robots" content="noindex">');
  return tags.join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Writes JSON for a script element. The escapes keep the content from ending the element, or a line of the script. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
