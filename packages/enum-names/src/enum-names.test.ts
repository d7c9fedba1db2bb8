import { ApprovalKind, ApprovalKindSchema } from '@hearth/proto/approvals/v1/approvals';
import { expect, test } from '@jest/globals';
import { enumNames } from './index.ts';

test('maps names to values and back, and unknown ones to undefined', () => {
  const kinds = enumNames(ApprovalKindSchema);
  expect(kinds.nameOf(ApprovalKind.JOIN_REQUEST)).toBe('join_request');
  expect(kinds.valueOf('join_request')).toBe(ApprovalKind.JOIN_REQUEST);
  expect(kinds.names).toHaveLength(ApprovalKindSchema.values.length - 1);
  for (const name of kinds.names) expect(kinds.nameOf(kinds.valueOf(name))).toBe(name);
  expect([kinds.nameOf(ApprovalKind.UNSPECIFIED), kinds.nameOf(999 as ApprovalKind)]).toEqual(['', '']);
  expect([kinds.valueOf('nothing'), kinds.has('nothing'), kinds.has('ask')]).toEqual([0, false, true]);
});
