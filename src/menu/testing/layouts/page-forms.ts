import { priceText, writePrice } from './draw-menu.ts';
import type { DrawnDish, DrawnMenu, DrawnSection, LayoutForm } from './draw-menu.ts';
import { sizeNamesOf } from './sheet-forms.ts';

/** Web pages as a browser saves them: two of JSON-LD, microdata, four of site builders, and three written by hand. */
export const pageForms: readonly LayoutForm[] = [
  pageForm('json-ld', 'Order Online.html', writeJsonLd, { kind: 'pizza', count: [28, 50], doubts: ['missing'] }),
  pageForm('json-ld-graph', 'Menu - Royal Bengal.html', writeGraph, {
    kind: 'curry',
    count: [40, 58],
    doubts: ['missing', 'range'],
  }),
  pageForm('microdata', 'menu.htm', writeMicrodata, {
    kind: 'cafe',
    count: [24, 40],
    doubts: ['from'],
    hasSizes: false,
  }),
  pageForm('tables', 'pricelist.html', writeTables, {
    kind: 'kebab',
    count: [26, 40],
    doubts: ['poa', 'missing', 'odd'],
  }),
  pageForm('definition-lists', 'our-food.html', writeDefinitions, {
    kind: 'cafe',
    count: [22, 38],
    doubts: ['market', 'range'],
    hasSizes: false,
  }),
  pageForm('wordpress-menu', 'Menu – Oakley’s Fish Bar.html', writeWordPress, {
    kind: 'fish',
    count: [26, 40],
    doubts: ['poa', 'from'],
    hasSizes: false,
    hasDeals: true,
  }),
  pageForm('woocommerce-shop', 'Shop.html', writeShop, {
    kind: 'pizza',
    count: [30, 48],
    doubts: ['range', 'range', 'missing'],
    hasSizes: false,
  }),
  pageForm('square-online', 'Order.html', writeSquareOnline, {
    kind: 'chicken',
    count: [26, 44],
    doubts: ['from', 'range'],
  }),
  pageForm('wix-restaurant', 'MENU _ Istanbul Grill.html', writeWix, {
    kind: 'kebab',
    count: [24, 40],
    doubts: ['market'],
  }),
  pageForm('broken-lines', 'menu page.html', writeLines, {
    kind: 'chinese',
    count: [36, 54],
    doubts: ['poa', 'from', 'odd'],
  }),
];

function pageForm(
  name: string,
  fileName: string,
  body: (menu: DrawnMenu) => string,
  menu: LayoutForm['menu'],
): LayoutForm {
  return { name, kind: 'page', fileName, menu, write: (drawn) => Buffer.from(body(drawn)) };
}

export const text = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const each = <T>(list: readonly T[], html: (one: T, index: number) => string) => list.map(html).join('\n');
const plain = (pence: number) => writePrice(pence, 'plain');
const pounds = (pence: number) => writePrice(pence, 'pounds');
const some = (value: string, html: string) => (value ? html : '');

function whole(menu: DrawnMenu, head: string, body: string): string {
  const { shop } = menu;
  return `<!DOCTYPE html>
<!-- saved from url=(0031)https://www.example.com/menu/ -->
<html lang="en-GB"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<title>Menu | ${text(shop.name)}</title><meta name="description" content="Takeaway from £4.99 in ${text(shop.address)}">
<style>.price{float:right}</style>${head}</head>
<body><header><a href="/">${text(shop.name)}</a><nav><ul><li><a href="/">Home</a></li><li><a href="/menu/">Menu</a></li><li><a href="/contact/">Contact</a></li></ul></nav></header>
${body}
<footer><h4>Opening hours</h4><p>${shop.hours.map(text).join('<br>')}</p><p>Call us: ${shop.phone}</p><p>${text(shop.delivery)}</p>
<p>© 2024 ${text(shop.name)}. Basket £0.00</p></footer><script>window.dataLayer=window.dataLayer||[];dataLayer.push({"price":"1.00"});</script></body></html>`;
}

const jsonScript = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

