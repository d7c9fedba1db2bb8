import { expect, test } from '@jest/globals';
import { derivedId } from './derived-id.ts';
import { isUuid } from './prefixed.ts';

const event = '0190c5a1-b2c3-7d4e-8f90-a1b2c3d4e5f6';

test('a derived id is stable, unique per object, and carries the time of its event', () => {
  const notify = derivedId(event, 'notify');
  expect(notify).toBe(derivedId(event, 'notify'));
  expect(notify).toMatch(/^0190c5a1-b2c3-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isUuid(notify)).toBe(true);
  const others = [event, derivedId(event, 'outcome'), derivedId(event.replace('f6', 'f7'), 'notify')];
  expect(new Set([notify, ...others]).size).toBe(4);
});
