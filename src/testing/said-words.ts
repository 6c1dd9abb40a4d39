import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The modules that `files` bring along, at once or later. What is imported as a type brings no words. */
export function reachFrom(files: readonly string[], isLeftOut = (_file: string) => false): Set<string> {
  const imports = /(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([#.][^']+)'|import\('([#.][^']+)'\)/g;
  const reached = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file) || isLeftOut(file) || !/\.tsx?$/.test(file) || !existsSync(file)) continue;
    reached.add(file);
    for (const [, now, later] of readFileSync(file, 'utf8').matchAll(imports)) {
      const path = now ?? later ?? '';
      waiting.push(path.startsWith('#') ? `src/${path.slice(1)}` : join(dirname(file), path));
    }
  }
  return reached;
}

/** The keys of the messages that a module names. */
export function wordsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\bm\.(\w+)/g)].map(([, word = '']) => word);
}
