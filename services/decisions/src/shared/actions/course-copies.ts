import type { Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  type Copies,
  type Copy,
  type CopyKind,
  type CopyState,
  disputedNews,
  type HomeThings,
  homesOf,
  type SentWord,
} from '@hearth/home-acts';
import type { Announcement } from '@hearth/outbox';
import { addressOf } from '@hearth/people';
import { anonymous } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { JsonObject, JsonValue } from '@hearth/signing';
import type { CourseRow } from '../db/thing-rows.ts';
import type { Member } from '../domain/member.ts';
import { namedIn } from '../domain/reader.ts';
import { seatTopic } from '../domain/topics.ts';
import { type CourseContext, type CourseKind, showAbroad } from './course.ts';
import { admitMembers, type Members, type OfGroup } from './elsewhere.ts';

type CourseCopiesDeps<Row extends CourseRow, Person extends Member, Change, Shown extends Message> = Pick<
  CourseContext<Row, Person, Change, Shown>,
  'homeNames' | 'peers' | 'people' | 'things'
> &
  Pick<HostParts<'log'>, 'log'>;

interface CourseCopies<Row extends CourseRow, Person extends Member, Shown extends Message>
  extends Pick<CopyKind<GenMessage<Shown>>, 'desc' | 'factsOf' | 'asks'> {
  kind: Pick<CourseKind<never, Row, Person, Shown>, 'idOf' | 'name' | 'seatsOf' | 'show' | 'table'>;
  groupOf(message: Shown): OfGroup;
  newsOf(state: CopyState<GenMessage<Shown>>, members: Members): Announcement[] | Promise<Announcement[]>;
  /** Fields to drop first if the state is too large for an item. */
  spare: readonly string[];
  /** The statements that people made themselves or through their AIs. */
  wordsIn(message: Shown): Word[];
  /** Everyone the message concerns; default: the people with a seat. */
  peopleIn?(message: Shown): string[];
  /**
   * Whether the message lacks a statement that the person sent and its home accepted by this revision.
   *
   * @param since the revision in which it was last reopened
   */
  lacks(message: Shown, person: string, acts: readonly SentWord[], since: number): boolean;
  /**
   * The message with these people's statements as they sent them, and without statements they never sent.
   *
   * @param since as above
   */
  asSaid(message: Shown, said: ActsByAddress, since: number): Shown;
}

/** Most acts of a person stored with a disputed copy. */
const mostSaid = 16;

/** A person's statement as reported by another home. */
export interface Word {
  /** The person's address. */
  person: string;
  stated: JsonValue;
  /** Whether these acts (oldest first) contain the statement; null if none of them is about it. */
  isSaidBy(acts: readonly SentWord[]): boolean | null;
}

/** Acts of local people (oldest first) by address, for those whose statements another home misreports. */
export type ActsByAddress = ReadonlyMap<string, readonly SentWord[]>;

interface Notes {
  said?: Record<string, SentWord[]>;
  /** uuids of the people already told about the dispute. */
  told?: string[];
  /** People whose statements weren't sent; only in copies stored before acts were. */
  unsaid?: string[];
  /** The revision in which it was last reopened, if ever. */
  since?: number;
}

/** Copies of remote groups' decisions or plans, and the states of local ones that other homes receive. */
export function createCourseCopies<
  Row extends CourseRow,
  Person extends Member,
  Change,
  Shown extends Message & { record?: unknown; disputed?: boolean; title: string },
