/** How a provider sends the browser back: by a redirect, or by a form that posts its answer. */
export interface ProviderReturn {
  address: URL;
  /** The answer's parameters, in the address or the form. */
  answer: URLSearchParams;
  isPost: boolean;
}

/** Goes through the pages of the test's provider like a browser, with a jar of cookies of its own. */
export async function visitProvider(issuer: string, start: string, login: string): Promise<ProviderReturn> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12; step += 1) {
    const response: Response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next) {
      url = new URL(next, url);
      form = null;
      if (url.origin !== issuer) return { address: url, answer: url.searchParams, isPost: false };
      continue;
    }
    const html = await response.text();
    const action = /action="([^"]+)"/.exec(html)?.[1];
    if (!action) throw new Error(`The provider shows no form: ${html.slice(0, 500)}`);
    url = new URL(action, url);
    if (url.origin !== issuer) return { address: url, answer: fieldsOf(html), isPost: true };
    form = new URLSearchParams({ prompt: /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? '', login, password: 'any' });
  }
  throw new Error('The provider keeps redirecting.');
}

function fieldsOf(html: string): URLSearchParams {
  const fields = html.matchAll(/name="(\w+)" value="([^"]*)"/g);
  return new URLSearchParams([...fields].map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]));
}
