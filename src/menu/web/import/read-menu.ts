import type { PDFPageProxy } from 'unpdf/pdfjs';
import { m } from '#messages';
import { draftOfSheets } from '#menu/import/draft-of-sheet.ts';
import { draftOfText, type MenuDraft } from '#menu/import/draft.ts';
import { guessSheetMatch } from '#menu/import/match-columns.ts';
import { readPage } from '#menu/import/read-page.ts';
import { linesOfPdf, type PdfPiece } from '#menu/import/read-pdf.ts';
import { dishesOfText } from '#menu/import/read-text.ts';
import { UnreadableFileError } from '#menu/import/table.ts';
import { draftToInterpretedSheets } from '#menu/import/interpret-sheets.ts';
import { candidateDecodings } from '#menu/web/import/decode-text.ts';
import { type FileReadings, readSheets } from '#menu/web/import/read-sheets.ts';

/**
 * Reads a menu from a file: a spreadsheet (CSV, XLSX), a saved page (HTML) or a PDF. Prices are in minor units. Throws
 * UnreadableFileError with a message.
 */
export async function parseMenuFile(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  currency = 'GBP',
): Promise<MenuDraft> {
  const [{ draft, sheets }] = await readMenuBytes(bytes, name, currency);
  return draft ?? draftOfSheets(sheets, guessSheetMatch(sheets), currency);
}

/** Reads a file. The content tells the format; a page without a doctype is recognised by the file's name. */
export async function readMenuBytes(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  currency: string,
): Promise<FileReadings> {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2000));
  if (start.includes('%PDF-')) return readingOfDraft(await readPdf(bytes, currency));
  if (/<!doctype html|<html\b|^\s*<(?:table|meta)\b/i.test(start) || /\.x?html?$/i.test(name))
    return readingOfDraft(readPage(candidateDecodings(bytes)[0].text, currency));
  if (/^(?:\xFF\xD8|\x89PNG|GIF8|RIFF....WEBP|....ftyp(?:hei[cf]|mif1|avif))/s.test(start))
    throw new UnreadableFileError(m.menu_import_is_picture());
  return readSheets(bytes, name, currency);
}

export function readingOfDraft(draft: MenuDraft): FileReadings {
  return [{ encoding: null, samples: [], sheets: [], hidden: [], ...draftToInterpretedSheets(draft) }];
}

/** The maximum number of a PDF's pages; a longer PDF is no menu. */
const maxPages = 60;

async function readPdf(bytes: Uint8Array<ArrayBuffer>, currency: string): Promise<MenuDraft> {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes.slice()).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableFileError(isLocked ? m.menu_import_pdf_locked() : m.menu_import_pdf_broken());
  });
  if (pdf.numPages > maxPages) throw new UnreadableFileError(m.menu_import_pdf_long({ most: maxPages }));
  const pages: PdfPiece[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const isBold = await boldFontTest(page);
    pages.push(
      items.flatMap((item) => {
        if (!('str' in item)) return [];
        const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as number[];
        const height = item.height || Math.hypot(a, b);
        return { text: item.str, x, y, width: item.width, height, isBold: isBold(item.fontName) };
      }),
    );
  }
  const letters = pages.flat().reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
  if (letters < 10) throw new UnreadableFileError(m.menu_import_pdf_pictures());
  return draftOfText(dishesOfText(linesOfPdf(pages), currency));
}

/** Loads the page's fonts, because only a font's name tells whether the font is bold. */
async function boldFontTest(page: PDFPageProxy): Promise<(font: string) => boolean> {
  await page.getOperatorList().catch(() => null);
  return (font) => {
    const known = page.commonObjs.has(font) ? (page.commonObjs.get(font) as { name?: string } | null) : null;
    return /bold|black|heavy/i.test(known?.name ?? '');
  };
}
