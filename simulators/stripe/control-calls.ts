import type { Control } from './control.ts';

/**
 * Answers `POST /__control/{name}` with a JSON array of arguments: `/__control/faults/add` with `[{"kind":
 * "rate_limit"}]` is `control.faults.add({kind: 'rate_limit'})`. `GET /__control/log` and `/__control/violations` read.
 */
export async function answerControl(
  control: Control,
  method: string,
  path: string,
  body: string,
): Promise<{ status: number; body: unknown }> {
  const names = path.split('/').slice(2);
  let owner: unknown = null;
  let value: unknown = control;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return { status: 404, body: { error: `The control has no ${names.join('.')}` } };
    }
    owner = value;
    value = (value as Record<string, unknown>)[name];
  }
  if (method === 'GET' && typeof value !== 'function') return { status: 200, body: value };
  if (method !== 'POST' || typeof value !== 'function') {
    return { status: 405, body: { error: `${names.join('.')} is ${typeof value}` } };
  }
  const given: unknown = body === '' ? [] : JSON.parse(body);
  if (!Array.isArray(given)) return { status: 400, body: { error: 'The body is not an array of arguments' } };
  try {
    // The names above end in a function of the control.
    const run = value as (...parameters: unknown[]) => unknown;
    return { status: 200, body: (await run.apply(owner, given)) ?? null };
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}
