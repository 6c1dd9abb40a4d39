import { parseSync } from 'vite';

/** The paraphrases in a file: sentences that begin with one of these words, and comments that contain "what". */
export interface Paraphrases {
  starts: string[];
  whats: string[];
}

/** Finds a file's comments that use a paraphrase in place of a noun (docs/words.md). */
export function findParaphrases(file: string, text: string): Paraphrases {
  const comments = commentsOf(file, text);
  return {
    starts: comments.filter((comment) => /(?:^|[.!?:] )(?:What|Who|Whoever|Those|That which)\b/.test(comment)),
    whats: comments.filter((comment) => /\bwhat\b/i.test(comment)),
  };
}

/** A file's comments, each on one line. Adjacent `//` lines are one comment; tool directives are left out. */
export function commentsOf(file: string, text: string): string[] {
  if (file.endsWith('.css')) return [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map(([, value = '']) => onOneLine(value));
  const joined: { value: string; end: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of parseSync(file, text).comments) {
    const last = joined.at(-1);
    if (/^\s*(?:oxlint|eslint|@__PURE__|@ts)/.test(value)) continue;
    const isNext = type === 'Line' && last?.isLine === true && /^\r?\n[ \t]*$/.test(text.slice(last.end, start));
    if (isNext) Object.assign(last, { value: `${last.value} ${value.trim()}`, end });
    else joined.push({ value, end, isLine: type === 'Line' });
  }
  return joined.map(({ value }) => onOneLine(value));
}

function onOneLine(comment: string): string {
  return comment
    .replaceAll(/^\s*\*+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
