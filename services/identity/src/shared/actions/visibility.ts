import { isMinor, seesWhole } from '@hearth/people';
import type { GroupFacts, GroupsService } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Client, callerKinds, personOf } from '@hearth/rpc';
import type { AddressedAi, AiRow } from '../db/ais.ts';
import { tellsOwner } from '../domain/free-address.ts';
import type { Visibility } from '../domain/visibility.ts';
import type { PeopleLookups } from './people-lookups.ts';

type GroupReference = { id: string } | { handle: string };

/** How much the caller sees; null if the subject must look nonexistent. */
export interface VisibilityRules {
  /**
   * For callers who do not see it in full, an AI with a private owner does not exist at addresses under the
   * owner's handle, and the owner's group fellows see it as strangers do.
   *
   * @param tellsFellows whether fellows see more than strangers, so that the two must be told apart
   */
  ofAi(ai: AiRow | AddressedAi, tellsFellows: boolean, call: Call): Promise<Visibility | null>;
  ofPerson(facts: PersonFacts, tellsFellows: boolean, call: Call): Promise<Visibility | null>;
  /** The group, if the caller may see it. */
  group(group: GroupReference, call: Call): Promise<GroupFacts | null>;
}

export interface VisibilityOptions {
  people: Pick<PeopleLookups, 'find'>;
  groups: Pick<Client<typeof GroupsService>, 'shareGroup' | 'findMembership' | 'findGroups'>;
}

export function createVisibility({ people, groups }: VisibilityOptions): VisibilityRules {
  async function sharesGroup(person: string, call: Call): Promise<boolean> {
    const viewer = personOf(call.caller);
    if (viewer === null) return false;
    const { share } = await groups.shareGroup({ pairs: [{ one: viewer, other: person }] }, { call });
    return share[0] ?? false;
  }

  async function group(wanted: GroupReference, call: Call): Promise<GroupFacts | null> {
    const { caller } = call;
    const person = personOf(caller);
    if (person !== null) {
      const reference = 'id' in wanted ? wanted.id : `&${wanted.handle}`;
      const { group: joined } = await groups.findMembership({ group: reference, person }, { call });
      return joined ?? null;
    }
    if (caller.group === '' && caller.kind !== callerKinds.APP) return null;
    const named = 'id' in wanted ? { ids: [wanted.id] } : { handles: [wanted.handle] };
    const found = (await groups.findGroups(named, { call })).results[0]?.group;
    return found !== undefined && (found.id === caller.group || found.app === caller.app) ? found : null;
  }

  async function ofGroupAi(ai: AiRow, groupId: string, call: Call): Promise<Visibility | null> {
    const { caller } = call;
    if (caller.kind === callerKinds.APP && caller.app === ai.groupApp) return 'whole';
    return (await group({ id: groupId }, call)) === null ? null : 'fellow';
  }

  async function ofAi(ai: AiRow, tellsFellows: boolean, call: Call): Promise<Visibility | null> {
    const { caller } = call;
    if (caller.kind === callerKinds.OPERATOR || (caller.kind === callerKinds.AI && caller.id === ai.id)) {
      return 'whole';
    }
    if (ai.groupId !== null) return await ofGroupAi(ai, ai.groupId, call);
    if (ai.owner === null) return 'stranger';
    if (personOf(caller) === ai.owner) return 'whole';
    const owner = ai.ownerMinor ? await people.find(ai.owner) : null;
    if (owner !== null && isMinor(owner)) return seesWhole(owner, caller) ? 'whole' : null;
    if (caller.kind === callerKinds.APP) {
      return (await people.find(ai.owner))?.app === caller.app ? 'whole' : 'stranger';
    }
    const tells = tellsFellows && !ai.ownerPrivate;
    return tells && (await sharesGroup(ai.owner, call)) ? 'fellow' : 'stranger';
  }

  return {
    group,
    async ofAi(ai, tellsFellows, call) {
      const visibility = await ofAi(ai, tellsFellows, call);
      return visibility !== 'whole' && 'asked' in ai && isHidden(ai, ai.asked) ? null : visibility;
    },
    async ofPerson(facts, tellsFellows, call) {
      const { caller } = call;
      if (personOf(caller) === facts.id) return 'whole';
      if (isMinor(facts)) {
        if (seesWhole(facts, caller)) return 'whole';
        return (await sharesGroup(facts.id, call)) ? 'fellow' : null;
      }
      if (caller.kind === callerKinds.APP) return facts.app === caller.app ? 'whole' : 'stranger';
      return tellsFellows && (await sharesGroup(facts.id, call)) ? 'fellow' : 'stranger';
    },
  };
}

/** Whether an address of the AI is hidden from others because it would reveal the owner. */
export function isHidden({ ownerPrivate }: Pick<AiRow, 'ownerPrivate'>, address: string): boolean {
  return ownerPrivate && tellsOwner(address);
}
