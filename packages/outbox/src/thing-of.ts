import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { thing } from '@hearth/proto/options';
import type { EventData } from './announcement.ts';

const declared = EventSchema.oneofs
  .flatMap(({ fields }) => fields)
  .flatMap((field) => {
    const { kind, id } = getOption(field, thing) ?? { kind: '', id: '' };
    return kind === '' ? [] : [{ field, kind, path: localNames(field.message!, id) }];
  });
const byCase = new Map(declared.map(({ field, ...rest }) => [field.localName, rest]));

/** Kind of thing -> the types of events about it. */
export const typesOfThings: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(declared, ({ kind }) => kind)].map(([kind, all]) => [
    kind,
    all.map(({ field }) => field.name),
  ]),
);

/** The thing that an event is about, as declared by `hearth.thing`; null if undeclared or empty. */
export function thingOf({ case: name, value }: EventData): string | null {
  const found = byCase.get(name ?? '');
  if (found === undefined) return null;
  const step = (at: unknown, field: string) => (at as Record<string, unknown> | undefined)?.[field];
  const id = found.path.reduce<unknown>(step, value);
  const first: unknown = Array.isArray(id) ? id[0] : id;
  return typeof first === 'string' && first !== '' ? `${found.kind} ${first}` : null;
}

/** @throws if a declaration names an unknown field */
function localNames(message: DescMessage, path: string): string[] {
  let at: DescMessage | undefined = message;
  return path.split('.').map((name) => {
    const field: DescField | undefined = at?.fields.find((known) => known.name === name);
    if (field === undefined) throw new Error(`${message.typeName} has no field ${path}`);
    at = field.message;
    return field.localName;
  });
}
