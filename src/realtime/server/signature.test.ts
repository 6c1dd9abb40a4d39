import { expect, test } from 'vitest';
import { isChannelSigned, isUserSigned, signChannel, signUser } from '#realtime/server/signature.ts';

const app = { key: '278d425bdf160c739803', secret: '7ad3773142a6692b25b8' };

test('the signature of a private channel is the one that Pusher documents', () => {
  const signature = '58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4';
  expect(signChannel(app, '1234.1234', 'private-foobar')).toBe(`${app.key}:${signature}`);
});

test('the signature of a presence channel covers its channel_data', () => {
  const data = '{"user_id":10,"user_info":{"name":"Mr. Channels"}}';
  const signature = '31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80';
  const auth = signChannel(app, '1234.1234', 'presence-foobar', data);
  expect(auth).toBe(`${app.key}:${signature}`);
  expect(isChannelSigned(app, auth, '1234.1234', 'presence-foobar', data)).toBe(true);
  expect(isChannelSigned(app, auth, '1234.1234', 'presence-foobar', data.replace('10', '11'))).toBe(false);
  expect(isChannelSigned(app, auth, '1234.1234', 'presence-foobar')).toBe(false);
});

test('a signature is good for its socket, channel and application only', () => {
  const auth = signChannel(app, '1.1', 'private-a');
  expect(isChannelSigned(app, auth, '1.1', 'private-a')).toBe(true);
  expect(isChannelSigned(app, auth, '1.2', 'private-a')).toBe(false);
  expect(isChannelSigned(app, auth, '1.1', 'private-b')).toBe(false);
  expect(isChannelSigned({ ...app, secret: 'other' }, auth, '1.1', 'private-a')).toBe(false);
  expect(isChannelSigned({ ...app, key: 'other' }, auth, '1.1', 'private-a')).toBe(false);
  expect(isChannelSigned(app, '', '1.1', 'private-a')).toBe(false);
});

test('the signature of a user is not one of a channel', () => {
  const data = '{"id":"anna"}';
  expect(isUserSigned(app, signUser(app, '1.1', data), '1.1', data)).toBe(true);
  expect(isUserSigned(app, signChannel(app, '1.1', 'private-a', data), '1.1', data)).toBe(false);
});

test.each(['1.1:private-a', '1.1::user', '1', 'a.b', '1.1\n', ''])(
  '%j is no socket id and is never signed',
  (socketId) => {
    expect(() => signChannel(app, socketId, 'private-b')).toThrow('socket id');
    expect(() => signUser(app, socketId, '{"id":"anna"}')).toThrow('socket id');
  },
);

test('a name that is no channel is never signed', () => {
  expect(() => signChannel(app, '1.1', 'private-a:private-b')).toThrow('channel name');
});
