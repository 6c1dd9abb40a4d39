import { expect, test } from 'vitest';
import { isOwnHost, networkAddresses } from '#platform/server/addresses.ts';

const addresses = ['203.0.113.7', 'fe80::1%eth0', '2001:db8::7'].map((address) => ({ address }));
const called = (name: string) => ({ hostname: () => name, networkInterfaces: () => ({ eth0: addresses }) });
const kitchen = called('kitchen');

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '0.0.0.0',
  'kitchen',
  'Kitchen',
  'kitchen.local',
  '203.0.113.7',
  '[2001:db8:0::7]',
])('%s is this machine', (host) => {
  expect(isOwnHost(host, kitchen)).toBe(true);
});

test.each([
  'shop.example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '203.0.113.8',
  '2001:db8::8',
  '10.0.0.1',
  'kitchen.example.com',
  'cellar.local',
  'db',
  '',
])('%s is another machine', (host) => {
  expect(isOwnHost(host, kitchen)).toBe(false);
});

test('a machine that is called what its shop is called does not take the shop’s address for its own', () => {
  expect(isOwnHost('pizza.example.com', called('pizza.example.com'))).toBe(false);
  expect(isOwnHost('pizza.local', called('pizza.example.com'))).toBe(true);
  expect(isOwnHost('till.lan', called('till.lan'))).toBe(true);
});

test('without being told about it, the machine is asked', () => {
  expect(isOwnHost('127.0.0.1')).toBe(true);
  expect(isOwnHost('shop.example.com')).toBe(false);
});

test('other devices reach the machine by its addresses on the internet, and then by those in the local network', () => {
  const networkInterfaces = () => ({
    lo: [{ address: '127.0.0.1' }],
    eth0: [{ address: '192.168.1.20' }, { address: 'fe80::1%eth0' }, { address: '8.8.8.8' }],
    docker0: [{ address: '172.17.0.1' }],
    wlan0: [{ address: '10.0.0.7' }, { address: '169.254.3.3' }],
  });
  expect(networkAddresses({ networkInterfaces })).toEqual(['8.8.8.8', '192.168.1.20', '10.0.0.7']);
});
