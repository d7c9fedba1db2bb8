import { create } from '@bufbuild/protobuf';
import { isHearthError } from '@hearth/errors';
import { addressOf } from '@hearth/people';
import { type Group, GroupSchema, type GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { findByName, isName } from '../actions/find-by-name.ts';
import { findElsewhere } from '../actions/find-elsewhere.ts';
import { readGroup } from '../actions/find-group.ts';
import { showCopy } from '../actions/home-groups.ts';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { findShown, type Viewer } from '../db/shown-groups.ts';
import { chooseNamed } from '../domain/choose-named.ts';
import { toGroup } from '../domain/to-proto.ts';

const mostElsewhere = 100;

export const resolveGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.resolveGroup> =>
  async ({ q }, { caller }) => {
    const [first, ...others] = await find(context, q, caller);
    if (first !== undefined && others.length === 0) return { group: first, candidates: [] };
    return { candidates: first === undefined ? [] : [first, ...others].map(toCandidate) };
  };

async function find(context: Context, q: string, caller: Caller): Promise<Group[]> {
  const { clock, database, homeNames } = context;
  const viewer = viewerOf(caller);
  const now = clock.now();
  const ref = readGroup(q, homeNames);
  if (ref !== null) {
    const group = await findShown(database.db, ref, viewer);
    return group === null ? [] : [create(GroupSchema, toGroup(group, now))];
  }
  const elsewhere = await findElsewhere(context, q, caller).catch((error: unknown) => {
    if (isHearthError(error) && error.kind === 'not_found') return undefined;
    throw error;
  });
  if (elsewhere === undefined) return [];
  if (elsewhere !== null) return [showCopy(elsewhere.copy, elsewhere.address)];
  if (!isName(q, homeNames)) return [];
  const here = await findByName(context, q, viewer);
  const shown = here.map((group) => create(GroupSchema, toGroup(group, now)));
  return chooseNamed([...shown, ...(await namedElsewhere(context, q, viewer))], q);
}

/** The person's remote groups whose names start with these words. */
async function namedElsewhere(
  { copies, people }: Context,
  words: string,
  { person }: Viewer,
): Promise<Group[]> {
  if (person === null) return [];
  const by = { viewers: [person], status: null, waiting: false };
  const begins = words.toLowerCase();
  const named = (await copies.list(by, null, mostElsewhere)).filter(({ message }) =>
    message.name.toLowerCase().startsWith(begins),
  );
  if (named.length === 0) return [];
  const facts = await people.findOne(person);
  return named.map((copy) => showCopy(copy, facts === null ? '' : addressOf(facts)));
}

const toCandidate = ({ id, name, address }: Group) => ({ id, name, address });
