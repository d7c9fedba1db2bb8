import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { parseId, printId } from '@hearth/ids';
import { shortenName } from '@hearth/people';
import type { ItemView } from '@hearth/proto/approvals/v1/items';
import type { RequestEntrySchema } from '@hearth/proto/approvals/v1/requests';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Call, Caller } from '@hearth/rpc';
import { kindValueOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { ItemRow } from '../db/items.ts';
import { keyOf, textOf } from '../domain/items.ts';

type Entry = MessageInitShape<typeof RequestEntrySchema>;
type Facts = ReadonlyMap<string, PersonFacts>;

/**
 * The items as the caller may see them, with children by the ids that the caller was shown. Calls each source
 * once, and leaves out items that their source no longer shows.
 */
export async function showItems(context: Context, rows: readonly ItemRow[], call: Call): Promise<Entry[]> {
  const { kinds, people } = context;
  const answers = await Promise.all(
    [...Map.groupBy(rows, ({ kind }) => kind)].map(async ([name, of]) => {
      const source = kinds.get(name)?.source;
      return source === undefined ? [] : (await source.showItems({ keys: of.map(keyOf) }, { call })).items;
    }),
  );
  const views = new Map(
    answers.flat().flatMap((view) => (view.key === undefined ? [] : [[textOf(keyOf(view.key)), view]])),
  );
  const facts = await people.find([...views.values()].flatMap(peopleIn));
  return rows.flatMap((row) => {
    const view = views.get(textOf(row));
    return view === undefined ? [] : [toEntry(context, row, view, facts, call.caller)];
  });
}

const peopleIn = ({ from, fromPerson, to, toPerson }: ItemView) =>
  [fromPerson || parseId('per', from), toPerson || parseId('per', to)].filter(
    (id) => id !== null && id !== '',
  ) as string[];

function toEntry(context: Context, row: ItemRow, view: ItemView, facts: Facts, caller: Caller): Entry {
  const { prefix } = context.kinds.get(row.kind)!;
  const from = shown(
    context,
    { stored: view.from, person: view.fromPerson, name: view.fromName },
    facts,
    caller,
  );
  return {
    id: view.reference || printId(prefix, row.id),
    type: row.kind,
    kind: kindValueOf(row.label),
    title: view.title,
    preview: view.preview,
    from: from.address,
    card: from.address === '' ? undefined : cardAt(context.config.siteUrl, from.address),
    fromName: from.name,
    nameVerified: view.nameVerified,
    fromStatus: view.fromStatus,
    at: timestampFromDate(row.since),
    expiresAt: row.expires === null ? undefined : timestampFromDate(row.expires),
    passedNote: view.passedNote || undefined,
    to: shown(context, { stored: view.to, person: view.toPerson, name: '' }, facts, caller).address,
    frontDoor: row.box === 'front_door',
  };
}

/** Signed on request; the card of a remote party is fetched from their home. */
const cardAt = (siteUrl: string, address: string) => `${siteUrl}/v0/cards/${encodeURI(address)}`;

/** A party as its source stores it: an address, a person's uuid, or both. */
function shown(
  { people }: Pick<Context, 'people'>,
  { stored, person: given, name }: { stored: string; person: string; name: string },
  facts: Facts,
  caller: Caller,
): { address: string; name: string } {
  const hidden = parseId('per', stored);
  const id = given || hidden;
  if (!id) return { address: stored, name };
  const person = facts.get(id);
  if (person === undefined) return { address: '', name };
  const known = people.idFor(person, caller);
  if (known.startsWith('shp_')) return { address: known, name: shortenName(name) };
  return { address: stored === '' || hidden !== null ? `@${person.handle}` : stored, name };
}
