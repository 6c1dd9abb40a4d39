/**
 * Prints the menus of `pdf-forms.ts` into the files beside it: `node src/menu/testing/layouts/print-pdfs.ts`, after a
 * change of the dishes or of a form. Needs Chromium, and for Chinese a font such as Debian's `fonts-droid-fallback`.
 */
import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { drawMenu } from './draw-menu.ts';
import { fingerprintOf, pdfForms, printedSeed } from './pdf-forms.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell';
const browser = await chromium.launch({ executablePath });
const page = await browser.newPage();
for (const form of pdfForms) {
  const menu = drawMenu(form.menu, printedSeed);
  const title = `<title>${fingerprintOf(form, menu)}</title>`;
  await page.setContent(form.html(menu).replace('</head>', `${title}</head>`));
  const hasPageNumbers = form.name === 'sizes-in-line';
  const bytes = await page.pdf({
    preferCSSPageSize: true,
    tagged: form.name === 'small-caps',
    displayHeaderFooter: hasPageNumbers,
    headerTemplate: '<div style="font-size:8px;width:100%;text-align:center">Best Kebab House - takeaway menu</div>',
    footerTemplate:
      '<div style="font-size:8px;width:100%;text-align:center">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>',
  });
  writeFileSync(new URL(form.fileName, import.meta.url), bytes);
}
await browser.close();
