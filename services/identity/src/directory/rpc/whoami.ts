import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { callerKindOf, type LimitName, limitFor } from '@hearth/limits';
import type { PersonGroup } from '@hearth/proto/groups/v1/groups';
import type { GroupRefSchema, IdentityService, PersonRefSchema } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { type AiRow, findAi } from '../../shared/db/ais.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { changesLeft, type Described } from '../../shared/domain/description.ts';
import { isNameVerified, toAi } from '../../shared/domain/to-proto.ts';
import { approvalsTopic, groupsTopic, messagesTopic, whoamiTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { whatNext, whatNextForApp, whatNextForPerson } from '../domain/next.ts';

const answerHoldsMs = 5_000;

/** The caller's address, person, permissions and groups, and what waits for them. Fails when that cannot be counted. */
export const whoami =
  (context: Context): UnaryHandler<typeof IdentityService.method.whoami> =>
  async (_request, call) => {
    if (call.caller.kind === callerKinds.PERSON) return await aPerson(context, call);
    if (call.caller.kind === callerKinds.APP) return await anApp(context, call);
    return await anAi(context, call);
  };

async function anAi(context: Context, call: Call) {
  const { claimLinks, clock, database } = context;
  const id = callingAi(call.caller);
  const ai = await findAi(database.db, id);
  if (ai === null || ai.revokedAt !== null) throw switchedOff();
  const [person, groups, waiting] = await Promise.all([
    ownerOf(context, ai),
    groupsOf(context, ai, call),
    countWaiting(context, id, ai.owner ?? '', call),
  ]);
  const topics =
    ai.owner === null ? [] : [groupsTopic(ai.owner), whoamiTopic(ai.owner), approvalsTopic(ai.owner)];
  call.validFor(answerHoldsMs, whoamiTopic(id), messagesTopic(id), approvalsTopic(id), ...topics);
  const ownerless = ai.status !== 'claimed';
  return {
    address: ai.address,
    ...(person !== null && { person: toPersonRef(person) }),
    ...(ownerless && { claimLink: claimLinks.linkOf(id, ai.claimVersion) }),
    yourName: ai.name,
    nameVerified: isNameVerified(ai),
    claimedWithLink: ai.claimedByLink,
    // A client that signed in as the AI has what was ticked for it, which may be less than the AI has.
    permissions: call.caller.grant === '' ? toAi(ai).permissions : call.caller.scopes,
    groups: groups.map(toGroupRef),
    waiting,
    limits: await limitsLeft(context, call.caller, ai),
    next: whatNext({
      ...countsOf(waiting),
      description: ai.description,
      owned: !ownerless,
      undoUntil: undoUntil(ai, nowDate(clock)),
    }),
    ai: toAi(ai),
  };
}

async function ownerOf({ people }: Context, { owner }: AiRow): Promise<PersonFacts | null> {
  return owner === null ? null : await people.find(owner);
}

/** The groups of the AI's person; of the AI of a group, that group. */
async function groupsOf({ groups }: Context, { owner, groupId }: AiRow, call: Call): Promise<Group[]> {
  if (owner !== null) return await groupsOfPerson(groups, owner, call);
  if (groupId === null) return [];
  const run = (await groups.findGroups({ ids: [groupId] }, { call })).results[0]?.group;
  return run === undefined ? [] : [{ id: run.id, address: `&${run.handle}`, name: run.name }];
}

async function aPerson(context: Context, call: Call) {
  const { groups, people } = context;
  const { caller } = call;
  const [facts, joined, waiting] = await Promise.all([
    people.find(caller.id),
    groupsOfPerson(groups, caller.id, call),
    countWaiting(context, caller.id, caller.id, call),
  ]);
  if (facts === null) throw notFound();
  const topics = [whoamiTopic, messagesTopic, approvalsTopic, groupsTopic].map((topic) => topic(caller.id));
  call.validFor(answerHoldsMs, ...topics);
  return {
    address: `@${facts.handle}`,
    person: toPersonRef(facts),
    yourName: facts.name,
    nameVerified: !facts.guest || facts.app !== '',
    claimedWithLink: false,
    permissions: caller.scopes,
    groups: joined.map(toGroupRef),
    waiting,
    limits: await limitsLeft(context, caller, null),
    next: whatNextForPerson({ ...countsOf(waiting), guest: facts.guest && facts.app === '' }),
  };
}

/** An app by itself has a name and no address: it acts for people. */
async function anApp(context: Context, call: Call) {
  const { caller } = call;
  return {
    yourName: caller.name,
    nameVerified: true,
    claimedWithLink: false,
    permissions: caller.scopes,
    groups: [],
    waiting: {},
    limits: await limitsLeft(context, caller, null),
    next: whatNextForApp,
  };
}

/** @param person uuid of the person that an AI acts for; empty for none */
async function countWaiting({ approvals, messages }: Context, owner: string, person: string, call: Call) {
  const [unread, asked] = await Promise.all([
    messages.countUnread({ owner }, { call }),
    approvals.countWaiting({ owner, person }, { call }),
  ]);
  return {
    messages: { count: unread.count, oldest: unread.oldest },
    requests: { count: asked.requests, oldest: asked.oldestRequest },
    approvals: { count: asked.approvals, oldest: asked.oldestApproval },
  };
}

function countsOf({ messages, requests, approvals }: Awaited<ReturnType<typeof countWaiting>>) {
  return { unread: messages.count, requests: requests.count, approvals: approvals.count };
}

type Group = Pick<PersonGroup, 'id' | 'address' | 'name'>;

function toPersonRef({ id, handle, name }: PersonFacts): MessageInitShape<typeof PersonRefSchema> {
  return { id: printId('per', id), address: `@${handle}`, name };
}

function toGroupRef({ id, address, name }: Group): MessageInitShape<typeof GroupRefSchema> {
  return { id: printId('grp', id), address, name };
}

async function groupsOfPerson(groups: Context['groups'], person: string, call: Call): Promise<PersonGroup[]> {
  const listed = await groups.listGroupIds({ person }, { call });
  return listed.groups.filter(({ archived }) => !archived);
}

/** Counted by the home's limiter under the caller's uuid. */
const counted: readonly LimitName[] = ['reads_a_minute', 'writes_a_minute', 'messages_to_strangers_a_day'];
const countedOfPeople: readonly LimitName[] = [...counted, 'claims_a_day'];

/** How much is left of the limits that count the caller's acts, by name. */
async function limitsLeft(
  { clock, limiter, limits }: Context,
  caller: Caller,
  described: Described | null,
): Promise<Record<string, bigint>> {
  const kind = callerKindOf(caller);
  const names = caller.kind === callerKinds.PERSON ? countedOfPeople : counted;
  const usages = await Promise.all(names.map((name) => limiter.peek(name, keyOf(name, caller), kind)));
  const left = usages
    .filter((usage) => usage !== null)
    .map((usage) => [usage.limit, BigInt(usage.remaining)]);
  const changesADay = limitFor(limits, 'description_changes_a_day', 'unclaimed') as number;
  return {
    ...Object.fromEntries(left),
    ...(described !== null && {
      description_changes_a_day: BigInt(changesLeft(described, changesADay, nowDate(clock))),
    }),
  };
}

/** Requests of an app are counted for it as a whole, whomever it acts for. */
function keyOf(name: LimitName, { id, app }: Caller): string {
  return name.endsWith('_a_minute') && app !== '' ? app : id;
}