>(
  parts: CourseCopiesDeps<Row, Person, Change, Shown>,
  homeThings: HomeThings,
  {
    kind,
    groupOf,
    newsOf,
    spare,
    wordsIn,
    asSaid,
    lacks,
    peopleIn,
    ...declared
  }: CourseCopies<Row, Person, Shown>,
): Copies<GenMessage<Shown>> {
  type Found = Copy<GenMessage<Shown>>;
  const copies: Copies<GenMessage<Shown>> = homeThings.kind<GenMessage<Shown>>(kind.name, {
    ...declared,
    async admit(state) {
      const members = await admitMembers(parts, state, groupOf(state.after.message as Shown));
      if (!('seats' in members)) return members;
      const since = openedAnew(state);
      const seated = members.seats.map(({ viewer }) => viewer);
      const { said, people } = await findSaid(state.before, state.after, { since, seated });
      const { told = [] } = (state.before?.notes ?? {}) as Notes;
      const disputing = people.filter((id) => seated.includes(id) && !told.includes(id));
      const notes = { said, told: [...told, ...disputing], ...(since > 0 && { since }) };
      const { home, id, message, reference } = state.after;
      const link = `/${kind.name.charAt(0)}/${reference}`;
      const { title } = message as Shown;
      const thing = { kind: kind.name, home, id, reference, title, link };
      const news = await newsOf(state, members);
      if (disputing.length > 0) news.push(...(await disputedNews(parts, thing, disputing)));
      return { seats: members.seats, notes, news };
    },
    changed: (tx, { seats }) => tx.wake(...seats.map(({ viewer }) => seatTopic(viewer))),
    async current(id) {
      const found = await parts.things.find(id);
      if (found === null) return null;
      const { row } = found;
      const facts = await parts.people.everywhere.find(namedIn(found));
      const { shown, away } = showAbroad(kind, found, facts, '');
      // The record is signed after the outcome is settled.
      const final = kind.table.hasEnded(row) && (row.record === null || row.signed_record !== null);
      // Plans that never began have no seats and aren't sent.
      const homes = kind.seatsOf(found).length > 0 ? homesOf(away) : [];
      return { id: kind.idOf(row), message: shown as never, final, homes, spare };
    },
    isKept: (message) => (message as Shown).record !== undefined,
    believed,
  });

  /** The acts and uuids of local people whose statements the remote home misreports: it can't speak for them. */
  async function findSaid(
    before: Found | null,
    after: Pick<Found, 'message' | 'reference'>,
    { since, seated }: { since: number; seated: readonly string[] },
  ): Promise<{ said: JsonObject; people: string[] }> {
    const ours = wordsOfOurs(after.message as Shown);
    const message = after.message as Shown;
    const named = peopleIn?.(message) ?? [...(await parts.people.find(seated)).values()].map(addressOf);
    const concerned = named.filter((person) => person.startsWith('@'));
    const people = [...new Set([...[...ours.values()].map(({ person }) => person), ...concerned])];
    const found = await Promise.all(people.map((person) => parts.people.resolve(person, anonymous)));
    const ids = new Map(people.map((person, index) => [person, found[index]?.id ?? '']));
    const viewers = [...ids.values()].filter((id) => id !== '');
    const sent = Map.groupBy(await copies.words(after.reference, viewers), ({ viewer }) => viewer);
    // Statements admitted earlier stay valid, even after the acts behind them are forgotten.
    const known: ReadonlyMap<string, Word> =
      before === null ? new Map() : wordsOfOurs(believed(before).message as Shown);
    const { said: kept = {} } = (before?.notes ?? {}) as Notes;
    const actsOf = (person: string) => sent.get(ids.get(person)!) ?? kept[person] ?? [];
    const others = [...ours].filter(
      ([key, { person, isSaidBy }]) => !(isSaidBy(actsOf(person)) ?? known.has(key)),
    );
    const disputed = new Set([
      ...others.map(([, { person }]) => person),
      ...people.filter((person) => lacks(message, person, actsOf(person), since)),
    ]);
    const said = [...disputed].map((person) => [
      person,
      actsOf(person).slice(-mostSaid) as unknown as JsonObject[],
    ]);
    return {
      said: Object.fromEntries(said) as JsonObject,
      people: [...disputed].flatMap((person) => ids.get(person) || []),
    };
  }

  /** The revision in which it was last reopened; 0 if never. */
  function openedAnew({ before, after }: CopyState<GenMessage<Shown>>): number {
    const { since = 0 } = (before?.notes ?? {}) as Notes;
    const isReopened = before !== null && before.status !== 'open' && after.status === 'open';
    return isReopened ? Number(after.object['revision']) : since;
  }

  /** The statements attributed to local people, without duplicates. */
  const wordsOfOurs = (message: Shown) =>
    new Map(
      wordsIn(message)
        .filter(({ person }) => person.startsWith('@'))
        .map((word) => [JSON.stringify(word), word]),
    );

  /** The copy as callers read it. */
  function believed<One extends Found>(copy: One): One {
    const { said = {}, since = 0, unsaid = [] } = copy.notes as Notes;
    const all = new Map<string, SentWord[]>([
      ...unsaid.map((person): [string, SentWord[]] => [person, []]),
      ...Object.entries(said),
    ]);
    return all.size === 0
      ? copy
      : { ...copy, message: { ...asSaid(copy.message as Shown, all, since), disputed: true } };
  }

  return {
    ...copies,
    async find(...wanted) {
      const copy = await copies.find(...wanted);
      return copy ? believed(copy) : copy;
    },
    list: async (...wanted) => (await copies.list(...wanted)).map(believed),
    async call(copy, call) {
      const answer = await copies.call(copy, call);
      if (answer === null || call.method.output.typeName !== declared.desc.typeName) return answer;
      // The answer is the remote home's claim, so check it like a state.
      const message = answer as unknown as Shown;
      const held = copy as Found;
      const { since = 0 } = held.notes as Notes;
      const { said } = await findSaid(held, { ...held, message } as Found, { since, seated: [] });
      return believed({ ...held, message, notes: { said, since } } as Found).message as never;
    },
  };
}
