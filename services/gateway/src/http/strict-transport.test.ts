import { expect, test } from '@jest/globals';
import { strictTransport } from './strict-transport.ts';

test.each([
  ['https://hearth.example', 'max-age=31536000'],
  ['http://hearth.example', undefined],
  ['https://nas.example:8443', undefined],
  ['https://192.168.1.4', undefined],
  ['https://[::1]', undefined],
])('%s', (site, value) => {
  expect(strictTransport(site)).toBe(value);
});
