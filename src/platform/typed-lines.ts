const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** The lines of a text as a person typed it: a run of empty ones is one, and none is at an end. Nothing for a blank text. */
export function typedLines(text: string): string[] {
  const lines = text.split(lineBreak).map((line) => line.trim());
  return lines.filter((line, place) => {
    if (line !== '') return true;
    return lines[place - 1] !== '' && lines.slice(0, place).some(Boolean) && lines.slice(place).some(Boolean);
  });
}
