import type { DescMethod, Message, MessageShape } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import type { EnumNames } from '@hearth/enum-names';
import { notFound } from '@hearth/errors';
import { type Copies, copyTopic, type ReceivedActs, type SeenCopy } from '@hearth/home-acts';
import type { PageRequest } from '@hearth/paging';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { receiptLink, type Signing } from '@hearth/receipts';
import type { Call, Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { findLinks, type Link } from '../db/links.ts';
import type { Seat } from '../db/seats.ts';
import type { CourseRow, Whole } from '../db/thing-rows.ts';
import type { ThingTable } from '../db/things.ts';
import type { Awaited } from '../domain/awaited.ts';
import { isSaid, type Member, speakersOf } from '../domain/member.ts';
import { namedIn, type Reader, readerAbroad, readerHere } from '../domain/reader.ts';
import { starterOf } from '../domain/starter.ts';
import { thingTopic } from '../domain/topics.ts';
import type { Things } from './create-things.ts';
import type { Deps } from './deps.ts';
import { callHome, findElsewhere, idHere, waitOnChange } from './elsewhere.ts';
import { isOrganizer, noGroup, requireStarter } from './find-group.ts';
import { findTold } from './find-told.ts';
import { listBoth } from './list-both.ts';
import { tapping } from './speaking.ts';
import { viewerIdOf } from './viewer.ts';

/** The parts of the context of decisions, and of that of plans, with which requests about them are answered. */
export interface CourseContext<Row extends CourseRow, Person extends Member, Change, Shown extends Message>
  extends Deps,
    Pick<Host, 'config' | 'database' | 'sealer'> {
  things: Things<Row, Person, Change>;
  /** Those of other homes. */
  copies: Copies<GenMessage<Shown>>;
  /** Acts of parties of other homes. */
  acts: ReceivedActs;
  signing: Signing<Whole<Row, Person>>;
}

/** The ways in which decisions and plans differ, as far as requests about them go. */
export interface CourseKind<Context, Row extends CourseRow, Person extends Member, Shown extends Message> {
  name: 'decision' | 'plan';
  table: ThingTable<Row, Person>;
  seatsOf(whole: Whole<Row, Person>): Seat[];
  statuses: EnumNames;
  /** The id by which callers know one, as it stands in its table; null for another text. */
  readId(text: string): string | null;
  /** As callers know it. */
  idOf(row: Row): string;
  /** The page of one. @param id as callers know it */
  pathOf(id: string): string;
  /** One with these people (uuids) as they are now. */
  know(context: Context, found: Whole<Row, Person>, people: readonly string[]): Promise<unknown>;
  /** One with all done that is due about it. */
  advance(context: Context, found: Whole<Row, Person>): Promise<Whole<Row, Person>>;
  show(whole: Whole<Row, Person>, reader: Reader): Shown;
  /** The items of the caller's app that it led to. */
  outcomeOf(link: Link | undefined): Partial<Shown>;
  /** The words of the caller's person in one of another home, where its state does not tell them. */
  ownWords?(context: Context, copy: SeenCopy<GenMessage<Shown>>, caller: Caller): Promise<Partial<Shown>>;
}

/**
 * One as other homes read it, without those of whom they are not told, and those there who speak for its people.
 *
 * @param facts of all whom it names, by their uuids
 * @param viewer uuid of the person there who reads; '' for what all of them read
 */
export function showAbroad<
  Row extends CourseRow,
  Person extends Member,
  Shown extends Message & { record?: unknown },
>(
  { show }: Pick<CourseKind<never, Row, Person, Shown>, 'show'>,
  found: Whole<Row, Person>,
  facts: ReadonlyMap<string, PersonFacts>,
  viewer: string,
): { shown: Shown; away: { home: string; address: string }[] } {
  const reader = readerAbroad(viewer, facts);
  const isTold = (person: string | null) => person !== null && reader.person(person) !== null;
  const { hidden_from: hidden } = found.row;
  const people = found.people.filter(({ person }) => isTold(person));
  const row = { ...found.row, hidden_from: isTold(hidden) ? hidden : null };
  const shown = show({ row, people }, reader);
  const away = people.flatMap((one) => {
    const { home, person } = one;
    if (home === null || person === hidden) return [];
    return speakersOf(one).map((speaker) => ({ home, address: reader.id(speaker) }));
  });
  // A record names everyone.
  const record = people.length === found.people.length ? shown.record : undefined;
  return { shown: { ...shown, record }, away };
}

/** Answers requests about decisions, or about plans: of this home, and of others whose copies are here. */
export function createCourse<
  Row extends CourseRow,
  Person extends Member,
  Change extends object,
  Shown extends Message & { revision: number; pending?: boolean | undefined; record?: unknown },
  Context extends CourseContext<Row, Person, Change, Shown>,
>(kind: CourseKind<Context, Row, Person, Shown>) {
  type Found = Whole<Row, Person>;
  type Copy = SeenCopy<GenMessage<Shown>>;

  /**
   * The one of that id, for a caller who may see it, with all done that is due about it.
   *
   * @param told whether an app by itself may see also one of whose outcome alone it is told
   * @throws not_found for every other; bad_field for one of another home
   */
  async function findVisible(
    context: Context,
    reference: string,
    caller: Caller,
    told = false,
  ): Promise<Found> {
    const { things } = context;
    const id = kind.readId(idHere(reference, context.homeNames));
    if (id === null) throw notFound();
    const viewer = viewerIdOf(caller);
    const found =
      (await things.findSeen(id, viewer)) ??
      (await findAsOrganizer(context, id, viewer)) ??
      (told ? await findTold(context, things, id, caller) : null);
    if (found === null) throw notFound();
    return await kind.advance(context, found);
  }

  /** One whose group has the viewer as an organizer since a moment ago: it learns of them now. Null for every other. */
  async function findAsOrganizer(context: Context, id: string, viewer: string): Promise<Found | null> {
    const { things } = context;
    const found = await things.findAny(id);
    const open = found !== null && !kind.table.hasEnded(found.row) && found.row.hidden_from !== viewer;
    // As long where there is nothing.
    const organizes = await isOrganizer(context, open ? found.row.group : noGroup, viewer);
    if (!open || !organizes) return null;
    await kind.know(context, found, [viewer]);
    return await things.findSeen(id, viewer);
  }

  /** The same for who started it, and for the organizers of its group. @throws forbidden for its other people */
  async function findRun(context: Context, reference: string, caller: Caller): Promise<Found> {
    const found = await findVisible(context, reference, caller);
    if (caller.id !== found.row.starter)
      await requireStarter(context, found.row.group, starterOf(found.row), viewerIdOf(caller));
    return found;
  }

  /** The caller, as one who reads things that name these people. */
  function readerOf({ people }: Context, facts: ReadonlyMap<string, PersonFacts>, caller: Caller): Reader {
    const who = { viewer: viewerIdOf(caller), app: caller.app };
    return readerHere(who, facts, (known) => people.show(known, caller));
  }

  /** Those of this home as the caller may see them, in that order. */
  async function showAll(context: Context, wholes: readonly Found[], caller: Caller): Promise<Shown[]> {
    const { config, database, people, sealer } = context;
    const ids = wholes.map(({ row }) => row.id);
    const [facts, links] = await Promise.all([
      people.everywhere.find(wholes.flatMap(namedIn)),
      findLinks(database.db, kind.name, ids, caller),
    ]);
    const reader = readerOf(context, facts, caller);
    return wholes.map((whole) => {
      // Whoever acts from another home is told what that home is.
      if (caller.home !== '') return showAbroad(kind, whole, facts, reader.viewer).shown;
      const { id, record, signed_record } = whole.row;
      return {
        ...kind.show(whole, reader),
        ...(signed_record !== null &&
          record !== null && { receipt: receiptLink(sealer, config.siteUrl, record) }),
        ...kind.outcomeOf(links.get(id)),
      };
    });
  }

  async function show(context: Context, whole: Found, caller: Caller): Promise<Shown> {
    const [shown] = await showAll(context, [whole], caller);
    return shown as Shown;
  }

  /** Those of other homes, in that order. */
  async function showCopies(context: Context, copies: readonly Copy[], caller: Caller): Promise<Shown[]> {
    const ids = copies.map(({ id }) => id);
    const links = await findLinks(context.database.db, kind.name, ids, caller);
    return copies.map(({ id, message, pending }) => ({
      ...(message as Shown),
      ...kind.outcomeOf(links.get(id)),
      ...(pending && { pending }),
    }));
  }

  async function showCopy(context: Context, copy: Copy, caller: Caller): Promise<Shown> {
    const [[shown], own] = await Promise.all([
      showCopies(context, [copy], caller),
      kind.ownWords?.(context, copy, caller),
    ]);
    return { ...(shown as Shown), ...own };
  }

  /** Changes one of this home as `choose` says, signs it where that settles it, and shows it as it is then. */
  async function change(
    context: Context,
    found: Found,
    caller: Caller,
    choose: (whole: Found) => Change,
  ): Promise<Shown> {
    const { acts, signing, things } = context;
    const said = acts.said(caller);
    const state = await things.actOn(found, (whole) =>
      isSaid(whole.people, said) ? null : { ...choose(whole), by: caller, said },
    );
    return await show(context, await signing.now(state, caller), caller);
  }

  return {
    findVisible,
    findRun,
    show,
    change,

    /** One of this home or of another. Held until it changes when the caller asks for that. */
    async get(
      context: Context,
      request: { id: string; wait?: number | undefined; revision?: number | undefined },
      call: Call,
    ): Promise<Shown> {
      const { caller } = call;
      const copy = await findElsewhere(context.copies, request.id, caller);
      if (copy !== null) {
        const { final, message } = copy;
        const { revision } = message as Shown;
        waitOnChange(call, request, { topic: copyTopic(copy.id), revision, final });
        return await showCopy(context, copy, caller);
      }
      const found = await findVisible(context, request.id, caller);
      const { id, revision } = found.row;
      const final = kind.table.hasEnded(found.row);
      waitOnChange(call, request, { topic: thingTopic(kind.name, id), revision, final });
      return await show(context, found, caller);
    },

    /** Those that the caller has a seat at, the newest first. */
    async list(
      context: Context,
      request: PageRequest & { status?: number; waitingOn?: string; group?: string },
      caller: Caller,
    ): Promise<{ shown: Shown[]; nextCursor: string | undefined }> {
      const by = { viewer: viewerIdOf(caller), status: kind.statuses.nameOf(request.status ?? 0) || null };
      const { rows, nextCursor } = await listBoth(context, request, by, (...listed) =>
        kind.table.listSeen(context.database.db, ...listed),
      );
      const own = rows.filter((row) => 'row' in row);
      const others = rows.flatMap((row) => ('row' in row ? [] : row));
      const [here, elsewhere] = await Promise.all([
        showAll(context, own, caller),
        showCopies(context, others, caller),
      ]);
      return { shown: rows.map((row) => ('row' in row ? here : elsewhere).shift()!), nextCursor };
    },

    /**
     * Says what the caller says for their person and the children whom they guard, at its home, and shows it as it is then:
     * pending while another home has not answered.
     *
     * @param choose the change of one of this home
     * @param before refuses what another home need not be asked for
     */
    async speak<Method extends DescMethod>(
      context: Context,
      {
        method,
        request,
        caller,
      }: { method: Method; request: MessageShape<Method['input']> & { id: string }; caller: Caller },
      choose: (found: Found) => Promise<Change>,
      before?: (copy: Copy) => void,
    ): Promise<Shown> {
      const { copies } = context;
      const copy = await findElsewhere(copies, request.id, caller);
      if (copy !== null) {
        before?.(copy);
        const answer = (await callHome(copies, copy, method, request, caller)) as Shown | null;
        return answer ?? (await showCopy(context, { ...copy, pending: true }, caller));
      }
      const found = await findVisible(context, request.id, caller);
      const chosen = await choose(found);
      return await change(context, found, caller, () => chosen);
    },

    /** The people of one of this home, for its page. @param saidBy whether one has said all that is asked of them, and their pick in a clash @param waits whether it waits for one */
    async people(
      context: Context,
      found: Found,
      caller: Caller,
      saidBy: (person: Person) => { answered: boolean; picked: string | null },
      waits: readonly Awaited<Member>[],
    ) {
      const { row, people } = found;
      const reader = readerOf(context, await context.people.everywhere.find(namedIn(found)), caller);
      const shown = {
        people: people.map((person) => {
          const { answered, picked } = saidBy(person);
          const spokenFor = speakersOf(person).includes(reader.viewer);
          return {
            person: reader.id(person.person),
            name: reader.name(person.person),
            asked: person.asked,
            answered,
            isCaller: person.person === reader.viewer,
            spokenFor,
            waiting: waits.some((each) => each.one.person === person.person),
            guarded: person.guardians.length > 0,
            ...(spokenFor && picked !== null && { picked }),
          };
        }),
        ...(row.hidden_from !== null && { hiddenFrom: reader.name(row.hidden_from) }),
        starter: starterOf(row) === reader.viewer,
        organizer: people.some(({ person, organizer }) => organizer && person === reader.viewer),
      };
      return { shown, proposer: reader.starter(row) };
    },

    /** uuids of those of the caller's people for whom their own word counts as a tap. @param id as callers know it */
    tapping({ config }: Context, theirs: readonly Person[], caller: Caller, id: string): string[] {
      const { childTaps, siteUrl } = config;
      const counted = tapping(theirs, caller, { childTaps, link: `${siteUrl}${kind.pathOf(id)}` });
      return counted.map(({ person }) => person);
    },
  };
}
