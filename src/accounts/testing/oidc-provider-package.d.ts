/** The part of the package's types that the test's provider uses; the package's own types need seventeen packages. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Configuration {
    clients: {
      client_id: string;
      client_secret: string;
      redirect_uris: string[];
      response_types: string[];
      token_endpoint_auth_method?: string;
    }[];
    claims: Record<string, string[]>;
    scopes: string[];
    conformIdTokenClaims: boolean;
    jwks: { keys: object[] };
    pkce: { required: () => boolean };
    cookies: { keys: string[] };
    findAccount: (context: unknown, id: string) => { accountId: string; claims: () => { sub: string } };
    features: { devInteractions: { enabled: boolean }; userinfo: { enabled: boolean } };
    /** Lifetimes in seconds, by kind. */
    ttl: Record<string, number>;
  }

  /** The part of Koa's context that a middleware sees. */
  interface Context {
    body: unknown;
    oidc?: { session?: { accountId?: string } };
  }

  interface Client {
    compareClientSecret(actual: string): boolean | Promise<boolean>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Client: { prototype: Client };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
  }
}
