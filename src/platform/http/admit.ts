import type { FastifyRequest } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import type { Endpoint, EndpointKey } from '#platform/http/endpoint.ts';
import { maxPeopleOnStaleSignIn } from '#platform/http/shapes.ts';
import { guest, hasFreshSignIn, isStaff, mayCall, type Viewer } from '#platform/http/viewer.ts';

/** Looks up the caller by a token; null for an unknown token. */
type Authenticate = (token: string) => Promise<Viewer | null>;

/**
 * Authenticates and authorises a caller. Throws 401 or 403 if the caller may not make the call. Calls `onRefused`
 * before it refuses staff whose role does not suffice.
 */
export async function admitCall(
  authenticate: Authenticate,
  key: EndpointKey,
  endpoint: Endpoint,
  request: FastifyRequest,
  { now, onRefused }: { now: Date; onRefused: (staff: Viewer) => void },
): Promise<Viewer> {
  const viewer = await identify(authenticate, key, endpoint, request);
  if (mayCall(viewer, endpoint)) {
    if (endpoint.freshSignIn) requireFreshSignIn({ viewer, now });
    return viewer;
  }
  if (isStaff(viewer)) onRefused(viewer);
  throw viewer.role === 'guest'
    ? new AppError('unauthenticated', 'Unauthenticated.')
    : new AppError('forbidden', m.platform_forbidden());
}

/** Throws 403 `fresh_sign_in_required` for staff without a recent proof of identity (`hasFreshSignIn`). */
export function requireFreshSignIn({ viewer, now }: { viewer: Viewer; now: Date }): void {
  if (isStaff(viewer) && !hasFreshSignIn(viewer, now)) throw freshSignInRequiredError();
}

/**
 * Throws 403 `fresh_sign_in_required`, like `requireFreshSignIn`, if a call requests more people than one office page
 * shows.
 */
export function requireFreshSignInForBulk(call: { query: { per_page: number }; viewer: Viewer; now: Date }): void {
  if (call.query.per_page > maxPeopleOnStaleSignIn) requireFreshSignIn(call);
}

export function freshSignInRequiredError(): AppError {
  return new AppError('fresh_sign_in_required', m.platform_fresh_sign_in());
}

async function identify(
  authenticate: Authenticate,
  key: EndpointKey,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Viewer> {
  const token = bearerToken(request);
  if (token === null) return guest;
  const viewer = await authenticate(token);
  if (viewer) return viewer;
  // Reads and sign-ins that are open to everyone treat an unknown token like a missing token. Other calls refuse an
  // unknown token, so that the caller notices.
  const isRead = key.startsWith('GET ') || endpoint.isRead === true;
  const isLenient = endpoint.access === 'guest' && (isRead || key.includes('/auth/'));
  if (isLenient) return guest;
  throw new AppError('unauthenticated', 'Unauthenticated.');
}

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (!header) return null;
  const match = /^Bearer\s+(\S+)$/i.exec(header);
  return match?.[1] ?? '';
}
