import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Messages that several later pages show: one file instead of one each. Their index names all and is left alone. */
const sharedWords = { name: 'words', test: /messages\.gen[\\/]\w+[\\/](?!each|only)/, minShareCount: 2 };

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null;
}

/**
 * The first view, and what follows it on most pages: few files, since each further one costs a slow phone several
 * milliseconds of asking for it, and a round trip.
 */
export function storefrontGroups(entry: string) {
  return [
    oneFile('first-view', entry),
    // The home page comes without the sheets that may open over it, and without what is its own.
    { ...oneFile('shared', 'src/storefront/web/home-page.tsx'), minShareCount: 2 },
    oneFile('sheets', 'src/ordering/web/menu/menu-sheets.tsx'),
    oneFile('live', 'src/storefront/web/live-shop.tsx'),
    sharedWords,
  ];
}

/** The chunk of what a module imports statically, whoever else does. What several chunks want is the first's. */
function oneFile(name: string, module: string) {
  let wanted: Set<string> | null = null;
  return {
    debugName: name,
    name(id: string, graph: Graph): string | null {
      wanted ??= reachFrom(fileURLToPath(new URL(module, root)), graph);
      return wanted.has(id) ? name : null;
    },
  };
}

/** Every module within reach. All messages are, by their index; only those that are named in the others count. */
function reachFrom(entry: string, graph: Graph): Set<string> {
  const reached = new Set<string>();
  const named = new Set<string>();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const { importedIds = [], code } = graph.getModuleInfo(id) ?? {};
    waiting.push(...importedIds);
    for (const [, name = ''] of code?.matchAll(/\bm\.(\w+)/g) ?? []) named.add(name);
  }
  const message = /messages\.gen[\\/]\w+[\\/](\w+)\.ts$/;
  return new Set([...reached].filter((id) => !message.test(id) || named.has(message.exec(id)?.[1] ?? '')));
}
