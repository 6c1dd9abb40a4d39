import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { responseTypes, typesByFile } from './stripe-schemas/types.ts';
import { shrink, type Schemas } from './stripe-schemas/shrink.ts';

/**
 * `npm run make -- stripe-schemas` writes the JSON schemas with which the local Stripe validates every request and
 * response. The schemas come from the types of the installed `stripe` package, so run it after each update. The
 * generator needs the API of TypeScript 6, which TypeScript 7 lacks. If TypeScript 6 is missing in
 * `scripts/stripe-schemas/generator`, it is installed there.
 */
const generator = fileURLToPath(new URL('./stripe-schemas/generator/', import.meta.url));
const target = fileURLToPath(new URL('../simulators/stripe/schemas.json', import.meta.url));
const library = fileURLToPath(new URL('../node_modules/stripe/', import.meta.url));

/** The type that replaces lists of objects which the local Stripe never returns. */
const emptyList = "{ object: 'list'; data: never[]; has_more: boolean; url: string }";

interface Generator {
  createGenerator(config: object): { createSchema(type: string): { definitions: Schemas } };
}

if (!existsSync(`${generator}node_modules`)) {
  console.log('The generator is missing. Installing it: npm ci --prefix scripts/stripe-schemas/generator');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: generator,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
const folder = mkdtempSync(join(tmpdir(), 'hatch-stripe-schemas-'));
try {
  copyTypes();
  const definitions = shrink(await readTypes());
  const { version } = JSON.parse(readFileSync(`${library}package.json`, 'utf8')) as { version: string };
  const apiVersion = /'(.+)'/.exec(readFileSync(`${library}esm/apiVersion.js`, 'utf8'))?.[1];
  // Each definition is on one line, so that the diff of an update is readable.
  const lines = Object.entries(definitions).map(
    ([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`,
  );
  writeFileSync(
    target,
    `{"version":"${version}","apiVersion":"${apiVersion}","definitions":{\n${lines.join(',\n')}\n}}\n`,
  );
  console.log(`${lines.length} definitions, ${Math.round(statSync(target).size / 1024)} KB, of stripe ${version}`);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Copies the type declarations. Types of objects that the local Stripe never returns become `never`, and lists of them
 * become empty lists. `OtherString` also becomes `never`, because it allows any text in place of an enum's value.
 */
function copyTypes(): void {
  const copy = `${folder}/stripe`;
  cpSync(`${library}esm`, copy, {
    recursive: true,
    filter: (file) => statSync(file).isDirectory() || file.endsWith('.d.ts'),
  });
  edit(`${copy}/shared.d.ts`, (text) =>
    text
      .replace(/export type OtherString = .*/, 'export type OtherString = never;')
      .replace(/export \{ Decimal \} .*/, 'export type Decimal = string;'),
  );
  const answered = new Set<string>(responseTypes);
  for (const file of Object.keys(typesByFile)) {
    edit(`${copy}/resources/${file}.d.ts`, (text) => {
      const lists = text.replace(/ApiList<(\w+)>/g, (list, name: string) => (answered.has(name) ? list : emptyList));
      return lists.replace(/^import (.+) from '(.+)';$/gm, (line: string, names: string, from: string) => {
        if (/\/(shared|lib|StripeResource)\.js$/.test(from)) return line;
        return namesIn(names)
          .map(({ original, alias }) =>
            answered.has(original)
              ? `import { ${original} as ${alias} } from '${from}';`
              : `type ${alias} = never; declare namespace ${alias} { type ${original} = never; }`,
          )
          .join('\n');
      });
    });
  }
  // A balance transaction's `source` can be any object that moves money. The union is reduced to the types that the
  // local Stripe returns.
  edit(`${copy}/resources/BalanceTransactions.d.ts`, (text) =>
    text.replace(
      'type BalanceTransactionSource = never;',
      ['Charge', 'Refund', 'Payout', 'Dispute']
        .map((name) => `import { ${name} } from './${name}s.js';`)
        .concat('type BalanceTransactionSource = Charge | Refund | Payout | Dispute;')
        .join('\n'),
    ),
  );
  edit(`${copy}/resources/Customers.d.ts`, (text) => text.replaceAll('TestHelpers.TestClock', 'never'));
}

/** Parses the names of an import: `* as A`, `{ A, B as C }`. */
function namesIn(names: string): { original: string; alias: string }[] {
  return names
    .replace(/^\* as /, '')
    .replace(/^\{ (.+) \}$/, '$1')
    .split(', ')
    .map((name) => {
      const [original = name, alias = original] = name.split(' as ');
      return { original, alias };
    });
}

async function readTypes(): Promise<Schemas> {
  const roots = Object.entries(typesByFile).flatMap(([file, types], at) => [
    `import type * as file${at} from './stripe/resources/${file}.js';`,
    ...types.map((type) => `export type Root${type.replace('.', '')} = file${at}.${type};`),
  ]);
  writeFileSync(`${folder}/roots.ts`, roots.join('\n'));
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, types: [] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['roots.ts'] }));
  const path = createRequire(`${generator}package.json`).resolve('ts-json-schema-generator');
  const { createGenerator } = (await import(pathToFileURL(path).href)) as Generator;
  const made = createGenerator({
    path: `${folder}/roots.ts`,
    tsconfig: `${folder}/tsconfig.json`,
    jsDoc: 'none',
    encodeRefs: false,
    skipTypeCheck: true,
  });
  return made.createSchema('*').definitions;
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
