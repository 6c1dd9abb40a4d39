import type { BaseCommand } from 'receiptline';
import { graphemeWidth, splitGraphemes, textWidth } from '#printing/receipt/text.ts';

const cell = { width: 12, height: 24 };
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Splits a text into right-to-left phrases, with the spaces inside them, and the rest. */
const phrases =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*|[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+/g;
/** Characters that every monospaced font has and whose spaces a renderer does not fold: a word in Latin letters. */
const simple = /^[\x21-\x7e\u00a1-\u024f]+$/;
const fonts = `'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas, 'Noto Sans Mono', monospace`;

interface Look {
  bold: boolean;
  underlined: boolean;
  inverted: boolean;
  across: number;
  down: number;
}
const plain: Look = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };

/**
 * receiptline's command set for a picture of the paper, 12 × 24 units a character. It replaces the library's own SVG,
 * which loads a web font from another host, draws inversion by a filter with a random id, and parts right-to-left words.
 * The elements are svg, g, rect, path and text only, and user text stands in text nodes only.
 */
export function svgCommand(base: BaseCommand): BaseCommand {
  let columns = 48;
  let y = 0;
  let paper = '';
  let row = '';
  let rowHeight = 1;
  let left = 0;
  let position = 0;
  let look = { ...plain };

  const lineFeed = () => {
    y += rowHeight * cell.height;
    if (row !== '') paper += `<g transform="translate(${left * cell.width},${y})">${row}</g>`;
    row = '';
    rowHeight = 1;
    position = 0;
    return '';
  };

  return {
    ...base,
    open: (printer) => {
      columns = printer.cpl ?? 48;
      y = 0;
      paper = '';
      return '';
    },
    close: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${columns * cell.width}" height="${y}" viewBox="0 0 ${columns * cell.width} ${y}">` +
      `<g font-family="${fonts}" font-size="20" text-anchor="middle" fill="#000">${paper}</g></svg>`,
    area: (margin) => {
      left = margin;
      return '';
    },
    absolute: (at) => {
      position = at;
      return '';
    },
    relative: (by) => {
      position += by;
      return '';
    },
    hr: (width) => {
      row += `<path d="M0,-12h${width * cell.width}" stroke="#000" stroke-width="2"/>`;
      return '';
    },
    normal: () => {
      look = { ...plain };
      return '';
    },
    em: () => {
      look.bold = true;
      return '';
    },
    ul: () => {
      look.underlined = true;
      return '';
    },
    iv: () => {
      look.inverted = true;
      return '';
    },
    wh: (size) => {
      look.across = size < 2 ? size + 1 : size - 1;
      look.down = size < 3 ? size : size - 1;
      rowHeight = Math.max(rowHeight, look.down);
      return '';
    },
    text: (text) => {
      const width = textWidth(text);
      row += `<g transform="translate(${position * cell.width},0)${scale(look)}">${drawn(text, width, look)}</g>`;
      position += width * look.across;
      return '';
    },
    lf: lineFeed,
    vrlf: lineFeed,
  };
}

function drawn(text: string, width: number, look: Look): string {
  const box = `width="${width * cell.width}"`;
  let at = 0;
  const words = visualRuns(text).map((run) => {
    const places = run.cells.map((cellWidth) => {
      at += cellWidth;
      return (at - cellWidth / 2) * cell.width;
    });
    return run.text.trim() === '' ? '' : `<text x="${places.join(' ')}" y="-6">${escapeXml(run.text)}</text>`;
  });
  const ground = look.inverted ? `<rect y="-24" ${box} height="24" shape-rendering="crispEdges"/>` : '';
  const line = look.underlined ? `<rect y="-3" ${box} height="2"/>` : '';
  const attributes = (look.inverted ? ' fill="#fff"' : '') + (look.bold ? ' font-weight="bold"' : '');
  return `${ground}${line}${attributes === '' ? words.join('') : `<g${attributes}>${words.join('')}</g>`}`;
}

/** Text that is drawn by one element, and how many columns each of its places takes. */
interface Run {
  text: string;
  cells: number[];
}

/**
 * Simple letters share an element that places each in its own cell; a letter with marks or an emoji has one to itself; a
 * right-to-left phrase has one place only, for the reader's own shaping and order.
 */
function visualRuns(text: string): Run[] {
  const parts = text.match(phrases) ?? [];
  return parts.flatMap((part) => {
    if (rightToLeft.test(part)) return [{ text: part, cells: [textWidth(part)] }];
    return splitGraphemes(part).reduce<Run[]>((runs, grapheme) => {
      const last = runs.at(-1);
      if (last && simple.test(grapheme) && simple.test(last.text)) {
        last.text += grapheme;
        last.cells.push(graphemeWidth(grapheme));
      } else runs.push({ text: grapheme, cells: [graphemeWidth(grapheme)] });
      return runs;
    }, []);
  });
}

function scale({ across, down }: Look): string {
  return across === 1 && down === 1 ? '' : ` scale(${across},${down})`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
