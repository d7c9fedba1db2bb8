import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Tx } from '@hearth/db';
import { forbidden, notFound } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import { sizeOf } from '@hearth/limits';
import { isMinor } from '@hearth/people';
import { type CreateGroupRequest, GroupsService } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { lawfulAge } from '../../shared/domain/fits.ts';
import { refuseTooManyGroups } from '../actions/add-member.ts';
import { findGroup } from '../actions/find-group.ts';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { type GroupRow, insertGroup } from '../db/groups.ts';
import { nextNumber, takeHandle } from '../db/handles.ts';
import { insertMember } from '../db/members.ts';
import { findShown } from '../db/shown-groups.ts';
import { checkEnd } from '../domain/ended.ts';
import { groupCreated, groupsTopic } from '../domain/events.ts';
import { handleFor, numberedHandle } from '../domain/handle.ts';
import { settle, usualSettings } from '../domain/settings.ts';
import { readTimeZone } from '../domain/time-zone.ts';
import { toGroup } from '../domain/to-proto.ts';

type NewGroup = Omit<GroupRow, 'handle'>;

export const createGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.createGroup> =>
  async (request, call) => {
    const { clock, database, idempotency, people } = context;
    const { caller } = call;
    if (caller.app === '' && caller.kind === callerKinds.AI)
      throw forbidden('groups are made by people, and by apps for the people that they hold');
    if (caller.app === '' && caller.guest)
      throw forbidden('a guest makes no group: add a sign-in to your account first', { rule: 'no_guests' });
    const person = actingPerson(caller);
    return await idempotency.once(call, GroupsService.method.createGroup, request, {
      async make(claim) {
        const organizer = await people.findOne(person);
        if (organizer === null) throw notFound();
        const group = await write(
          context,
          await read(context, request, organizer, caller),
          organizer,
          claim,
          caller,
        );
        await ensureGroupAi(context, group, caller);
        const shown = { has_minors: false, role: 'organizer', listed_at: group.created_at } as const;
        return toGroup({ ...group, ...shown }, clock.now());
      },
      // The current group, even for an organizer who has left it.
      async repeat({ id }) {
        const viewer = { ...viewerOf(caller), app: caller.app || null };
        const group = await findShown(database.db, { id, handle: null }, viewer);
        if (group === null) throw notFound();
        await ensureGroupAi(context, group, caller);
        return toGroup(group, clock.now());
      },
    });
  };

async function read(
  context: Context,
  { endsAt, name, parent, settings, timeZone }: CreateGroupRequest,
  organizer: PersonFacts,
  caller: Caller,
): Promise<NewGroup> {
  const { clock, ids, limits } = context;
  if (isMinor(organizer))
    throw forbidden('an organizer must be an adult: a person of 18 or older has to make the group', {
      code: 'minors_not_allowed',
    });
  const now = clock.now();
  return {
    id: ids.uuid(),
    name,
    group_ai: ids.uuid(),
    created_by: organizer.id,
    app: caller.app,
    parent: parent === undefined ? null : (await findGroup(context, parent, caller)).id,
    ...settle(usualSettings, settings, lawfulAge(organizer)),
    time_zone: timeZone === undefined ? organizer.timeZone || 'UTC' : readTimeZone(timeZone),
    ends_at:
      endsAt === undefined ? null : checkEnd(timestampDate(endsAt), now, sizeOf(limits, 'group_end_days')),
    archived_at: null,
    archived_why: null,
    archived_by: null,
    seq: 1,
    created_at: new Date(now),
  };
}

function write(
  { commit, limits }: Context,
  made: NewGroup,
  organizer: PersonFacts,
  claim: Claim<{ id: string }>,
  by: Caller,
): Promise<GroupRow> {
  return commit(async (tx) => {
    await claim(tx, { id: made.id });
    await refuseTooManyGroups(limits, tx, organizer.id);
    const group = { ...made, handle: await takeFreeHandle(tx, made.name) };
    await insertGroup(tx, group);
    await insertMember(tx, {
      group: group.id,
      person: organizer.id,
      role: 'organizer',
      joined_at: group.created_at,
      via: by.app === '' ? 'home' : 'app',
      age_band: 'adult',
      app: organizer.app || null,
      guardian: null,
      home: null,
    });
    const apps = organizer.app === '' ? [] : [organizer.app];
    const change = { group, seq: group.seq, apps, by, topics: [groupsTopic(organizer.id)] };
    tx.announce(groupCreated(change, { groupAi: group.group_ai, person: organizer.id }));
    return group;
  });
}

async function takeFreeHandle(tx: Tx, name: string): Promise<string> {
  const wanted = handleFor(name);
  let handle = wanted;
  while (!(await takeHandle(tx, handle))) handle = numberedHandle(wanted, await nextNumber(tx, wanted));
  return handle;
}

/** Creates the group's AI before answering. If that fails, identity creates it from the event. */
async function ensureGroupAi({ ais, log }: Context, group: GroupRow, caller: Caller): Promise<void> {
  const { id, group_ai: ai, handle, name, app } = group;
  try {
    await ais.ensureGroupAi({ ai, group: id, handle, name, app }, { caller, timeoutMs: 2_000 });
  } catch (err) {
    log.warn({ err }, 'the AI of a new group is not there yet');
  }
}
