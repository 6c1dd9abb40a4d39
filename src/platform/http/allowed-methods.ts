import { type EndpointKey, type Method, splitKey } from '#platform/http/endpoint.ts';

/**
 * The methods that an address takes; none for an unknown address. An address without parameters wins over one with a
 * parameter: `/v1/users/me` is not the user `me`.
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
