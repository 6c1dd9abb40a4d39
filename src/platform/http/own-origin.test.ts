import { expect, test } from 'vitest';
import { ownOrigin } from '#platform/http/own-origin.ts';

const socket = { localAddress: '203.0.113.7', localPort: 3000 };

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  // Another port outside of a container.
  ['192.168.1.20:8080', 'http://192.168.1.20:8080'],
  ['10.1.2.3:3000', 'http://10.1.2.3:3000'],
  ['172.20.0.1:3000', 'http://172.20.0.1:3000'],
  ['172.32.0.1:3000', 'http://203.0.113.7:3000'],
  ['169.254.9.9:3000', 'http://169.254.9.9:3000'],
  ['100.64.0.1:3000', 'http://100.64.0.1:3000'],
  ['100.128.0.1:3000', 'http://203.0.113.7:3000'],
  ['[fd00::7]:3000', 'http://[fd00::7]:3000'],
  ['[fe80::1]:3000', 'http://[fe80::1]:3000'],
  ['[2001:db8::1]:3000', 'http://203.0.113.7:3000'],
  ['203.0.113.7', 'http://203.0.113.7'],
  ['evil.example', 'http://203.0.113.7:3000'],
  ['192.168.1.20.evil.example', 'http://203.0.113.7:3000'],
  ['localhost.evil.example', 'http://203.0.113.7:3000'],
  ['198.51.100.9', 'http://203.0.113.7:3000'],
  ['localhost@evil.example', 'http://203.0.113.7:3000'],
  ['not a host', 'http://203.0.113.7:3000'],
  ['', 'http://203.0.113.7:3000'],
])('of a request to "%s" that came in at 203.0.113.7:3000 is %s', (host, origin) => {
  expect(ownOrigin({ protocol: 'http', host, socket })).toBe(origin);
});

test('has the scheme of the request, and an address of version 4 or 6', () => {
  const host = 'evil.example';
  expect(ownOrigin({ protocol: 'https', host, socket: { localAddress: '::1', localPort: 80 } })).toBe(
    'https://[::1]:80',
  );
  const mapped = { localAddress: '::ffff:203.0.113.7', localPort: 443 };
  expect(ownOrigin({ protocol: 'https', host, socket: mapped })).toBe('https://203.0.113.7');
});
