import type { FastifyRequest } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { type Endpoint, type EndpointKey, type Method, splitEndpointKey } from '#platform/http/endpoint.ts';
import { isStorableText } from '#platform/http/parse.ts';
import { isUuid } from '#platform/uuid.ts';

/** The 405 error with the allowed methods; null if the method is allowed, or the path is unknown. */
export function methodNotAllowedError(method: string, allowed: readonly string[]): AppError | null {
  if (allowed.length === 0 || allowed.includes(method)) return null;
  return new AppError('method_not_allowed', m.platform_method_not_allowed({ method }), {
    headers: { allow: allowed.join(', ') },
  });
}

/**
 * Throws 404 for an id that cannot exist. Throws 405 if the path belongs only to calls with other methods. For example,
 * `PATCH /v1/devices/me` is refused with 405, because `GET /v1/devices/me` exists.
 */
export function refuseImpossibleIds(
  { idOrName }: Endpoint,
  { params, method, url }: FastifyRequest,
  methodsOf: (url: string) => string[],
): void {
  const isAddress = idOrName ? isStorableText : isUuid;
  if (Object.values(params as Record<string, string>).every(isAddress)) return;
  throw methodNotAllowedError(method, methodsOf(url)) ?? new AppError('not_found', m.platform_not_found());
}

/** Looks up the id for a name. Throws AppError if the name is unknown. */
export type FindIdByName = (name: string) => Promise<string>;

/**
 * Returns the path parameters of a request. A name in place of the id is replaced by the id that the endpoint's finder
 * returns.
 */
export async function resolvePathParams(
  findId: Record<string, FindIdByName>,
  { idOrName }: Endpoint,
  request: FastifyRequest,
): Promise<Record<string, string>> {
  const params = request.params as Record<string, string>;
  const { id } = params;
  const finder = idOrName?.finder;
  if (finder === undefined || id === undefined || isUuid(id)) return params;
  const find = findId[finder];
  if (!find) throw new Error(`No finder is set for the name of a ${finder}.`);
  return { ...params, id: await find(id) };
}

/**
 * Creates a function that lists the allowed methods of a path; an unknown path has none. An exact path wins over a
 * parameter: `/v1/devices/me` is not the device with the id `me`.
 */
export function allowedMethodsOf(endpoints: readonly EndpointKey[]): (url: string) => Method[] {
  const known = endpoints.map((key) => {
    const [method, path] = splitEndpointKey(key);
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
    return { method, pattern, isLiteral: !path.includes('{') };
  });
  return (url) => {
    const path = url.split('?')[0] ?? '';
    const matching = known.filter(({ pattern }) => pattern.test(path));
    const literal = matching.filter(({ isLiteral }) => isLiteral);
    return (literal.length > 0 ? literal : matching).map(({ method }) => method).toSorted();
  };
}
