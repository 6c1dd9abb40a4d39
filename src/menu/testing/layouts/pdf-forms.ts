import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { priceText, writePrice } from './draw-menu.ts';
import type { DrawnDish, DrawnMenu, DrawnSection, LayoutForm } from './draw-menu.ts';
import { text } from './page-forms.ts';
import { sizeNamesOf } from './sheet-forms.ts';

/** A PDF is printed by hand (`print-pdfs.ts`), so its dishes are those of this seed. */
export const printedSeed = 7;

export interface PdfForm extends LayoutForm {
  kind: 'pdf';
  html(menu: DrawnMenu): string;
}

/** PDFs that a browser has printed, as word processors lay menus out. */
export const pdfForms: readonly PdfForm[] = [
  pdfForm('dot-leaders', writeDotLeaders, {
    kind: 'fish',
    count: [28, 40],
    doubts: ['poa', 'from', 'market'],
    hasSizes: false,
  }),
  pdfForm('two-columns', writeTwoColumns, { kind: 'chinese', count: [40, 54], doubts: ['from', 'odd'] }),
  pdfForm('size-table', writeSizeTable, { kind: 'pizza', count: [30, 46], doubts: ['poa'], lacksSizes: true }),
  pdfForm('english-and-chinese', writeTwoLanguages, { kind: 'chinese', count: [34, 50], doubts: ['market'] }),
  pdfForm('price-first', writePriceFirst, {
    kind: 'chicken',
    count: [26, 44],
    doubts: ['range', 'from'],
    hasDeals: true,
  }),
  pdfForm('small-caps', writeSmallCaps, { kind: 'curry', count: [42, 60], doubts: ['poa', 'market'] }),
  pdfForm('folded-leaflet', writeLeaflet, {
    kind: 'cafe',
    count: [28, 42],
    doubts: ['from', 'range'],
    hasSizes: false,
  }),
  pdfForm('sizes-in-line', writeSizesInLine, {
    kind: 'kebab',
    count: [28, 42],
    doubts: ['poa', 'odd'],
    hasDeals: true,
  }),
];

/** A PDF's title has this, so that a test finds PDFs older than the menus drawn now. */
export const fingerprintOf = (form: PdfForm, menu: DrawnMenu) =>
  `${form.name}-${createHash('sha256').update(form.html(menu)).digest('hex').slice(0, 12)}`;

function pdfForm(name: string, html: (menu: DrawnMenu) => string, menu: LayoutForm['menu']): PdfForm {
  const fileName = `${name}.pdf`;
  return { name, kind: 'pdf', fileName, menu, html, write: () => readFileSync(new URL(fileName, import.meta.url)) };
}

const each = <T>(list: readonly T[], html: (one: T, index: number) => string) => list.map(html).join('\n');
const pounds = (pence: number) => writePrice(pence, 'pounds');
const some = (value: string, html: string) => (value ? html : '');
const nameOf = (dish: DrawnDish) => text(dish.name + some(dish.mark, ` ${dish.mark}`));

function paper(style: string, body: string): string {
  const base =
    'body{font:10pt "Liberation Sans",sans-serif;margin:0}h1,h2,h3,p{margin:0 0 4pt}.row{display:flex;break-inside:avoid}.right{margin-left:auto;padding-left:8pt;white-space:nowrap}.under{font-size:8pt;font-style:italic;margin:0 40pt 3pt 0}section{margin-bottom:10pt}';
  return `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><style>@page{size:A4;margin:16mm 14mm}${base}${style}</style></head><body>${body}</body></html>`;
}

const hours = ({ shop }: DrawnMenu) => each(shop.hours, (line) => `<p>${text(line)}</p>`);
const extraLines = (section: DrawnSection) =>
  each(section.extras, (line) => `<p class="under">${line.name} ${line.price}p</p>`);

