import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { expect, test } from '@jest/globals';
import { factLabel } from './facts.ts';
import { rowOf } from './section.ts';
import * as sections from './sections/home.ts';
import * as people from './sections/people.ts';
import { valueWords } from './values.ts';

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
  (_, section) => {
    expect(namesOf(rowOf(section)).filter((name) => factLabel(name) === undefined)).toEqual([]);
  },
);

test.each(all.map((section) => [section.place, section] as const))(
  '%s: each value of an enum has a text',
  (_, section) => {
    const values = rowOf(section).fields.flatMap((field) =>
      field.enum === undefined ? [] : enumNames(field.enum).names.map((value) => ({ field, value })),
    );
    const mute = values.filter(({ field, value }) => valueWords(field, value) === undefined);
    expect(mute.map(({ field, value }) => `${field.name} ${value}`)).toEqual([]);
  },
);

test('a field that no list has is shown nowhere', () => {
  expect(factLabel('no_such_field')).toBeUndefined();
});
