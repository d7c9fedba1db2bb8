import { badField, forbidden, type HearthError, notFound } from '@hearth/errors';
import { callerKindOf } from '@hearth/limits';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { type Call, type Caller, personOf } from '@hearth/rpc';
import { findAddressed } from '../../shared/actions/find-addressed.ts';
import { type ReachedHere, reachOne } from '../../shared/actions/reach-here.ts';
import type { Context } from '../context.ts';
import { type AgreementParty, type Box, newSide } from '../domain/agreement.ts';
import { aiStatuses } from '../domain/enum-names.ts';
import { isFamily } from '../domain/family.ts';

/** Another side, and how to reach it. */
interface Other extends ReachedHere {
  profile: Profile;
  /** Whether the starter is a stranger to this side. */
  stranger: boolean;
}

/**
 * The sides of a new agreement, the caller's first, placed by their owners' request rules (kind offer).
 *
 * @throws bad_field for the caller, a duplicate side, or a person; not_found for an unknown address;
 * forbidden (turned_away) if any side refuses, in the same words for every reason; rate_limited
 */
export async function readSides(
  context: Context,
  addresses: readonly string[],
  call: Call,
): Promise<{ sides: AgreementParty[]; declined: boolean }> {
  const { caller } = call;
  const profiles = await findProfiles(context, addresses, call);
  const others = await reachAll(context, profiles, call);
  await checkChildren(context, profiles, caller);
  const declined = others.some(({ how }) => how === 'declined');
  const { id: ai, address, name, minor } = caller;
  const starter: AgreementParty = {
    ...{ ...newSide, ai, address, name, minor, status: statusOf(caller.aiStatus), told: true },
    ...{ person: personOf(caller), group: caller.group || null },
  };
  const sides = others.map(({ profile, how, holder }): AgreementParty => {
    // If a rule declines, the agreement ends before any other side hears of it.
    const side = sideFor(profile, { how: declined ? 'declined' : how, holder });
    return profile.home === '' ? side : { ...side, home: profile.home, told: true, asked: true };
  });
  return { sides: [starter, ...sides], declined };
}

/** The side for a profile's AI that is reached this way. */
export function sideFor(
  { id: ai, address, name, minor, ...one }: Profile,
  { how, holder }: ReachedHere,
): AgreementParty {
  return {
    ...{ ...newSide, ai, address, name, minor, status: statusOf(one.aiStatus), box: boxes[how], holder },
    ...{ person: one.owner || null, group: one.group || null },
  };
}

const boxes: Record<ReachedHere['how'], Box> = {
  inbox: 'inbox',
  requests: 'requests',
  front_door: 'front_door',
  declined: 'refused',
  turned_away: 'refused',
};

async function findProfiles(context: Context, addresses: readonly string[], call: Call): Promise<Profile[]> {
  const found = await findAddressed(context, addresses, 'with', call);
  return found.map((profile, index) => {
    const field = `with[${index}]`;
    if (profile.person)
      throw badField(field, 'must be the address of an AI: agreements are made between AIs');
    if (profile.id === call.caller.id) throw badField(field, 'is you');
    if (found.findIndex((one) => one.id === profile.id) < index) throw badField(field, 'is there twice');
    return profile;
  });
}

/** Strangers count against the caller's daily limit for first contacts, including those who turn the agreement away. */
async function reachAll(context: Context, profiles: readonly Profile[], call: Call): Promise<Other[]> {
  const { limiter } = context;
  const { id } = call.caller;
  const kind = callerKindOf(call.caller);
  const usage = await limiter.peek('messages_to_strangers_a_day', id, kind);
  const spent = usage !== null && usage.remaining === 0;
  // A caller over their own limit doesn't use up the recipients' caps.
  const others = await Promise.all(profiles.map((profile) => reach(context, profile, !spent, call)));
  for (const { stranger } of others)
    if (stranger) await limiter.consume('messages_to_strangers_a_day', id, kind);
  if (others.some(({ how }) => how === 'turned_away')) throw turnedAway();
  return others;
}

async function reach(context: Context, profile: Profile, count: boolean, call: Call): Promise<Other> {
  const { peers } = context;
  const { caller } = call;
  const person = personOf(caller);
  if (profile.group !== '') {
    if (person === null) throw notFound();
    const { group } = await peers.groups.findMembership({ group: profile.group, person }, { call });
    if (group === undefined) throw notFound();
    return { profile, how: 'inbox', holder: null, stranger: false };
  }
  const theirs = [profile.id, profile.owner].filter((one) => one !== '');
  const ours = [caller.id, caller.person].filter((one) => one !== '');
  const { known } = await peers.messages.knowsParty({ owners: theirs, others: ours }, { call });
  // The remote home applies its own rules.
  if (profile.home !== '') return { profile, how: 'inbox', holder: null, stranger: !known };
  const reaching = {
    ...{ sender: caller.id, senderKind: 'ai', senderPerson: person ?? '', senderGroup: caller.group },
    checked: caller.aiStatus !== AiStatus.UNCLAIMED,
    ...{ recipient: profile.owner, recipientAi: profile.id, count, wroteBefore: known },
  };
  const reached = await reachOne(peers, reaching, { call });
  return { profile, ...reached, stranger: profile.owner === '' ? !known : reached.how !== 'inbox' };
}

/**
 * Refuses a minor's AI (its address contains the child's handle) unless every other side belongs to the child
 * or a guardian.
 *
 * @throws forbidden, with a specific message for the child's own AI and the generic refusal for others
 */
async function checkChildren(
  { people }: Context,
  profiles: readonly Profile[],
  caller: Caller,
): Promise<void> {
  const child = caller.minor ? await people.findOne(caller.person) : null;
  const sides = [
    { minor: caller.minor, person: caller.person, guardians: child?.guardians ?? [] },
    ...profiles.map(({ minor, owner, guardians }) => ({ minor, person: owner, guardians })),
  ];
  if (isFamily(sides)) return;
  throw caller.minor ? familyAlone() : turnedAway();
}

/** The error for a minor's AI that wants to agree with AIs outside the family. */
export function familyAlone(): HearthError {
  return forbidden('an AI of a person under 18 agrees with AIs of its person and their guardians alone');
}

function turnedAway(): HearthError {
  return forbidden('one of these addresses does not take this from you, so nothing was sent', {
    code: 'turned_away',
  });
}

export function statusOf(status: AiStatus): AgreementParty['status'] {
  return (aiStatuses.nameOf(status) || 'unclaimed') as AgreementParty['status'];
}
