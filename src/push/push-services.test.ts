import { expect, test } from 'vitest';
import { isPushService } from '#push/push-services.ts';

test.each([
  'https://fcm.googleapis.com/fcm/send/c1:APA91b',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
  'https://wns2-par02p.notify.windows.com/w/?token=BQYA',
  'https://web.push.apple.com/QGuQyavXutnMH',
])('%s is a push service', (endpoint) => expect(isPushService(endpoint)).toBe(true));

test.each([
  'http://fcm.googleapis.com/fcm/send/x',
  'https://fcm.googleapis.com:8443/x',
  'https://fcm.googleapis.com@127.0.0.1/x',
  'https://user:secret@fcm.googleapis.com/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://localhost/x',
  'https://fcm.googleapis.com.example.com/x',
  'https://evilpush.services.mozilla.com/x',
  'https://push.services.mozilla.com.example.com/x',
  'https://notify.windows.com/x',
  'https://example.com/fcm.googleapis.com',
  'file:///etc/passwd',
  'fcm.googleapis.com',
  '',
])('%s is none', (endpoint) => expect(isPushService(endpoint)).toBe(false));

test('a further origin counts only as a whole', () => {
  const test = 'https://127.0.0.1:4711';
  expect(isPushService(`${test}/push/1`, test)).toBe(true);
  expect(isPushService('https://127.0.0.1:4712/push/1', test)).toBe(false);
  expect(isPushService('https://127.0.0.1:47110/push/1', test)).toBe(false);
});