function jsonOffers(dish: DrawnDish) {
  const offer = (price: number | string, more: object = {}) => ({
    '@type': 'Offer',
    ...more,
    price,
    priceCurrency: 'GBP',
  });
  if (dish.sizes.length > 0) return { offers: dish.sizes.map((size) => offer(plain(size.price), { name: size.name })) };
  if (dish.price !== null) return { offers: offer(plain(dish.price)) };
  const [low, high] = dish.words.split(' - ');
  if (!low || !high) return {};
  const bare = (words: string) => words.replace('£', '');
  return { offers: { '@type': 'AggregateOffer', lowPrice: bare(low), highPrice: bare(high), priceCurrency: 'GBP' } };
}

function jsonItem(dish: DrawnDish) {
  const diet = dish.mark === '(vg)' ? { suitableForDiet: 'https://schema.org/VeganDiet' } : {};
  const description = dish.description ? { description: dish.description } : {};
  return { '@type': 'MenuItem', name: dish.name, ...description, ...diet, ...jsonOffers(dish) };
}

function writeJsonLd(menu: DrawnMenu): string {
  const hasMenuSection = menu.sections.map((section) => ({
    '@type': 'MenuSection',
    name: section.name,
    ...(section.note && { description: section.note }),
    hasMenuItem: section.dishes.map(jsonItem),
  }));
  const restaurant = {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    name: menu.shop.name,
    telephone: menu.shop.phone,
    priceRange: '££',
    address: { '@type': 'PostalAddress', streetAddress: menu.shop.address },
    openingHours: ['Mo-Th 16:30-23:00', 'Fr-Sa 16:30-23:30'],
    hasMenu: { '@type': 'Menu', name: 'Takeaway', hasMenuSection },
  };
  return whole(menu, jsonScript(restaurant), '<div id="root"><noscript>Turn JavaScript on to order.</noscript></div>');
}

/** SEO plugins write one graph, whose parts name each other by `@id`. */
function writeGraph(menu: DrawnMenu): string {
  const id = (name: string) => ({ '@id': `https://www.example.com/#${name}` });
  const graph = [
    { '@type': 'WebSite', ...id('website'), name: menu.shop.name },
    { '@type': 'WebPage', ...id('webpage'), name: `Menu | ${menu.shop.name}`, isPartOf: id('website') },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home' },
        { '@type': 'ListItem', position: 2, name: 'Menu' },
      ],
    },
    { '@type': ['Restaurant', 'LocalBusiness'], ...id('restaurant'), name: menu.shop.name, hasMenu: id('menu') },
    { '@type': 'Menu', ...id('menu'), hasMenuSection: menu.sections.map((_, index) => id(`section-${index}`)) },
    ...menu.sections.map((section, index) => ({
      '@type': 'MenuSection',
      ...id(`section-${index}`),
      name: text(section.name),
      hasMenuItem: section.dishes.map(jsonItem),
    })),
  ];
  const body = `<main><h1>Our menu</h1><p>Ring ${menu.shop.phone} to order.</p></main>`;
  return whole(menu, jsonScript({ '@context': 'https://schema.org', '@graph': graph }), body);
}

function writeMicrodata(menu: DrawnMenu): string {
  const item = (dish: DrawnDish) => `<div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem">
<h3 itemprop="name">${text(dish.name)}</h3>${some(dish.description, `<p itemprop="description">${text(dish.description)}</p>`)}
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="GBP">${
    dish.price === null
      ? `<span itemprop="price">${text(dish.words)}</span>`
      : `<span itemprop="price" content="${plain(dish.price)}">${pounds(dish.price)}</span>`
  }</div></div>`;
  const section = (
    one: DrawnSection,
  ) => `<section itemprop="hasMenuSection" itemscope itemtype="https://schema.org/MenuSection">
<h2 itemprop="name">${text(one.name)}</h2>${some(one.note, `<p itemprop="description">${text(one.note)}</p>`)}${each(one.dishes, item)}</section>`;
  return whole(
    menu,
    '',
    `<main itemscope itemtype="http://schema.org/Menu"><meta itemprop="name" content="All day">${each(menu.sections, section)}</main>`,
  );
}

