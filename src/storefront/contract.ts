import { z } from 'zod';
import { signInProviderKinds } from '#database/column-values.ts';
import { SingleAnswer } from '#platform/http/shapes.ts';

/** The config that the server writes into the HTML of web pages, and that the app fetches. */
const PageConfig = z.object({
  /** The API's origin; empty: the origin that answers this call. */
  apiUrl: z.string(),
  /** The configured public origin of the shop; null: not configured. */
  publicUrl: z.string().nullable(),
  /**
   * A value that changes at each restore of the shop from a backup; open pages then reload. Missing before the first
   * restore.
   */
  epoch: z.string().optional(),
  storeName: z.string().nullable(),
  map: z.object({ url: z.string(), attribution: z.string() }).nullable(),
  sendsMail: z.boolean(),
  /** True if the shop looks addresses up by postcode; missing otherwise. */
  findsAddresses: z.boolean().optional(),
  signIn: z.array(z.object({ id: z.string(), kind: z.enum(signInProviderKinds), name: z.string() })),
  /** The realtime server. An empty host and port 0 mean the API's own host and port. */
  realtime: z.object({ key: z.string(), host: z.string(), port: z.int(), cluster: z.string() }),
});

export const storefrontEndpoints = {
  'GET /v1/page-config': {
    access: 'guest',
    summary: 'What the pages of an app need to know of this shop: its socket, its sign-in providers, its maps.',
    response: SingleAnswer(PageConfig),
    ownTransaction: true,
  },
} as const;
