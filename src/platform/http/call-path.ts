import type { FastifyRequest } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { type Endpoint, type EndpointKey, type Method, splitKey } from '#platform/http/endpoint.ts';
import { isStorable } from '#platform/http/parse.ts';
import { isUuid } from '#platform/uuid.ts';

/** 405 with the methods that the address takes instead; null if it takes none, or takes this method. */
export function refuseMethod(method: string, allowed: readonly string[]): AppError | null {
  if (allowed.length === 0 || allowed.includes(method)) return null;
  return new AppError('method_not_allowed', m.platform_method_not_allowed({ method }), {
    headers: { allow: allowed.join(', ') },
  });
}

/** An id that cannot exist is not found, unless the address is another call's, such as `GET /v1/users/me`. */
export function refuseOtherAddress(
  { idOrName }: Endpoint,
  { params, method, url }: FastifyRequest,
  methodsOf: (url: string) => string[],
): void {
  const isAddress = idOrName ? isStorable : isUuid;
  if (Object.values(params as Record<string, string>).every(isAddress)) return;
  throw refuseMethod(method, methodsOf(url)) ?? new AppError('not_found', m.platform_not_found());
}

/** Looks up the id for a name, or throws the error for the caller. */
export type FindId = (name: string) => Promise<string>;

/** The path's parameters; the row's finder replaces a name by its id. */
export async function idsOf(
  findId: Record<string, FindId>,
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
 * The methods of an address; none for an unknown one. An exact address wins over one with a parameter: `/v1/users/me`
 * is not the user `me`.
 */
export function allowedMethodsOf(endpoints: readonly EndpointKey[]): (url: string) => Method[] {
  const known = endpoints.map((key) => {
    const [method, path] = splitKey(key);
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
