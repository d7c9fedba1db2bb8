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
])('the word of a caller of kind %s with the proof %s is given by %s', (kind, proof, name) => {
  expect(proofOf({ kind, proof })).toBe(name);
});

test('there is no word of a person without a proof', () => {
  expect(() => proofOf({ kind: PERSON, proof: Proof.UNSPECIFIED })).toThrow('how they gave their word');
});
