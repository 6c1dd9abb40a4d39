/** The commands in an ePOS-Print document. Anything but the one element that carries them is an error. */
export function commandsOfEpos(xml: string): Buffer {
  const [, hex] =
    /^<epos-print xmlns="http:\/\/www\.epson-pos\.com\/schemas\/2011\/03\/epos-print"><command>((?:[0-9a-f]{2})+)<\/command><\/epos-print>$/.exec(
      xml,
    ) ?? [];
  if (hex === undefined) throw new Error(`This is no ePOS-Print document: ${xml.slice(0, 200)}`);
  return Buffer.from(hex, 'hex');
}

/** The commands in a request of Star WebPRNT. */
export function commandsOfWebPrnt(xml: string): Buffer {
  const [, base64] =
    /^<root><rawdata>((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)<\/rawdata><\/root>$/.exec(xml) ??
    [];
  if (!base64) throw new Error(`This is no request of WebPRNT: ${xml.slice(0, 200)}`);
  return Buffer.from(base64, 'base64');
}
