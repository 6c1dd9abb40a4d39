import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalAddresses {
  /** For `ADDRESS_LOOKUP_URL`. */
  url: string;
  /** For `ADDRESS_LOOKUP_KEY`. */
  key: string;
  /** The path of each request, in order. */
  asked: string[];
  /** How the service behaves from now on: `silent` never answers, `empty` has no look-ups left on its account. */
  behave(how: 'well' | 'silent' | 'broken' | 'empty'): void;
  close(): Promise<void>;
}

/** Invented premises, as the service writes them: the town in capitals. */
const streets: Record<string, { street: string; town: string; numbers: number; latitude: number; longitude: number }> =
  {
    CV212AA: { street: 'High Street', town: 'RUGBY', numbers: 12, latitude: 52.3721, longitude: -1.2615 },
    CV213BB: { street: 'Mill Lane', town: 'RUGBY', numbers: 1, latitude: 52.3756, longitude: -1.2502 },
  };

/**
 * Starts an address service on this machine that answers `GET /v1/postcodes/:postcode` as the documentation of Ideal
 * Postcodes says, without any code of the shop.
 */
export async function startLocalAddresses(): Promise<LocalAddresses> {
  const key = 'ak_local_addresses';
  const asked: string[] = [];
  let behaviour: Parameters<LocalAddresses['behave']>[0] = 'well';
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    asked.push(url.pathname);
    if (behaviour === 'silent') return;
    if (behaviour === 'broken') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    const [, given = url.searchParams.get('api_key')] =
      /api_key="([^"]*)"/.exec(request.headers.authorization ?? '') ?? [];
    if (given !== key) return send(response, 401, { code: 4010, message: 'Invalid Key' });
    if (behaviour === 'empty') return send(response, 402, { code: 4020, message: 'Key balance depleted' });
    const [, text = ''] = /^\/v1\/postcodes\/([^/]+)$/.exec(url.pathname) ?? [];
    const postcode = decodeURIComponent(text).replaceAll(/\s/g, '').toUpperCase();
    const found = streets[postcode];
    if (!found) return send(response, 404, { code: 4040, message: 'Postcode not found', suggestions: [] });
    const result = premisesOf(postcode, found);
    send(response, 200, { code: 2000, message: 'Success', result, limit: 100, page: 0, total: result.length });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    key,
    asked,
    behave(how) {
      behaviour = how;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function premisesOf(postcode: string, { street, town, numbers, latitude, longitude }: (typeof streets)[string]) {
  return Array.from({ length: numbers }, (_, index) => ({
    postcode: `${postcode.slice(0, -3)} ${postcode.slice(-3)}`,
    post_town: town,
    thoroughfare: street,
    building_number: String(index + 1),
    building_name: '',
    organisation_name: index === 0 ? 'Corner Shop' : '',
    line_1: index === 0 ? 'Corner Shop' : `${index + 1} ${street}`,
    line_2: index === 0 ? `${index + 1} ${street}` : '',
    line_3: '',
    premise: String(index + 1),
    county: 'Warwickshire',
    country: 'England',
    udprn: 20_000_000 + index,
    latitude,
    longitude,
  }));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
