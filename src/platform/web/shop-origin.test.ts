import { expect, test } from 'vitest';
import { isReachableByOthers } from '#platform/web/shop-origin.ts';

test.each([
  'https://shop.example.com',
  'https://shop.example.com:8443',
  'https://192.168.1.4',
  'https://localhost.example.com',
])('%s can be opened by a phone', (address) => expect(isReachableByOthers(address)).toBe(true));

test.each([
  'http://shop.example.com',
  'http://192.168.1.4:3000',
  'https://localhost',
  'http://localhost:3000',
  'https://shop.localhost',
  'https://127.0.0.1:3000',
  'https://[::1]:3000',
])('%s cannot', (address) => expect(isReachableByOthers(address)).toBe(false));
