import { type DescEnum, getOption, hasOption } from '@bufbuild/protobuf';
import type { GenEnum } from '@bufbuild/protobuf/codegenv2';
import { enum_name } from '@hearth/proto/options';

/** Maps an enum's numbers to the names used in JSON, tables and records, and back. */
export interface EnumNames<Value extends number = number> {
  /** In declaration order, without value 0 (not given). */
  readonly names: readonly string[];
  /** "waiting"; empty for 0 and for unknown numbers. */
  nameOf(value: Value): string;
  /** The number for a name; 0 for unknown names. */
  valueOf(name: string): Value;
  has(name: string): boolean;
}

const compiled = new WeakMap<DescEnum, EnumNames>();

/** A value's name: its `enum_name` option, or else its declared name in lower case without the enum's prefix. */
export function enumNames<Value extends number>(schema: GenEnum<Value> | DescEnum): EnumNames<Value> {
  const known = compiled.get(schema);
  if (known !== undefined) return known as EnumNames<Value>;
  const values = new Map<string, Value>();
  const names = new Map<number, string>();
  const prefixLength = schema.sharedPrefix?.length ?? 0;
  for (const value of schema.values) {
    if (value.number === 0) continue;
    const name = hasOption(value, enum_name)
      ? getOption(value, enum_name)
      : value.name.slice(prefixLength).toLowerCase();
    values.set(name, value.number as Value);
    // With allow_alias, several names share a number; the first one declared is printed.
    if (!names.has(value.number)) names.set(value.number, name);
  }
  const made: EnumNames<Value> = {
    names: [...values.keys()],
    nameOf: (value) => names.get(value) ?? '',
    valueOf: (name) => values.get(name) ?? (0 as Value),
    has: (name) => values.has(name),
  };
  compiled.set(schema, made as EnumNames);
  return made;
}
