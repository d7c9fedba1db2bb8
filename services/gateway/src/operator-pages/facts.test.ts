import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { factLabel } from './facts.ts';
import * as sections from './sections/home.ts';
import * as people from './sections/people.ts';

const all = [...Object.values(sections), ...Object.values(people)].filter((each) => 'list' in each);

/** The fields that rows show: single values and lists of words, and the words of a nested message. */
function namesOf(row: DescMessage, prefix = ''): string[] {
  return row.fields.flatMap((field: DescField) => {
    const name = `${prefix}${field.name}`;
    if (field.fieldKind === 'list') return field.listKind === 'message' ? [] : [name];
    if (field.fieldKind !== 'message' || field.message.typeName === 'google.protobuf.Timestamp')
      return [name];
    return namesOf(field.message, `${name}_`);
  });
}

test.each(all.map((section) => [section.place, section] as const))(
  '%s: each fact has a label',
  (_, { list, rows }) => {
    const field = list.output.fields.find(({ name }) => name === rows)!;
    expect(field.message).toBeDefined();
    expect(namesOf(field.message!).filter((name) => factLabel(name) === undefined)).toEqual([]);
  },
);

test('a field that no list has is shown nowhere', () => {
  expect(factLabel('no_such_field')).toBeUndefined();
});
