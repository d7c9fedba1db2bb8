import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import type { JsonObject } from '@hearth/signing';
import { addressIn, type Checks, checks } from './checks.ts';

// For tests: the false statements that a home could make about people of another home, member by member, from
// the table of checks.

type Json = Record<string, unknown>;

/** Another value for one member of an object. */
export interface Lie {
  /** The type and the field, such as `hearth.decisions.v1.Stance note`. */
  member: string;
  /** The path in the object. */
  path: string;
  object: Json;
}

/** Members with which a home can lie about parties of another home; such parties never start a thing. */
export const lied: readonly string[] = Object.entries(checks).flatMap(([type, checked]) => {
  const facts = Object.entries(checked.by ?? {}).filter(
    ([, { of }]) => !namesIn(checked, 'theirs').includes(of),
  );
  const fields = [...namesIn(checked, 'act'), ...facts.map(([field]) => field)];
  return fields.map((field) => `${type} ${field}`);
});

function namesIn(
  checked: Checks,
  way: 'act' | 'address' | 'past' | 'reader' | 'theirs' | 'within',
): string[] {
  return (checked[way] ?? '').split(' ').filter((name) => name !== '');
}

/** Returns each single-member lie about the words and facts of these parties (full addresses) in a thing. */
export function liesAbout(ours: readonly string[], desc: DescMessage, object: Json): Lie[] {
  const checked = checks[desc.typeName] ?? {};
  const addresses = namesIn(checked, 'address');
  const named = addresses.flatMap((name) => [object[name] ?? []].flat()).map(String);
  const isOurs = checked.ofRecipient === true || named.some((address) => ours.includes(address));
  const said = namesIn(checked, 'act');
  const facts = Object.entries(checked.by ?? {}).flatMap(([field, { of }]) =>
    ours.includes(addressIn(object as JsonObject, of)) ? field : [],
  );
  const told = [...said, ...facts, ...namesIn(checked, 'reader')];
  return desc.fields.flatMap((field): Lie[] => {
    const { name } = field;
    const value = object[name];
    const member = `${desc.typeName} ${name}`;
    const put = (other: unknown): Lie => ({ member, path: name, object: { ...object, [name]: other } });
    const within = (lie: Lie, at: string, other: unknown): Lie => ({
      ...{ member: lie.member, path: `${name}${at}.${lie.path}` },
      object: { ...object, [name]: other },
    });
    const { message } = field;
    if (namesIn(checked, 'within').includes(name) && message !== undefined) {
      const inner = (element: unknown) => liesAbout(ours, message, element as Json);
      if (!Array.isArray(value))
        return value === undefined ? [] : inner(value).map((lie) => within(lie, '', lie.object));
      return value.flatMap((element, at) =>
        inner(element).map((lie) => within(lie, `[${at}]`, value.with(at, lie.object))),
      );
    }
    // A list of parties with a statement about them: add another party.
    if (field.fieldKind === 'list') {
      const more = ours.find((address) => said.includes(name) && !(value as unknown[])?.includes(address));
      return more === undefined || !addresses.includes(name) ? [] : [put([...((value as []) ?? []), more])];
    }
    if (!told.includes(name) || (!isOurs && !facts.includes(name))) return [];
    if (namesIn(checked, 'past').includes(name)) return [put(value == null ? past : null)];
    if (addresses.includes(name)) return [put(ours.find((address) => address !== value) ?? 'a-lie')];
    const other = otherOf(field, value);
    return other === undefined ? [] : [put(other)];
  });
}

const past = '2026-01-15T10:00:00.000Z';
const quarter = 15 * 60_000;

/** Returns a different value for a field; undefined if there is none. */
function otherOf(field: DescField, value: unknown): unknown {
  if (field.enum !== undefined) {
    const { nameOf } = enumNames(field.enum);
    const names = field.enum.values.map(({ number }) => nameOf(number as never));
    return names.find((name) => name !== '' && name !== value && name !== 'waiting');
  }
  switch (field.message?.typeName) {
    case undefined:
      if (field.scalar === ScalarType.BOOL) return value !== true;
      return field.scalar === ScalarType.STRING ? (value === 'a-lie' ? 'another' : 'a-lie') : 7;
    case 'google.protobuf.Value':
      return 'A lie';
    case 'google.protobuf.Struct':
      return { ...(value as Json), lie: true };
    case 'google.protobuf.Timestamp':
      return new Date(Date.parse(String(value ?? past)) + quarter).toISOString();
    default:
      return undefined;
  }
}
