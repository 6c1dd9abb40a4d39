// The floors of `src/`, the lowest first: nothing imports upwards, and the folders of one floor do not know each other
// (docs/architecture.md). Types count. Tests and what stands in a folder `testing` may import anything.
export const floors = [
  ['platform'],
  ['database', 'ui'],
  ['mail'],
  ['realtime', 'uploads', 'alerts', 'push'],
  ['store'],
  ['menu'],
  ['accounts'],
  ['shop'],
  ['ordering'],
  ['payment'],
  ['printing'],
  ['complaints'],
  ['kitchen'],
  ['watch'],
  ['reports', 'people', 'audit', 'app-release', 'backup'],
  ['offers'],
  ['pages\\.ts'],
  ['office-pages\\.ts'],
  ['demo', 'storefront', 'office'],
  ['config\\.ts', 'contract\\.ts', 'api-examples\\.ts', 'api-schemas\\.ts', 'versions\\.ts'],
  ['api-errors\\.ts', 'first-shop\\.ts'],
  ['api-description\\.ts'],
  ['app-services\\.ts'],
  ['app\\.ts'],
  ['open-shop\\.ts'],
  ['server\\.ts', 'hatch'],
];
const generated = 'messages\\.gen';
const tests = '(/testing/|\\.test\\.tsx?$)';
const onFloors = (names) => `^src/(${names.join('|')})(/|$)`;

/** A floor reaches those below it and itself; on its own floor a folder reaches only itself. */
const reach = floors.map((floor, at) => ({
  name: `up-from-${floor[0].replace('\\.ts', '')}`,
  comment: 'It imports what stands on a higher floor, or beside it.',
  severity: 'error',
  from: { path: onFloors(floor), pathNot: tests },
  to: {
    path: '^src/',
    pathNot: [...floors.slice(0, at).map(onFloors), '^src/$1(/|$)'],
  },
}));

export default {
  forbidden: [
    ...reach,
    {
      name: 'no-floor',
      comment: 'It stands on no floor: add its folder to the table above.',
      severity: 'error',
      from: { path: '^src/', pathNot: [onFloors(floors.flat()), `^src/(testing/|${generated})`, tests] },
      to: {},
    },
    {
      name: 'cycle',
      comment: 'Files import each other in a circle.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true },
    },
    {
      name: 'test-support',
      comment: 'What the product runs imports nothing that is made for tests.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '/testing/|^simulators/' },
    },
    {
      name: 'simulator-to-product',
      comment: 'A simulator shares no code with the product, so that they share no mistake.',
      severity: 'error',
      from: { path: '^simulators/' },
      to: { path: '^(src/|#)' },
    },
    {
      name: 'browser-to-server',
      comment: 'The browser has no server code, types included.',
      severity: 'error',
      from: { path: '^src/.*/web/', pathNot: tests },
      to: { path: '/server/' },
    },
    {
      name: 'not-found',
      comment: 'The imported file does not exist.',
      severity: 'error',
      from: { path: '^(src|simulators)/' },
      // The built pages, which are there after the build.
      to: { couldNotResolve: true, pathNot: '^#ssr$' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: 'node_modules',
    includeOnly: '^(src/|simulators/|#)',
    exclude: generated,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.css', '.json'],
    },
  },
};
