import { z } from 'zod';
import { signInKinds } from '#database/column-values.ts';
import { SingleAnswer } from '#platform/http/shapes.ts';

/** The settings that the server writes into the HTML of web pages, and that the app fetches. */
const PageConfig = z.object({
  /** The API's origin; empty if it is the one that answers this call. */
  apiUrl: z.string(),
  /** The configured public origin of the shop; null if none is configured. */
  publicUrl: z.string().nullable(),
  /** The epoch of a shop that was restored from a backup; missing before the first restore. */
  epoch: z.string().optional(),
  storeName: z.string().nullable(),
  map: z.object({ url: z.string(), attribution: z.string() }).nullable(),
  sendsMail: z.boolean(),
  signIn: z.array(z.object({ id: z.string(), kind: z.enum(signInKinds), name: z.string() })),
  /** The realtime server. An empty host and port 0 mean those of the API. */
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
