import { readFileSync } from 'node:fs';
import Papa from 'papaparse';

/** Reads the rows of `dishes.csv`, headings first. The file has the format of an office import. */
export function readDishFile(): string[][] {
  const text = readFileSync(new URL('dishes.csv', import.meta.url), 'utf8');
  return Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
}

export function cellsBelowHeading([heads = [], ...lines]: string[][], heading: string): string[] {
  const at = heads.indexOf(heading);
  return lines.map((line) => line[at] ?? '');
}
