/** Whether what is sent to this address stays on this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Whether nobody in between can read what is sent: plain http never leaves this machine. */
export function isPrivateEnough(url: URL): boolean {
  return url.protocol === 'https:' || isOnThisMachine(url);
}