/** A page of 2003, whose only structure is tables and fonts. */
function writeTables(menu: DrawnMenu): string {
  const section = (one: DrawnSection) => {
    const sizes = sizeNamesOf(one);
    const width = 1 + Math.max(1, sizes.length);
    const heads = sizes.map((size) => `<td align="right"><b>${text(size)}</b></td>`).join('');
    const row = (dish: DrawnDish) => {
      const prices = sizes.length > 0 ? dish.sizes.map((size) => plain(size.price)) : [priceText(dish, 'plain')];
      const cells = prices.map((price) => `<td align="right">${text(price) || '&nbsp;'}</td>`).join('');
      const under = some(dish.description, `<br><font size="1"><i>${text(dish.description)}</i></font>`);
      return `<tr><td><font face="Arial">${text(dish.name)}&nbsp;${dish.mark}</font>${under}</td>${cells}</tr>`;
    };
    const extra = one.extras.map((line) => `<tr><td colspan="${width}"><i>${line.name} ${line.price}p</i></td></tr>`);
    return `<table width="90%" border="0"><tr bgcolor="#990000"><td${heads ? '' : ` colspan="${width}"`}><font color="#ffffff" size="4"><b>${text(one.name.toUpperCase())}</b></font></td>${heads}</tr>
${some(one.note, `<tr><td colspan="${width}"><i>${text(one.note)}</i></td></tr>`)}${each(one.dishes, row)}${extra.join('')}</table>`;
  };
  return whole(menu, '', `<center><h1>${text(menu.shop.name)}</h1></center>${each(menu.sections, section)}`);
}

function writeDefinitions(menu: DrawnMenu): string {
  const item = (dish: DrawnDish) =>
    `<dt>${text(dish.name)} ${dish.mark}</dt>${some(dish.description, `<dd>${text(dish.description)}</dd>`)}<dd><strong>${text(priceText(dish))}</strong></dd>`;
  const section = (one: DrawnSection) =>
    `<h2>${text(one.name)}</h2>${some(one.note, `<p><em>${text(one.note)}</em></p>`)}<dl>${each(one.dishes, item)}</dl>`;
  return whole(
    menu,
    '',
    `<article><h1>Our food</h1><p>Everything is made here, every day.</p>${each(menu.sections, section)}</article>`,
  );
}

function writeWordPress(menu: DrawnMenu): string {
  const item = (dish: DrawnDish) => `<div class="fdm-item fdm-item-has-price"><div class="fdm-item-panel">
<p class="fdm-item-title">${text(dish.name)} <abbr title="Vegetarian">${dish.mark}</abbr></p>
<div class="fdm-item-price-wrapper"><div class="fdm-item-price">${text(priceText(dish))}</div></div>
${some(dish.description, `<div class="fdm-item-content"><p>${text(dish.description)}</p></div>`)}<div class="clearfix"></div></div></div>`;
  const section = (
    one: DrawnSection,
  ) => `<ul class="fdm-section"><li class="fdm-section-header"><h3>${text(one.name)}</h3>${some(one.note, `<p>${text(one.note)}</p>`)}</li>
${each(one.dishes, (dish) => `<li class="fdm-item">${item(dish)}</li>`)}</ul>${each(one.extras, (line) => `<p class="extras">${line.name} ${line.price}p</p>`)}`;
  const deals = `<aside class="widget"><h2 class="widget-title">Offers</h2>${each(menu.deals, (deal) => `<p>${text(deal)}</p>`)}</aside>`;
  const posts =
    '<aside class="widget"><h2>Recent posts</h2><ul><li><a href="/fish-friday/">Fish Friday is back: 10% off</a></li></ul></aside>';
  return whole(
    menu,
    '',
    `<div class="entry-content"><div class="fdm-menu">${each(menu.sections, section)}</div></div>${deals}${posts}<div id="cookie-notice">We use cookies. <button>Accept</button></div>`,
  );
}

function writeShop(menu: DrawnMenu): string {
  const amount = (price: string) =>
    `<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&pound;</span>${price.replace('£', '')}</bdi></span>`;
  const price = (dish: DrawnDish) =>
    dish.price === null ? dish.words.split(' - ').filter(Boolean).map(amount).join(' – ') : amount(plain(dish.price));
  const item = (
    dish: DrawnDish,
    index: number,
  ) => `<li class="product type-product post-${500 + index} instock has-post-thumbnail">
<a href="/product/${index}/" class="woocommerce-LoopProduct-link"><img src="Shop_files/${index}.jpg" alt=""><h2 class="woocommerce-loop-product__title">${text(dish.name)}</h2>
${some(priceText(dish), `<span class="price">${price(dish)}</span>`)}</a><a href="?add-to-cart=${index}" class="button" aria-label="Add “${text(dish.name)}” to your basket">${dish.isDoubtful ? 'Select options' : 'Add to basket'}</a></li>`;
  const section = (one: DrawnSection) =>
    `<h2 class="wp-block-heading">${text(one.name)}</h2><ul class="products columns-3">${each(one.dishes, item)}</ul>`;
  return whole(
    menu,
    '',
    `<main id="main"><p class="woocommerce-result-count">Showing all results</p><select><option>Default sorting</option><option>Sort by price: low to high</option></select>${each(menu.sections, section)}</main><div class="widget_shopping_cart"><p>No products in the basket.</p></div>`,
  );
}

