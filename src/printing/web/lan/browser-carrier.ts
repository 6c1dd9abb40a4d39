import type { Carrier, Unreached } from '#printing/web/lan/lan-answer.ts';
import { localAccess } from '#printing/web/lan/local-network.ts';

/** Characters: an answer has a few hundred. */
const mostRead = 10_000;

/** No more than an answer can have: a device that sends without end would fill the board's memory. */
async function readStart({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < mostRead) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text.slice(0, mostRead);
}

/** From a page in a browser. */
export const throughBrowser: Carrier = async ({ url, headers, body }, signal) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      cache: 'no-store',
      credentials: 'omit',
      signal,
      ...inAddressSpace(new URL(url)),
    });
    return { text: await readStart(response) };
  } catch {
    return { unreached: await whyUnreached() };
  }
};

/**
 * A secured page may send to a device without encryption if it says beforehand in which network the device is, and its user
 * allowed it.
 */
function inAddressSpace({ hostname }: URL): RequestInit & { targetAddressSpace?: string } {
  if (location.protocol !== 'https:') return {};
  return { targetAddressSpace: /^(127\.|localhost$|\[::1\])/.test(hostname) ? 'loopback' : 'local' };
}

async function whyUnreached(): Promise<Unreached> {
  const access = await localAccess();
  if (access === 'denied') return 'refused';
  return access === 'lacking' ? 'lacking' : 'unreached';
}
