import { type BaseCommand, commands, type Encoding, transform } from 'receiptline';
import { graphemeWidth, splitGraphemes, textWidth } from '#printing/receipt/text.ts';
import { svgCommand } from '#printing/server/render-receipt-svg.ts';

export interface RenderOptions<Format> {
  format: Format;
  /** Characters per line: 48 on 80 mm paper (the default), 32 on 58 mm. */
  columns?: number;
}

/**
 * A receiptline source as a picture (`svg`), as plain `text`, or as the bytes for an ESC/POS or a StarPRNT printer, which
 * end with one cut. Characters come from the printer's code pages 437, 852, 858, 866 and 1252, chosen as the text
 * needs them; a letter that they lack prints without its accents, and `?` stands for what has no likeness there.
 */
export function renderReceipt(source: string, options: RenderOptions<'svg' | 'text'>): string;
export function renderReceipt(source: string, options: RenderOptions<'escpos' | 'starprnt'>): Buffer;
export function renderReceipt(
  source: string,
  { format, columns = 48 }: RenderOptions<'svg' | 'text' | 'escpos' | 'starprnt'>,
): string | Buffer {
  const printer = { cpl: columns, encoding: 'multilingual' as const, spacing: false, cutting: true };
  switch (format) {
    case 'svg':
      return transform(source, { ...printer, command: svgCommand(measured(commands.svg)) });
    case 'text':
      return transform(withoutSizes(source), { ...printer, command: measured(commands.text) }).replaceAll(
        '\u00a0',
        ' ',
      );
    case 'escpos':
      return Buffer.from(transform(source, { ...printer, command: printable(commands.escpos) }), 'latin1');
    case 'starprnt':
      return Buffer.from(transform(source, { ...printer, command: printable(commands.starsbcs) }), 'latin1');
  }
}

/** Plain text has one size; receiptline would space large letters out, which neither eye nor screen reader can read. */
function withoutSizes(source: string): string {
  return source.replace(/(\\.)|\^+/g, '$1');
}

/** A command set that counts columns as the layout does. */
function measured(command: BaseCommand): BaseCommand {
  return { ...command, arrayFrom: splitGraphemes, measureText: textWidth };
}

/** A command set that prints every character in the columns that the layout gave it, whether its font has it or not. */
function printable(command: BaseCommand): BaseCommand {
  return {
    ...measured(command),
    text(text: string, encoding: Encoding) {
      return command.text.call(
        this,
        splitGraphemes(text)
          .map((grapheme) => likeness(command, grapheme))
          .join(''),
        encoding,
      );
    },
  };
}

function likeness(command: BaseCommand, grapheme: string): string {
  if (grapheme <= '\x7f') return grapheme;
  if (grapheme === '\u00a0') return ' ';
  const width = graphemeWidth(grapheme);
  const candidates = [grapheme, grapheme.normalize('NFKC'), grapheme.normalize('NFKD').replace(/\p{M}/gu, '')];
  const found = candidates.find(
    (text) => text !== '' && Array.from(text).length <= width && isInCodePages(command, text),
  );
  return (found ?? '?').padEnd(width);
}

function isInCodePages(command: BaseCommand, text: string): boolean {
  return Array.from(text).every(
    (character) => character <= '\x7f' || (character.length === 1 && command.text(character, 'multilingual') !== '?'),
  );
}
