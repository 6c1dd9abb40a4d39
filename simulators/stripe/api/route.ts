import type { Books, World } from '../world.ts';
import type { Right } from './keys.ts';

/** A request as a route sees it: the parameters have their types, and the key may do it. */
export interface Call<Params> {
  world: World;
  books: Books;
  /** The id in the path; empty if it has none. */
  id: string;
  params: Params;
  /** The version of the API that the request names. */
  version: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** With `:id` for a part that differs. */
  path: string;
  right: Right;
  /** The type of its parameters in the schemas; null if it has none. */
  params: string | null;
  /** Answers, or throws a `StripeFailure`. Runs in one go, so requests take turns. */
  run(call: Call<never>): object;
}

export function route<Params>(
  place: `${Route['method']} ${string}`,
  right: Right,
  params: string | null,
  run: (call: Call<Params>) => object,
): Route {
  const [method = '', path = ''] = place.split(' ');
  // The schema named beside it has checked the parameters, and the text above the method.
  return { method: method as Route['method'], path, right, params, run: run as Route['run'] };
}

/** The route that a request is for, and the id in its path. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } | undefined {
  const parts = path.split('/');
  for (const candidate of routes) {
    const pattern = candidate.path.split('/');
    if (candidate.method !== method || pattern.length !== parts.length) continue;
    if (!pattern.every((part, at) => part === ':id' || part === parts[at])) continue;
    const at = pattern.indexOf(':id');
    return { route: candidate, id: at < 0 ? '' : decodeURIComponent(parts[at] ?? '') };
  }
  return undefined;
}
