/** The web origin at which a browser reaches a printer, from its `host:port`: `http://192.168.1.50:80`. */
export function lanOrigin(address: string): string {
  return `${address.endsWith(':443') ? 'https' : 'http'}://${address}`;
}
