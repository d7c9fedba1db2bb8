import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  createFileRegistry,
  type DescMessage,
  type DescMethod,
  fromBinary,
  getOption,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { FieldKind, FieldKindSchema, kind_rules, operation } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { boundedRulesOf, rulesOf, textRulesOf } from './field-rules.ts';
import { itemReader } from './read/read-value.ts';
import { type JsonSchema, jsonSchema } from './schema/json-schema.ts';
import { testBounds } from './testing/test-bounds.ts';
import { wellKnownKind } from './well-known.ts';

/** Requirements on every public operation's declaration, from which each surface is generated. */

const path = createRequire(import.meta.url).resolve('@hearth/proto/descriptors');
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(path)));
const operations: DescMethod[] = [];
for (const type of registry) {
  if (type.kind === 'service')
    operations.push(...type.methods.filter((method) => hasOption(method, operation)));
}

function withNested(desc: DescMessage, found = new Set<DescMessage>()): Set<DescMessage> {
  if (found.has(desc) || wellKnownKind(desc)) return found;
  found.add(desc);
  for (const field of desc.fields) if (field.message) withNested(field.message, found);
  return found;
}

const requests = new Set(operations.flatMap((method) => [...withNested(method.input)]));
const answers = new Set(operations.flatMap((method) => [...withNested(method.output)]));
const fields = [...new Set([...requests, ...answers])].flatMap((desc) => desc.fields);

test('operations exist', () => {
  expect(operations.map((method) => method.name)).toContain('SendMessage');
});

test.each(['request', 'response'] as const)('every %s has a schema under a name of its own', (direction) => {
  const all: Record<string, JsonSchema> = {};
  for (const desc of direction === 'request' ? requests : answers) {
    const options = {
      direction,
      bounds: testBounds,
      ref: (name: string) => `#/components/schemas/${name}`,
    };
    const { components } = jsonSchema(desc, options);
    for (const [name, schema] of Object.entries(components)) {
      expect([name, all[name] ?? schema]).toEqual([name, schema]);
      all[name] = schema;
    }
  }
});

describe('a field', () => {
  const named = fields.map((field) => [`${field.parent.typeName}.${field.name}`, field] as const);
  const withExample = named.filter(([, field]) => rulesOf(field).example !== '');
  const withPattern = named.filter(([, field]) => textRulesOf(field, testBounds).pattern !== null);

  test.each(withExample)('%s has an example that it accepts', (_, field) => {
    const example = JSON.parse(rulesOf(field).example);
    const values = field.fieldKind === 'list' ? (example as unknown[]) : [example];
    const read = itemReader(field, { bounds: testBounds, ofMessage: () => (value) => value });
    for (const value of values) read(value, field.name, 0);
  });

  test.each(withPattern)('%s has a valid pattern with a description', (_, field) => {
    const { pattern, patternWords } = textRulesOf(field, testBounds);
    expect(() => new RegExp(pattern!, 'u')).not.toThrow();
    expect(patternWords).not.toMatch(/^what the pattern/);
  });

  test('has a name that is valid in JSON', () => {
    expect(
      named.filter(([, { name }]) => name in Object.prototype || !/^[a-z][a-z0-9_]*$/.test(name)),
    ).toEqual([]);
  });

  test('with few values lists them in `only`, so that every schema includes them', () => {
    const listed = named.filter(([, field]) => /^\w+(\|\w+)+$/.test(rulesOf(field).pattern));
    expect(listed.map(([name]) => name)).toEqual([]);
  });

  test('names a number or a limit, never both', () => {
    const both = named.filter(([, field]) => {
      const { limit, maxLength, maximum, maxItems, maxJsonBytes } = rulesOf(field);
      // On a list, the limit bounds the number of items; each item may also have a length.
      const other = field.fieldKind === 'list' ? maxItems : maxLength + maxItems + maxJsonBytes;
      return limit !== '' && (maximum !== undefined || other > 0);
    });
    expect(both.map(([name]) => name)).toEqual([]);
    expect(named.filter(([, field]) => rulesOf(field).limit !== '').length).toBeGreaterThan(10);
  });

  test('has rules only where they mean something', () => {
    const strange = named.filter(([, field]) => {
      const rules = boundedRulesOf(field, testBounds);
      const { minimum, maximum, maxLength, minLength, maxItems, minItems, maxJsonBytes } = rules;
      const kind = field.message && wellKnownKind(field.message);
      const isFreeForm =
        kind === 'struct' || kind === 'value' || kind === 'list_value' || field.scalar === ScalarType.STRING;
      const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
      const isNumber = field.scalar !== undefined && field.scalar !== ScalarType.BOOL && !isText;
      const isMany = field.fieldKind === 'list' || field.fieldKind === 'map';
      return (
        ((minimum !== undefined || maximum !== undefined) && !isNumber) ||
        (maxLength + minLength > 0 && !isText) ||
        (maxItems + minItems > 0 && !isMany) ||
        (maxJsonBytes > 0 && !isFreeForm)
      );
    });
    expect(strange.map(([name]) => name)).toEqual([]);
  });
});

test('every kind of field declares its rules', () => {
  for (const kind of FieldKindSchema.values.slice(1)) {
    const within = getOption(kind, kind_rules).kind;
    expect([kind.name, hasOption(kind, kind_rules), within]).toEqual([
      kind.name,
      true,
      FieldKind.UNSPECIFIED,
    ]);
  }
});

test('an enum has unique words', () => {
  for (const field of fields) {
    if (!field.enum) continue;
    const { names } = enumNames(field.enum);
    expect([field.enum.typeName, names.length]).toEqual([field.enum.typeName, field.enum.values.length - 1]);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*( [a-z]+)?$/);
  }
});

test('every request field for an object accepts a reference of this home', () => {
  const naming = [...requests]
    .flatMap((desc) => desc.fields)
    .filter((field) => rulesOf(field).id.length > 0 || nameThings.has(rulesOf(field).kind));
  expect(naming.length).toBeGreaterThan(100);
  for (const field of naming) {
    const [prefix = 'grp'] = rulesOf(field).id;
    const id = `${prefix}_${'0'.repeat(32)}`;
    const read = itemReader(field, { bounds: testBounds, ownHome: 'home.example', ofMessage: unread });
    expect([field.toString(), read(`r:home.example:${id}`, 'path', 1)]).toEqual([field.toString(), id]);
  }
});

const nameThings: ReadonlySet<FieldKind> = new Set([
  ...[FieldKind.REFERENCE, FieldKind.LOCAL_REFERENCE],
  ...[FieldKind.EVENT_ID, FieldKind.MESSAGE_ID, FieldKind.THREAD_ID],
]);

const unread = () => {
  throw new Error('no message');
};
