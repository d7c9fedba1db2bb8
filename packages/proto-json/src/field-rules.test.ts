import type { DescField } from '@bufbuild/protobuf';
import { TextKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { rulesOf, textKindOf } from './field-rules.ts';
import { createReader } from './read/read-message.ts';
import { testBounds } from './testing/test-bounds.ts';
import { KindsSchema } from './testing/test-messages.ts';

const field = (name: string) => KindsSchema.fields.find((each) => each.name === name) as DescField;

describe('a field of a kind', () => {
  test('combines the rules of its kind with its own', () => {
    const { required, maxLength, text, example } = rulesOf(field('reference'));
    expect([required, maxLength, text, example]).toEqual([true, 320, TextKind.RAW, '"@robin"']);
    expect(textKindOf(field('reference'))).toBe('raw');
    expect(rulesOf(field('several')).maxItems).toBe(2);
    expect(rulesOf(field('needed')).maxLength).toBe(10);
  });

  test('may be omitted when optional or a list, unless its rules say otherwise', () => {
    const required = KindsSchema.fields.filter((each) => rulesOf(each).required);
    expect(required.map(({ name }) => name)).toEqual(['reference', 'needed']);
  });

  test('is validated by these rules', () => {
    const reader = createReader({ bounds: testBounds });
    const read = (json: object) => reader.readMessage(KindsSchema, { reference: 'a', needed: 'b', ...json });
    expect(read({ limit: 3 })).toMatchObject({ reference: 'a', limit: 3 });
    expect(() => read({ reference: undefined })).toThrow('reference');
    expect(() => read({ reference: 'x'.repeat(321) })).toThrow('at most 320 characters');
    expect(() => read({ several: ['a', 'b', 'c'] })).toThrow('at most 2 items');
    expect(() => read({ limit: 0 })).toThrow('limit');
  });
});
