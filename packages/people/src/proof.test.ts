import { Proof } from '@hearth/proto/common/v1/caller';
import { callerKinds } from '@hearth/rpc';
import { expect, test } from '@jest/globals';
import { proofOf } from './proof.ts';

const { AI, PERSON } = callerKinds;

test.each([
  [AI, Proof.UNSPECIFIED, 'key'],
  [PERSON, Proof.TAP, 'tap'],
  [PERSON, Proof.PASSKEY, 'passkey'],
  [PERSON, Proof.EMAIL, 'email'],
])('an act of a caller of kind %s with the proof %s is attributed to %s', (kind, proof, name) => {
  expect(proofOf({ kind, proof })).toBe(name);
});

test('an act of a person needs a proof', () => {
  expect(() => proofOf({ kind: PERSON, proof: Proof.UNSPECIFIED })).toThrow('how they gave their word');
});
