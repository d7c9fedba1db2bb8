import { anonymous } from '@hearth/rpc';
import { expect, test } from '@jest/globals';
import { newId } from './index.ts';

const group = '0190c5a1-b2c3-7d4e-8f90-a1b2c3d4e5f6';
const ids = { uuid: () => 'a new one' };
const by = (act: string) => newId(ids, group, { ...anonymous, act });

test('an act derives the same id each time, and a local caller gets a new one', () => {
  expect(by('r:other.example:act_1')).toBe(by('r:other.example:act_1'));
  const others = [by('r:third.example:act_1'), by('r:other.example:act_2'), by('')];
  expect(new Set([by('r:other.example:act_1'), ...others]).size).toBe(4);
  expect(by('')).toBe('a new one');
});
