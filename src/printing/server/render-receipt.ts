import { readPaper } from '#printing/server/encode/read-paper.ts';
import { toText } from '#printing/server/encode/text.ts';
import { type ShownPicture, toSvg } from '#printing/server/render-receipt-svg.ts';

export interface RenderOptions {
  format: 'svg' | 'text';
  /** Characters per line: 48 on 80 mm paper (the default), 32 on 58 mm. */
  columns?: number;
  /** The pictures that the source names; one that is not given is left out. */
  pictures?: Readonly<Record<string, ShownPicture>>;
}

/** A receiptline source for a screen: as a picture in the reader's fonts, or as text. */
export function renderReceipt(source: string, { format, columns = 48, pictures }: RenderOptions): string {
  const paper = readPaper(source, columns);
  return format === 'svg' ? toSvg(paper, pictures) : toText(paper);
}
