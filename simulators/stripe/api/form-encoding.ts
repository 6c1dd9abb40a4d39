/** What a form-encoded body can hold: every leaf is text. */
export type FormValue = string | FormValue[] | { [key: string]: FormValue };

/** Reads `a[b]=1&c[0][d]=2&e[]=3` as `{a: {b: '1'}, c: [{d: '2'}], e: ['3']}`. */
export function readForm(text: string): Record<string, FormValue> {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const first = name.indexOf('[');
    const path = first < 0 ? [name] : [name.slice(0, first), ...name.slice(first + 1, -1).split('][')];
    put(root, path, value);
  }
  return Object.fromEntries([...root].map(([key, value]) => [key, toValue(value)]));
}

type Branch = Map<string, string | Branch>;

function put(branch: Branch, [key = '', ...rest]: readonly string[], value: string): void {
  const own = key === '' ? String(branch.size) : key;
  if (rest.length === 0) {
    branch.set(own, value);
    return;
  }
  const known = branch.get(own);
  const next = known instanceof Map ? known : new Map<string, string | Branch>();
  branch.set(own, next);
  put(next, rest, value);
}

/** A branch whose keys are 0, 1, 2 … is an array. */
function toValue(branch: string | Branch): FormValue {
  if (typeof branch === 'string') return branch;
  const isArray = branch.size > 0 && [...branch.keys()].every((key, at) => key === String(at));
  const values = [...branch].map(([key, value]) => [key, toValue(value)] as const);
  return isArray ? values.map(([, value]) => value) : Object.fromEntries(values);
}

/** The name of a nested parameter as it is sent: `['a', 'b']` is `a[b]`. */
export function paramName([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((part) => `[${part}]`).join('');
}
