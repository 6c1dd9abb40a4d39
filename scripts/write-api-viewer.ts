import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

/**
 * The viewer's settings. They turn off features that would call other hosts: fonts, telemetry, the assistant, the
 * vendor's client and registry. The page's content security policy would refuse such calls.
 */
const settings = {
  url: '/v1/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // The viewer's own greys and method colours have too little contrast.
  customCss: `.light-mode {
    --scalar-color-2: #4a4a4a; --scalar-color-3: #5c5c5c; --scalar-color-green: #006b43; --scalar-color-red: #b3001b;
    --scalar-color-yellow: #7a5200; --scalar-color-blue: #005a9e; --scalar-color-orange: #994400; --scalar-color-purple: #5b2ba6;
  }
  .dark-mode { --scalar-color-2: #c8c8c8; --scalar-color-3: #b4b4b4; --scalar-color-red: #ff7b7b; }`,
};

/**
 * The API viewer as one script, which fills the element `#api` and removes `#plain`. The build stores the script. A
 * server without a build gets the script from a child process, because a process never frees a loaded module.
 */
async function readApiViewer(): Promise<string> {
  // The package provides the script only in a response of its plugin.
  const app = fastify();
  await app.register(scalar, { routePrefix: '/viewer', configuration: { url: settings.url } });
  const { statusCode, body } = await app.inject('/viewer/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`The package of the API's viewer answers its script with ${statusCode}.`);
  // The viewer's schema library tests whether it may create functions from text. The content security policy refuses
  // and reports that, so `jitless` skips the test.
  const first = 'globalThis.__zod_globalConfig={jitless:true};';
  return `${first}\n${body}\n;document.getElementById('plain').remove();Scalar.createApiReference('#api',${JSON.stringify(settings)});`;
}

process.stdout.write(await readApiViewer());
