import { globSync, readFileSync } from 'node:fs';
import { paraphrasesIn } from './comments.ts';

/**
 * Compares the paraphrases in the product's comments with their limits, by folder: part of `npm run lint`. A limit is the
 * number that was reached, and only goes down; a folder without one has none.
 */
const limits: Readonly<Record<string, { starts: number; whats: number }>> = {
  'src/hatch/': { starts: 1, whats: 5 },
};
const none = { starts: 0, whats: 0 };

const found = new Map<string, { starts: string[]; whats: string[] }>();
for (const file of globSync('src/**/*.{ts,tsx}')) {
  if (/\.test\.tsx?$|\/(?:testing|migrations|messages\.gen)\//.test(file)) continue;
  const folder = Object.keys(limits).find((name) => file.startsWith(name)) ?? 'the other folders';
  const { starts, whats } = paraphrasesIn(file, readFileSync(file, 'utf8'));
  const of = found.get(folder) ?? { starts: [], whats: [] };
  of.starts.push(...starts.map((comment) => `${file}: ${comment}`));
  of.whats.push(...whats.map((comment) => `${file}: ${comment}`));
  found.set(folder, of);
}
for (const [folder, { starts, whats }] of found) {
  const most = limits[folder] ?? none;
  report(folder, 'begin a sentence with What, Who, Whoever, Those or That which', starts, most.starts);
  report(folder, 'contain "what"', whats, most.whats);
}

function report(folder: string, fault: string, comments: string[], most: number): void {
  if (comments.length <= most) return;
  process.exitCode = 1;
  console.error(
    `${comments.length} comments of ${folder} ${fault}, at most ${most} may. Use the noun (docs/words.md):`,
  );
  for (const comment of comments) console.error(`  ${comment}`);
}
