/** The part of the package's types that the test's provider uses; the package's own types need seventeen packages. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Configuration {
    clients: { client_id: string; client_secret: string; redirect_uris: string[]; response_types: string[] }[];
    claims: Record<string, string[]>;
    pkce: { required: () => boolean };
    cookies: { keys: string[] };
    findAccount: (context: unknown, id: string) => { accountId: string; claims: () => { sub: string } };
    features: { devInteractions: { enabled: boolean } };
    /** Lifetimes in seconds, by kind. */
    ttl: Record<string, number>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
  }
}