function writeSquareOnline(menu: DrawnMenu): string {
  const item = (
    dish: DrawnDish,
  ) => `<div class="css-1x7a2k"><div class="css-9w0plq" role="button" tabindex="0"><div><p class="w-product-title css-k3j2">${text(dish.name)}</p>
${some(dish.description, `<p class="css-p01x">${text(dish.description)}</p>`)}<div class="css-77ab"><span class="css-qq1">${text(priceText(dish))}</span>${some(dish.mark, '<span class="badge">Popular</span>')}</div></div></div></div>`;
  const section = (one: DrawnSection) =>
    `<div class="css-vv81" data-category="${text(one.name)}"><h2 class="css-0h2">${text(one.name)}</h2>${some(one.note, `<div class="css-no7e">${text(one.note)}</div>`)}<div class="css-grid">${each(one.dishes, item)}</div></div>`;
  const tabs = `<div role="tablist">${each(menu.sections, (one) => `<button role="tab">${text(one.name)}</button>`)}</div>`;
  const bar =
    '<div class="css-bar"><span>Pickup in 20–30 min</span><span>Minimum order £10.00</span><span>Delivery fee £2.50</span></div>';
  return whole(
    menu,
    '',
    `<div id="app">${bar}${tabs}${each(menu.sections, section)}<div class="css-basket"><p>Subtotal</p><p>£0.00</p></div></div>`,
  );
}

function writeWix(menu: DrawnMenu): string {
  const one = (dish: DrawnDish) => {
    const sizes = each(
      dish.sizes,
      (size) =>
        `<div data-hook="variant"><span data-hook="variant.name">${text(size.name)}</span><span data-hook="variant.price">${pounds(size.price)}</span></div>`,
    );
    const price =
      dish.sizes.length > 0
        ? `<div data-hook="item.priceVariants">${sizes}</div>`
        : `<div data-hook="item.price">${text(priceText(dish))}</div>`;
    return `<div data-hook="item.container" class="sZ2f"><div class="oQx1"><div data-hook="item.name" class="hXk9">${text(dish.name)}</div>${price}</div>
${some(dish.description, `<div data-hook="item.description">${text(dish.description)}</div>`)}${some(dish.mark, '<ul data-hook="item.labels"><li>Vegetarian</li></ul>')}</div>`;
  };
  const section = (part: DrawnSection) =>
    `<div data-hook="section.container"><div data-hook="section.name" class="tGh3">${text(part.name)}</div>${some(part.note, `<div data-hook="section.description">${text(part.note)}</div>`)}${each(part.dishes, one)}</div>`;
  return whole(
    menu,
    '',
    `<div id="SITE_CONTAINER"><div data-hook="menu.container"><div data-hook="menu.name">Takeaway menu</div>${each(menu.sections, section)}</div></div>`,
  );
}

/** Typed into one paragraph after the other, with dots to the price. */
function writeLines(menu: DrawnMenu): string {
  const line = (dish: DrawnDish) => {
    const left = `${dish.number}. ${dish.name}${some(dish.mark, ` ${dish.mark}`)}`;
    return `${text(left)} ${'.'.repeat(Math.max(4, 48 - left.length))} ${text(priceText(dish))}`;
  };
  const section = (one: DrawnSection) => `<p><b><u>${text(one.name)}</u></b><br>
${some(one.note, `<i>${text(one.note)}</i><br>`)}${one.dishes.map(line).join('<br>\n')}</p>`;
  return whole(
    menu,
    '',
    `<div class="text-block"><p>${text(menu.shop.address)} - Tel ${menu.shop.phone}</p>${each(menu.sections, section)}<p>Minimum delivery order £10.00. We accept cash only.</p></div>`,
  );
}
