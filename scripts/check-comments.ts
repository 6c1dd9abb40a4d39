import { globSync, readFileSync } from 'node:fs';
import { findParaphrases } from './comments.ts';

/** Refuses paraphrases in the comments of the product's code and style sheets; part of `npm run lint`. */
const product = globSync('src/**/*.{ts,tsx,css}', {
  exclude: ['**/*.test.{ts,tsx}', '**/{testing,migrations,messages.gen}/**'],
});
const found = product.flatMap((file) => {
  const { starts, whats } = findParaphrases(file, readFileSync(file, 'utf8'));
  return [...new Set([...starts, ...whats])].map((comment) => `  ${file}: ${comment}`);
});
if (found.length > 0) {
  process.exitCode = 1;
  console.error(
    `${found.length} comments contain "what", or begin a sentence with What, Who, Whoever, Those or That which. ` +
      'Use the noun (docs/words.md):',
  );
  console.error(found.join('\n'));
}
