import { expect, test } from '@jest/globals';
import { movedAddress, numberedAddress } from './moved-address.ts';

test.each([
  ['@ann.ai-robin', '@bea.ai-robin'],
  ['@ann.ai-robin-2', '@bea.ai-robin-2'],
  ['@anna.ai-robin', null],
  ['@free-abcdef.ai-robin', null],
  ['&ann.ai-group', null],
  ['@ann', null],
  ['', null],
])('%s under @bea is %s', (address, moved) => {
  expect(movedAddress(address, 'ann', 'bea')).toBe(moved);
});

test('a number is appended to the name within its maximum length', () => {
  expect(numberedAddress('@ann.ai-robin', 2)).toBe('@ann.ai-robin-2');
  expect(numberedAddress(`@ann.ai-${'x'.repeat(30)}`, 12)).toBe(`@ann.ai-${'x'.repeat(27)}-12`);
});
