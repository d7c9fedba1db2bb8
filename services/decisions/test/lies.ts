import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { type Checks, checks } from '@hearth/home-acts';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import { type OneOfTwo, receive } from '@hearth/testkit';
import { expect } from '@jest/globals';

type Json = Record<string, unknown>;

/** Another value of one member of an object, at its path. */
interface Lie {
  path: string;
  object: Json;
}

const namesIn = (checked: Checks, way: 'act' | 'address' | 'reader' | 'within') =>
  (checked[way] ?? '').split(' ').filter((name) => name !== '');

/** Each lie of one member, by the table of checks, about the words and facts of the parties of a home in a thing. */
export function liesAbout(home: string, desc: DescMessage, object: Json): Lie[] {
  const checked = checks[desc.typeName] ?? {};
  const isOfHome = (one: unknown) => typeof one === 'string' && one.endsWith(`@${home}`);
  const addresses = namesIn(checked, 'address');
  const isOurs = addresses.some((name) => [object[name] ?? []].flat().some(isOfHome));
  const told = [...namesIn(checked, 'act'), ...Object.keys(checked.by ?? {})];
  return desc.fields.flatMap((field): Lie[] => {
    const { name } = field;
    const value = object[name];
    const put = (other: unknown, at = ''): Lie => ({
      path: `${name}${at}`,
      object: { ...object, [name]: other },
    });
    if (namesIn(checked, 'within').includes(name) && field.message !== undefined) {
      const { message } = field;
      const inner = (one: unknown) => liesAbout(home, message, one as Json);
      if (!Array.isArray(value))
        return value === undefined ? [] : inner(value).map((lie) => put(lie.object, `.${lie.path}`));
      return value.flatMap((one, at) =>
        inner(one).map((lie) => put(value.with(at, lie.object), `[${at}].${lie.path}`)),
      );
    }
    const isList = field.fieldKind === 'list';
    if (!isOurs || isList || (!told.includes(name) && !namesIn(checked, 'reader').includes(name))) return [];
    const other = otherOf(field, value);
    return other === undefined ? [] : [put(other)];
  });
}

/** A value of a field that is not this one; undefined for a time. */
function otherOf(field: DescField, value: unknown): unknown {
  if (field.enum !== undefined) {
    const { nameOf } = enumNames(field.enum);
    const names = field.enum.values.map(({ number }) => nameOf(number as never));
    return names.find((name) => name !== '' && name !== value && name !== 'waiting');
  }
  if (field.message !== undefined) {
    if (field.message.typeName === 'google.protobuf.Value') return 'A lie';
    return field.message.typeName === 'google.protobuf.Struct'
      ? { ...(value as Json), lie: true }
      : undefined;
  }
  if (field.scalar === ScalarType.BOOL) return value !== true;
  return field.scalar === ScalarType.STRING ? (value === 'a-lie' ? 'another' : 'a-lie') : 7;
}

/** Tells a home each lie about its parties, and expects that its reader sees none, whether the state is taken or refused. */
export async function expectsNoLie(
  to: Pick<OneOfTwo, 'fromFederation' | 'name'>,
  desc: DescMessage,
  item: HomeItem,
  read: () => Promise<object>,
): Promise<string[]> {
  const { object, ...body } = JSON.parse(item.bodyJson) as { object: Json };
  const { ...truth } = await read();
  const lies = liesAbout(to.name, desc, object);
  let rev = item.rev;
  for (const { path, object: lie } of lies) {
    rev += 2n ** 32n;
    await receive(to, { ...item, rev, bodyJson: JSON.stringify({ ...body, object: lie }) });
    const seen = await read();
    expect([path, { ...seen, disputed: undefined, wordsDisputed: undefined }]).toEqual([
      path,
      { ...truth, disputed: undefined, wordsDisputed: undefined },
    ]);
  }
  return lies.map(({ path }) => path);
}