/** Two pages or more; header and footer stand on each. */
function writeDotLeaders(menu: DrawnMenu): string {
  const style =
    '.row{font-size:13pt;line-height:1.7}.dots{flex:1;overflow:hidden;height:1.7em;margin:0 4pt}.head{position:fixed;top:0;left:0;right:0;text-align:center;font-size:9pt}.foot{position:fixed;bottom:0;left:0;right:0;text-align:center;font-size:8pt}table{width:100%;table-layout:fixed}h2{margin-top:10pt}';
  const dots = `<span class="dots">${'.'.repeat(200)}</span>`;
  const item = (dish: DrawnDish) =>
    `<div class="row"><span>${nameOf(dish)}</span>${dots}<span>${text(priceText(dish))}</span></div>`;
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name.toUpperCase())}</h2>${some(one.note, `<p><i>${text(one.note)}</i></p>`)}${each(one.dishes, item)}${extraLines(one)}</section>`;
  const { shop } = menu;
  return paper(
    style,
    `<div class="head">${text(shop.name)} - Takeaway Menu</div><div class="foot">Tel: ${shop.phone} - ${text(shop.delivery)}</div>
<table><thead><tr><td style="height:22pt"></td></tr></thead><tbody><tr><td><h1>${text(shop.name)}</h1><p>${text(shop.address)}</p>${each(menu.sections, section)}<h3>Opening times</h3>${hours(menu)}</td></tr></tbody><tfoot><tr><td style="height:22pt"></td></tr></tfoot></table>`,
  );
}

function writeTwoColumns(menu: DrawnMenu): string {
  const style =
    '.columns{columns:2;column-gap:26pt;font:10pt "Liberation Serif",serif}h2{font-weight:400}.number{width:22pt}h2{font-size:12pt;text-align:center;border-bottom:1pt solid #900;break-after:avoid}';
  const item = (dish: DrawnDish) =>
    `<div class="row"><span class="number">${dish.number}.</span><span>${nameOf(dish)}</span><span class="right">${text(priceText(dish))}</span></div>`;
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name)}</h2>${some(one.note, `<p class="under">${text(one.note)}</p>`)}${each(one.dishes, item)}</section>`;
  return paper(
    style,
    `<h1 style="text-align:center">${text(menu.shop.name)}</h1><p style="text-align:center">${text(menu.shop.address)} Tel: ${menu.shop.phone}</p><div class="columns">${each(menu.sections, section)}</div><p>${text(menu.shop.delivery)}</p>${hours(menu)}`,
  );
}

function writeSizeTable(menu: DrawnMenu): string {
  const style =
    'table{width:100%;border-collapse:collapse;margin-bottom:10pt}td,th{padding:2pt 4pt;border-bottom:.5pt solid #bbb;text-align:right}td:first-child,th:first-child{text-align:left}small{display:block;color:#555}tr{break-inside:avoid}';
  const section = (one: DrawnSection) => {
    const sizes = sizeNamesOf(one);
    const row = (dish: DrawnDish) => {
      const bySize = sizes.map((name) => dish.sizes.find((size) => size.name === name)?.price);
      const prices =
        sizes.length > 0 ? bySize.map((price) => (price === undefined ? '-' : pounds(price))) : [priceText(dish)];
      const under = some(dish.description, `<small>${text(dish.description)}</small>`);
      return `<tr><td>${nameOf(dish)}${under}</td>${prices.map((price) => `<td>${text(price)}</td>`).join('')}</tr>`;
    };
    const heads = sizes.length > 0 ? sizes : [''];
    return `<table><tr><th>${text(one.name)}</th>${heads.map((size) => `<th>${text(size)}</th>`).join('')}</tr>${each(one.dishes, row)}</table>${extraLines(one)}`;
  };
  return paper(
    style,
    `<h1>${text(menu.shop.name)}</h1><p>Call ${menu.shop.phone} to order</p>${each(menu.sections, section)}<p>${text(menu.shop.delivery)}</p>`,
  );
}

