import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { Via } from '@hearth/proto/common/v1/caller';
import type { ProfileService } from '@hearth/proto/gateway/v1/profile';
import type { PersonGroup } from '@hearth/proto/groups/v1/groups';
import { type Call, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { limitsLeft } from '../actions/limits-left.ts';
import type { Context } from '../context.ts';
import { routes, toolNames, whatNext, whatNextForApp, whatNextForPerson } from '../domain/next.ts';
import { approvalsTopic, decisionsTopic, groupsTopic, messagesTopic, whoamiTopic } from '../domain/topics.ts';

const answerHoldsMs = 5_000;

/** The caller's address, person, permissions and groups, and what waits for them. Fails if that cannot be counted. */
export const whoami =
  (context: Context): UnaryHandler<typeof ProfileService.method.whoami> =>
  async (_request, call) => {
    if (call.caller.kind === callerKinds.PERSON) return await aPerson(context, call);
    if (call.caller.kind === callerKinds.APP) return await anApp(context, call);
    return await anAi(context, call);
  };

async function anAi(context: Context, call: Call) {
  const { caller } = call;
  const found = await context.identity.findCallingAi({}, { call });
  const { claimLink, description, group, nameVerified, owner, person, undoUntil } = found;
  const ai = found.ai!;
  const [groups, waiting, limits] = await Promise.all([
    owner === '' ? groupRunBy(context, group, call) : groupsOf(context, owner, call),
    countWaiting(context, owner, call),
    limitsLeft(context, caller),
  ]);
  const ofOwner =
    owner === ''
      ? []
      : [groupsTopic, whoamiTopic, approvalsTopic, decisionsTopic].map((topic) => topic(owner));
  const { id } = caller;
  const own = [whoamiTopic, messagesTopic, approvalsTopic, decisionsTopic].map((topic) => topic(id));
  call.validFor(answerHoldsMs, ...own, ...ofOwner);
  return {
    address: ai.address,
    ...(person !== undefined && { person }),
    ...(claimLink !== undefined && { claimLink }),
    yourName: ai.name,
    nameVerified,
    claimedWithLink: found.claimedByLink,
    // A client that signed in as the AI has the permissions that its person ticked, which may be fewer.
    permissions: caller.grant === '' ? ai.permissions : caller.scopes,
    groups,
    waiting,
    limits: { ...limits, description_changes_a_day: BigInt(found.descriptionChangesLeft) },
    next: whatNext(
      {
        ...countsOf(waiting),
        description,
        owned: nameVerified,
        undoUntil: undoUntil === undefined ? null : timestampDate(undoUntil),
      },
      caller.via === Via.MCP ? toolNames : routes,
    ),
    ai,
  };
}

async function aPerson(context: Context, call: Call) {
  const { caller } = call;
  const { id } = caller;
  const [{ results }, groups, waiting, limits] = await Promise.all([
    context.identityPeople.findPeople({ ids: [id] }, { call }),
    groupsOf(context, id, call),
    countWaiting(context, id, call),
    limitsLeft(context, caller),
  ]);
  const facts = results[0]?.facts;
  if (facts === undefined) throw notFound();
  const topics = [whoamiTopic, messagesTopic, approvalsTopic, groupsTopic, decisionsTopic].map((topic) =>
    topic(id),
  );
  call.validFor(answerHoldsMs, ...topics);
  const address = `@${facts.handle}`;
  return {
    address,
    person: { id: printId('per', id), address, name: facts.name },
    yourName: facts.name,
    nameVerified: !facts.guest || facts.app !== '',
    claimedWithLink: false,
    permissions: caller.scopes,
    groups,
    waiting,
    limits,
    next: whatNextForPerson({ ...countsOf(waiting), guest: facts.guest && facts.app === '' }),
  };
}

/** An app by itself has a name and no address; it acts for people. */
async function anApp(context: Context, { caller }: Call) {
  return {
    yourName: caller.name,
    nameVerified: true,
    claimedWithLink: false,
    permissions: caller.scopes,
    groups: [],
    waiting: { messages: {}, requests: {}, approvals: {}, decisions: {}, plans: {}, agreements: {} },
    limits: await limitsLeft(context, caller),
    next: whatNextForApp,
  };
}

/** @param person uuid of the AI's person; empty without one */
async function countWaiting({ approvals, decisions, messages }: Context, person: string, call: Call) {
  const owner = call.caller.id;
  const [unread, asked, undecided] = await Promise.all([
    messages.countUnread({ owner }, { call }),
    approvals.countWaiting({ owner, person }, { call }),
    decisions.countWaiting({ person: person || owner, caller: owner }, { call }),
  ]);
  return {
    messages: { count: unread.count, oldest: unread.oldest },
    requests: { count: asked.requests, oldest: asked.oldestRequest },
    approvals: { count: asked.approvals, oldest: asked.oldestApproval },
    decisions: { count: undecided.waiting, oldest: undecided.oldest },
    plans: { count: undecided.plans, oldest: undecided.oldestPlan },
    agreements: { count: undecided.agreements, oldest: undecided.oldestAgreement },
  };
}

function countsOf({
  messages,
  requests,
  approvals,
  decisions,
  plans,
  agreements,
}: Awaited<ReturnType<typeof countWaiting>>) {
  return {
    unread: messages.count,
    requests: requests.count,
    approvals: approvals.count,
    decisions: decisions.count,
    plans: plans.count,
    agreements: agreements.count,
  };
}

async function groupsOf({ groups }: Context, person: string, call: Call) {
  const listed = await groups.listGroupIds({ person }, { call });
  return listed.groups.filter(({ archived }) => !archived).map(toGroupRef);
}

/** @param group uuid of the group that the AI runs; empty without one */
async function groupRunBy({ groups }: Context, group: string, call: Call) {
  if (group === '') return [];
  const run = (await groups.findGroups({ ids: [group] }, { call })).results[0]?.group;
  return run === undefined ? [] : [toGroupRef({ id: run.id, address: `&${run.handle}`, name: run.name })];
}

function toGroupRef({ id, address, name }: Pick<PersonGroup, 'id' | 'address' | 'name'>) {
  return { id: printId('grp', id), address, name };
}
