import type { DescMethod, Message, MessageShape } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import type { EnumNames } from '@hearth/enum-names';
import { notFound } from '@hearth/errors';
import { type Copies, copyTopic, type ReceivedActs, type SeenCopy } from '@hearth/home-acts';
import type { PageRequest } from '@hearth/paging';
import { isMinor } from '@hearth/people';
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

/** The context that requests about decisions and plans share. */
export interface CourseContext<Row extends CourseRow, Person extends Member, Change, Shown extends Message>
  extends Deps,
    Pick<Host, 'config' | 'database' | 'sealer'> {
  things: Things<Row, Person, Change>;
  /** Copies of remote ones. */
  copies: Copies<GenMessage<Shown>>;
  /** Acts of remote parties. */
  acts: ReceivedActs;
  signing: Signing<Whole<Row, Person>>;
}

/** The differences between decisions and plans that requests depend on. */
export interface CourseKind<Context, Row extends CourseRow, Person extends Member, Shown extends Message> {
  name: 'decision' | 'plan';
  table: ThingTable<Row, Person>;
  seatsOf(whole: Whole<Row, Person>): Seat[];
  statuses: EnumNames;
  /** Parses the id that callers use into the table's reference; null if it isn't one. */
  readId(text: string): string | null;
  /** The id that callers use. */
  idOf(row: Row): string;
  /** The page. @param id the id that callers use */
  pathOf(id: string): string;
  /** Refreshes these people (uuids) of a decision or plan. */
  know(context: Context, found: Whole<Row, Person>, people: readonly string[]): Promise<unknown>;
  /** Applies overdue changes. */
  advance(context: Context, found: Whole<Row, Person>): Promise<Whole<Row, Person>>;
  show(whole: Whole<Row, Person>, reader: Reader): Shown;
  /** The linked items of the caller's app. */
  outcomeOf(link: Link | undefined): Partial<Shown>;
  /** The caller's own statements in a remote decision or plan, if its state leaves them out. */
  ownWords?(context: Context, copy: SeenCopy<GenMessage<Shown>>, caller: Caller): Promise<Partial<Shown>>;
}

/**
 * The view for other homes (hidden people left out), and who may act there for its people.
 *
 * @param facts of everyone named, by uuid
 * @param viewer uuid of the remote reader; '' for the state that all of them get
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
  // The record names everyone, so it is left out if anyone is hidden.
  const record = people.length === found.people.length ? shown.record : undefined;
  return { shown: { ...shown, record }, away };
}

/** Handles requests about decisions or plans, local ones and copies of remote ones. */
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
   * The decision or plan with this id, with overdue changes applied.
   *
   * @param told whether an app acting for no person may also see one if it only receives the outcome
   * @throws not_found unless the caller may see it; bad_field for a remote one
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

  /** For a viewer who has just become an organizer of the group: adds them, then returns what they see; else null. */
  async function findAsOrganizer(context: Context, id: string, viewer: string): Promise<Found | null> {
    const { things } = context;
    const found = await things.findAny(id);
    const open = found !== null && !kind.table.hasEnded(found.row) && found.row.hidden_from !== viewer;
    // Look up a nonexistent group too, so that timing reveals nothing.
    const organizes = await isOrganizer(context, open ? found.row.group : noGroup, viewer);
    if (!open || !organizes) return null;
    await kind.know(context, found, [viewer]);
    return await things.findSeen(id, viewer);
  }

  /**
   * `findVisible`, for the caller to speak: someone who has come of age speaks for themselves from the first
   * moment, even if the event comes a day later.
   */
  async function findSpeaking(context: Context, reference: string, caller: Caller): Promise<Found> {
    const found = await findVisible(context, reference, caller);
    const viewer = viewerIdOf(caller);
    const guarded = found.people.some(({ guardians, person }) => person === viewer && guardians.length > 0);
    const facts = guarded ? await context.people.findOne(viewer) : null;
    if (facts === null || isMinor(facts)) return found;
    await kind.know(context, found, [viewer]);
    return await findVisible(context, reference, caller);
  }

  /** `findVisible`, for its starter and the group's organizers only. @throws forbidden for other participants */
  async function findRun(context: Context, reference: string, caller: Caller): Promise<Found> {
    const found = await findVisible(context, reference, caller);
    if (caller.id !== found.row.starter)
      await requireStarter(context, found.row.group, starterOf(found.row), viewerIdOf(caller));
    return found;
  }

  /** The caller as a reader of things that name these people. */
  function readerOf({ people }: Context, facts: ReadonlyMap<string, PersonFacts>, caller: Caller): Reader {
    const who = { viewer: viewerIdOf(caller), app: caller.app };
    return readerHere(who, facts, (known) => people.show(known, caller));
  }

  /** Local ones as the caller may see them, in that order. */
  async function showAll(context: Context, wholes: readonly Found[], caller: Caller): Promise<Shown[]> {
    const { config, database, people, sealer } = context;
    const ids = wholes.map(({ row }) => row.id);
    const [facts, links] = await Promise.all([
      people.everywhere.find(wholes.flatMap(namedIn)),
      findLinks(database.db, kind.name, ids, caller),
    ]);
    const reader = readerOf(context, facts, caller);
    return wholes.map((whole) => {
      // Remote callers see what their home is sent.
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

  /** Remote ones, in that order. */
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

  /** Applies the change that `choose` returns, signs the record if that settles it, and returns the result. */
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

    /** A local or remote one. Long-polls if the caller asks for it. */
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

    /** Lists those where the caller has a seat, newest first. */
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
     * Performs the caller's act for their person and the children they guard, at the thing's home. Returns
     * the result; pending until a remote home answers.
     *
     * @param choose the change to a local one
     * @param before throws for requests that a remote home needn't see
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
      const found = await findSpeaking(context, request.id, caller);
      const chosen = await choose(found);
      return await change(context, found, caller, () => chosen);
    },

    /**
     * The people of a local one, for its page.
     *
     * @param saidBy whether a person has answered everything asked of them, and their pick in a clash
     * @param waits the people it waits for
     */
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

    /** uuids of the caller's people whose taps the caller's answer counts as. @param id the id that callers use */
    tapping({ config }: Context, theirs: readonly Person[], caller: Caller, id: string): string[] {
      const { childTaps, siteUrl } = config;
      const counted = tapping(theirs, caller, { childTaps, link: `${siteUrl}${kind.pathOf(id)}` });
      return counted.map(({ person }) => person);
    },
  };
}