function writeTwoLanguages(menu: DrawnMenu): string {
  const style =
    'body{font-family:"Liberation Sans","Droid Sans Fallback"}.number{width:26pt}.chinese{margin-left:8pt}h1,h2{font-weight:400}h2{background:#eee;padding:2pt 4pt}';
  const item = (dish: DrawnDish) =>
    `<div class="row"><span class="number">${dish.number}</span><span>${nameOf(dish)}</span><span class="chinese">${dish.chinese}</span><span class="right">${text(priceText(dish))}</span></div>`;
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name)} ${one.chinese}</h2>${each(one.dishes, item)}</section>`;
  return paper(
    style,
    `<h1>${text(menu.shop.name)} 外賣餐牌</h1><p>電話 Tel: ${menu.shop.phone}</p>${each(menu.sections, section)}<p>Allergies? Please ask. 如有過敏請告知店員</p>`,
  );
}

function writePriceFirst(menu: DrawnMenu): string {
  const style =
    '.price{width:64pt;font-weight:bold}h2{color:#c00;text-transform:uppercase}.deal{border:1pt solid;padding:4pt;font-weight:bold}';
  const item = (dish: DrawnDish) =>
    `<div class="row"><span class="price"${dish.isDoubtful ? ' style="width:90pt"' : ''}>${text(priceText(dish))}</span><span>${nameOf(dish)}</span></div>`;
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name)}</h2>${each(one.dishes, item)}${some(one.note, `<p class="under">${text(one.note)}</p>`)}</section>`;
  return paper(
    style,
    `<h1>${text(menu.shop.name)}</h1>${each(menu.deals, (deal) => `<p class="deal">${text(deal)}</p>`)}${each(menu.sections, section)}<p>Open 7 days 11am - 11pm</p><p>${menu.shop.phone}</p>`,
  );
}

function writeSmallCaps(menu: DrawnMenu): string {
  const style =
    'body{font-family:"DejaVu Serif",serif;font-size:9pt}.name,h2{font-variant:small-caps}h2{text-align:center;letter-spacing:3pt;font-size:14pt}';
  const item = (dish: DrawnDish) =>
    `<div class="row"><span class="name">${text(dish.name)}</span><span>&nbsp;${dish.mark}</span><span class="right">${text(priceText(dish, 'plain'))}</span></div>${some(dish.description, `<p class="under">${text(dish.description)}</p>`)}`;
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name)}</h2>${some(one.note, `<p class="under" style="text-align:center">${text(one.note)}</p>`)}${each(one.dishes, item)}</section>`;
  return paper(
    style,
    `<h1>${text(menu.shop.name)}</h1>${each(menu.sections, section)}<p>Prices include VAT. ${text(menu.shop.delivery)}</p>${hours(menu)}`,
  );
}

/** Three panels of a sheet across, in which dishes stand in boxes, and prices without a sign. */
function writeLeaflet(menu: DrawnMenu): string {
  const style =
    '@page{size:A4 landscape;margin:8mm}body{display:flex;gap:12mm;font-size:9pt}.panel{flex:1}section{border:1pt solid #444;padding:4pt 6pt}h2{font-size:11pt}';
  const item = (dish: DrawnDish) =>
    `<div class="row"><span>${nameOf(dish)}</span><span class="right">${text(priceText(dish, 'short'))}</span></div>${some(dish.description, `<p class="under">${text(dish.description)}</p>`)}`;
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name)}</h2>${each(one.dishes, item)}${each(one.extras, (line) => `<p class="under">${line.name} ${writePrice(line.price, 'plain')}</p>`)}</section>`;
  const third = Math.ceil(menu.sections.length / 3);
  const panel = (index: number) => each(menu.sections.slice(index * third, (index + 1) * third), section);
  return paper(
    style,
    `<div class="panel"><h1>${text(menu.shop.name)}</h1>${panel(0)}</div><div class="panel">${panel(1)}</div><div class="panel">${panel(2)}<h3>We are open</h3>${hours(menu)}<p>${text(menu.shop.address)}</p><p>${menu.shop.phone}</p></div>`,
  );
}

function writeSizesInLine(menu: DrawnMenu): string {
  const style =
    'body{font-size:12pt;line-height:1.6}.box{border:2pt dashed;padding:6pt;margin:10pt 0}h2{break-before:auto;break-after:avoid}';
  const item = (dish: DrawnDish) => {
    const sizes = dish.sizes.map((size) => `${size.name} ${pounds(size.price)}`).join(' &nbsp; ');
    return `<div class="row"><span>${nameOf(dish)}</span><span class="right">${sizes || text(priceText(dish))}</span></div>${some(dish.description, `<p class="under">${text(dish.description)}</p>`)}`;
  };
  const section = (one: DrawnSection) =>
    `<section><h2>${text(one.name)}</h2>${some(one.note, `<p>${text(one.note)}</p>`)}${each(one.dishes, item)}${extraLines(one)}</section>`;
  return paper(
    style,
    `<h1>${text(menu.shop.name)}</h1><p>${text(menu.shop.delivery)}</p><div class="box">${each(menu.deals, (deal) => `<p>${text(deal)}</p>`)}</div>${each(menu.sections, section)}${hours(menu)}`,
  );
}
