import { toBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Tx } from '@hearth/db';
import { forbidden, notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import { isMinor } from '@hearth/people';
import { type CreateGroupRequest, CreateGroupRequestSchema } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import type { Call, Caller } from '@hearth/rpc';
import { lawfulAge } from '../../shared/domain/fits.ts';
import { groupsTopic } from '../../shared/domain/topics.ts';
import { refuseTooManyGroups } from '../actions/add-member.ts';
import { findGroup } from '../actions/find-group.ts';
import { viewing, whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { type GroupRow, insertGroup } from '../db/groups.ts';
import { nextNumber, takeHandle } from '../db/handles.ts';
import { insertMember } from '../db/members.ts';
import { findShown } from '../db/shown-groups.ts';
import { checkEnd } from '../domain/ended.ts';
import { groupCreated } from '../domain/events.ts';
import { handleFor, numberedHandle } from '../domain/handle.ts';
import { settle, usualSettings } from '../domain/settings.ts';
import { readTimeZone } from '../domain/time-zone.ts';
import { toGroup } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

type NewGroup = Omit<Parameters<typeof insertGroup>[1], 'handle'>;

export const createGroup =
  (context: Context): GroupsHandlers['createGroup'] =>
  async (request, call) => {
    const { caller } = call;
    if (caller.app === '') throw forbidden('groups are made by apps, for the people that they hold');
    const person = whoseWord(caller);
    const remembered = rememberedOf(request, caller);
    const before = remembered === null ? null : await context.requests.find(remembered);
    if (before !== null) return await repeat(context, before.id, call);

    const organizer = await context.people.findOne(person);
    if (organizer === null) throw notFound();
    const group = await read(context, request, organizer, caller);
    const made = await write(context, group, organizer, remembered, caller);
    if (made !== null) return await answer(context, made, caller);
    // The same request was being done at the same time.
    const other = remembered === null ? null : await context.requests.find(remembered);
    if (other === null) throw notFound();
    return await repeat(context, other.id, call);
  };

function rememberedOf(request: CreateGroupRequest, caller: Caller): RememberedRequest | null {
  if (request.requestId === undefined) return null;
  const body = toBinary(CreateGroupRequestSchema, { ...request, requestId: undefined } as CreateGroupRequest);
  return rememberedRequest(caller, 'create_group', request.requestId, body);
}

async function read(
  context: Context,
  request: CreateGroupRequest,
  organizer: PersonFacts,
  caller: Caller,
): Promise<NewGroup> {
  const { clock, ids, limits } = context;
  if (isMinor(organizer))
    throw forbidden('an organizer is an adult: somebody of 18 or more has to make the group', {
      code: 'minors_not_allowed',
    });
  const now = clock.now();
  const { endsAt, parent, timeZone } = request;
  return {
    id: ids.uuid(),
    name: request.name,
    group_ai: ids.uuid(),
    created_by: organizer.id,
    app: caller.app,
    parent: parent === undefined ? null : (await findGroup(context, parent, caller)).id,
    ...settle(usualSettings, request.settings, lawfulAge(organizer)),
    time_zone: timeZone === undefined ? organizer.timeZone || 'UTC' : readTimeZone(timeZone),
    ends_at:
      endsAt === undefined ? null : checkEnd(timestampDate(endsAt), now, sizeOf(limits, 'group_end_days')),
    created_at: new Date(now),
  };
}

/** Null when the same request was done by another call meanwhile. */
async function write(
  { database, limits, outbox, requests }: Context,
  group: NewGroup,
  organizer: PersonFacts,
  remembered: RememberedRequest | null,
  caller: Caller,
): Promise<GroupRow | null> {
  const made = await database.transaction(async (tx) => {
    if (remembered !== null && !(await requests.claim(tx, remembered, { id: group.id }))) return null;
    await refuseTooManyGroups(limits, tx, organizer.id);
    const row = await insertGroup(tx, { ...group, handle: await takeFreeHandle(tx, group.name) });
    await insertMember(tx, {
      group: row.id,
      person: organizer.id,
      role: 'organizer',
      joined_at: group.created_at,
      via: 'app',
      age_band: 'adult',
      app: organizer.app || null,
      guardian: null,
    });
    const apps = organizer.app === '' ? [] : [organizer.app];
    const told = { group: row, seq: row.seq, apps, by: caller, topics: [groupsTopic(organizer.id)] };
    const event = groupCreated(outbox, told, { groupAi: row.group_ai, person: organizer.id });
    await outbox.announce(tx, [event]);
    return { row, event };
  });
  if (made === null) return null;
  outbox.committed([made.event]);
  return made.row;
}

async function takeFreeHandle(tx: Tx, name: string): Promise<string> {
  const wanted = handleFor(name);
  let handle = wanted;
  while (!(await takeHandle(tx, handle))) handle = numberedHandle(wanted, await nextNumber(tx, wanted));
  return handle;
}

async function answer(context: Context, group: GroupRow, caller: Caller) {
  await ensureGroupAi(context, group, caller);
  return toGroup(
    { ...group, has_minors: false, role: 'organizer', listed_at: group.created_at },
    context.clock.now(),
  );
}

/** The group as it is by now, also for whom has left it: it was theirs to make. */
async function repeat(context: Context, id: string, call: Call) {
  const { caller } = call;
  const viewer = { ...viewing(caller), app: caller.app };
  const group = await findShown(context.database.db, { id, handle: null }, viewer);
  if (group === null) throw notFound();
  await ensureGroupAi(context, group, caller);
  call.answerWith(200);
  return toGroup(group, context.clock.now());
}

/** So that the group's AI is there when the answer is; identity makes it from the event otherwise. */
async function ensureGroupAi({ identity, log }: Context, group: GroupRow, caller: Caller): Promise<void> {
  const { id, group_ai: ai, handle, name, app } = group;
  try {
    await identity.ais.ensureGroupAi({ ai, group: id, handle, name, app }, { caller, timeoutMs: 2_000 });
  } catch (err) {
    log.warn({ err }, 'the AI of a new group is not there yet');
  }
}
