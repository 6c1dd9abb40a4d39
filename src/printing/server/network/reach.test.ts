import type { lookup } from 'node:dns';
import { expect, test } from 'vitest';
import { resolveAllowedAddress, ForbiddenAddressError } from '#printing/server/network/network-transport.ts';

/** A name server that gives these addresses for every name. */
const answering = (...addresses: string[]) =>
  ((_host: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;
const nowhere = { allowsPrivate: false, allowsOwnMachine: false };

test.each([
  ['192.168.1.40:9100', 'allowsPrivate'],
  ['10.0.0.7:9100', 'allowsPrivate'],
  ['172.16.3.4:9100', 'allowsPrivate'],
  ['100.64.1.1:9100', 'allowsPrivate'],
  ['[fd12::7]:9100', 'allowsPrivate'],
  ['[::ffff:192.168.1.40]:9100', 'allowsPrivate'],
  ['127.0.0.1:5432', 'allowsOwnMachine'],
  ['127.8.8.8:9100', 'allowsOwnMachine'],
  ['[::1]:9100', 'allowsOwnMachine'],
  ['[::ffff:127.0.0.1]:9100', 'allowsOwnMachine'],
  ['169.254.169.254:80', 'allowsOwnMachine'],
  ['[fe80::1]:9100', 'allowsOwnMachine'],
] as const)('%s is connected to only if the owner or the machine allows it', async (address, allowing) => {
  const fault = allowing === 'allowsPrivate' ? 'address_private' : 'address_own_machine';
  await expect(resolveAllowedAddress(address, nowhere)).rejects.toEqual(new ForbiddenAddressError(fault));
  const other = { allowsPrivate: true, allowsOwnMachine: true, [allowing]: false };
  await expect(resolveAllowedAddress(address, other)).rejects.toThrow(ForbiddenAddressError);
  const found = await resolveAllowedAddress(address, { ...nowhere, [allowing]: true });
  expect(found.port).toBe(Number(address.split(':').at(-1)));
});

test.each(['0.0.0.0:9100', '255.255.255.255:9100', '224.0.0.1:9100', '[::]:9100', '[ff02::1]:9100', '240.0.0.1:9100'])(
  '%s is never connected to',
  async (address) => {
    const everywhere = { allowsPrivate: true, allowsOwnMachine: true };
    await expect(resolveAllowedAddress(address, everywhere)).rejects.toEqual(
      new ForbiddenAddressError('address_not_single'),
    );
  },
);

test('an address of the internet is connected to', async () => {
  expect(await resolveAllowedAddress('93.184.216.34:9100', nowhere)).toEqual({ host: '93.184.216.34', port: 9100 });
});

test.each([
  [['127.0.0.1']],
  [['192.168.1.1']],
  [['93.184.216.34', '169.254.169.254']],
  [['93.184.216.34', '::ffff:10.0.0.1']],
  [[]],
])('a name whose addresses are %j is refused after it was looked up', async (addresses) => {
  await expect(resolveAllowedAddress('printer.example:9100', nowhere, answering(...addresses))).rejects.toThrow(
    ForbiddenAddressError,
  );
});

test('a name is looked up once: the connection goes to the address that was checked', async () => {
  const found = await resolveAllowedAddress('printer.example:9100', nowhere, answering('93.184.216.34'));
  expect(found).toEqual({ host: '93.184.216.34', port: 9100 });
});
