import { cellHeight, cellWidth, type Sheet, type SheetRow, type Span } from './decode/sheet.ts';

/** A printer's paper as an SVG. Its letters are in the fixed-width font of the machine that shows it. */
export function drawPaper({ rows }: Sheet, dots: number): Buffer {
  let top = 0;
  const drawn = rows.map((row) => {
    const part = row.kind === 'text' ? textOf(row, top) : inkOf(row, top);
    top += row.height;
    return part;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${dots}" height="${top}" viewBox="0 0 ${dots} ${top}">`;
  const style = 'font-family="monospace" font-size="20" shape-rendering="crispEdges"';
  return Buffer.from(`${head}<rect width="100%" height="100%" fill="#fff"/><g ${style}>${drawn.join('')}</g></svg>`);
}

/** Letters stand on the bottom of their row, each in a cell of its own. */
function textOf({ spans, height }: Extract<SheetRow, { kind: 'text' }>, top: number): string {
  return spans.map((span) => drawSpan(span, top + height)).join('');
}

function drawSpan({ x, text, bold, underlined, inverted, across, down }: Span, bottom: number): string {
  const letters = Array.from(text);
  const width = letters.length * cellWidth;
  const ink = inverted ? '#fff' : '#000';
  const parts = [
    inverted ? `<rect width="${width}" height="${cellHeight}"/>` : '',
    underlined ? `<rect y="${cellHeight - 2}" width="${width}" height="2" fill="${ink}"/>` : '',
    ...letters.map((letter, at) => drawLetter(letter, at, ink)),
  ];
  const place = `transform="translate(${x} ${bottom - down * cellHeight}) scale(${across} ${down})"`;
  return `<g ${place}${bold ? ' font-weight="bold"' : ''}>${parts.join('')}</g>`;
}

function drawLetter(letter: string, at: number, ink: string): string {
  if (letter.trim() === '') return '';
  const escaped = letter.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fit = `textLength="${cellWidth}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${at * cellWidth}" y="${cellHeight - 6}" ${fit} fill="${ink}">${escaped}</text>`;
}

/** Black dots that stand beside each other are one line. */
function inkOf({ width, height, ink }: Extract<SheetRow, { kind: 'picture' }>, top: number): string {
  const lines: string[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (ink[y * width + x] !== 1) continue;
      const from = x;
      while (x < width && ink[y * width + x] === 1) x += 1;
      lines.push(`M${from} ${top + y}h${x - from}v1h${from - x}z`);
    }
  }
  return lines.length === 0 ? '' : `<path d="${lines.join('')}"/>`;
}
