const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** A typed text's lines: runs of empty ones are one, none at the ends. Empty for a blank text. */
export function typedLines(text: string): string[] {
  const lines = text.split(lineBreak).map((line) => line.trim());
  return lines.filter((line, place) => {
    if (line !== '') return true;
    return lines[place - 1] !== '' && lines.slice(0, place).some(Boolean) && lines.slice(place).some(Boolean);
  });
}
