import { isMinor, seesWhole } from '@hearth/people';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { AddressedAi, AiRow } from '../db/ais.ts';
import { tellsOwner } from '../domain/free-address.ts';
import type { Sight } from '../domain/visibility.ts';
import type { Groups } from './groups.ts';
import type { PeopleLookups } from './people-lookups.ts';

/** How much the caller of a call sees of somebody; null for what looks to them as if it were not there. */
export interface Sights {
  /**
   * An AI whose owner keeps their name private is not there, for whoever does not see it whole, at an address that it
   * had under the owner's handle; and to group fellows of the owner it shows what it shows to strangers.
   *
   * @param tellsFellows whether its group fellows are shown more than strangers, so that the two need telling apart
   */
  ofAi(ai: AiRow | AddressedAi, tellsFellows: boolean, call: Call): Promise<Sight | null>;
  ofPerson(facts: PersonFacts, tellsFellows: boolean, call: Call): Promise<Sight | null>;
  /** The group, when the caller may see it. */
  group(group: { id: string } | { handle: string }, call: Call): Promise<GroupFacts | null>;
}

export interface SightsOptions {
  people: Pick<PeopleLookups, 'find'>;
  groups: Pick<Groups, 'share' | 'membership' | 'find'>;
}

export function createSights({ people, groups }: SightsOptions): Sights {
  async function sharesGroup(person: string, call: Call): Promise<boolean> {
    const viewer = personOf(call.caller);
    return viewer !== null && (await groups.share(viewer, person, call));
  }

  async function group(wanted: { id: string } | { handle: string }, call: Call): Promise<GroupFacts | null> {
    const { caller } = call;
    const person = personOf(caller);
    if (person !== null) {
      return await groups.membership('id' in wanted ? wanted.id : `&${wanted.handle}`, person, call);
    }
    if (caller.group === '' && caller.kind !== callerKinds.APP) return null;
    const found = await groups.find(wanted, call);
    return found !== null && (found.id === caller.group || found.app === caller.app) ? found : null;
  }

  async function ofGroupAi(ai: AiRow, groupId: string, call: Call): Promise<Sight | null> {
    const { caller } = call;
    if (caller.kind === callerKinds.APP && caller.app === ai.groupApp) return 'whole';
    return (await group({ id: groupId }, call)) === null ? null : 'fellow';
  }

  async function ofChildsAi(owner: string, caller: Caller): Promise<Sight | null> {
    const facts = await people.find(owner);
    return facts !== null && seesWhole(facts, caller) ? 'whole' : null;
  }

  async function ofAi(ai: AiRow, tellsFellows: boolean, call: Call): Promise<Sight | null> {
    const { caller } = call;
    if (caller.kind === callerKinds.OPERATOR || (caller.kind === callerKinds.AI && caller.id === ai.id)) {
      return 'whole';
    }
    if (ai.groupId !== null) return await ofGroupAi(ai, ai.groupId, call);
    if (ai.owner === null) return 'stranger';
    if (personOf(caller) === ai.owner) return 'whole';
    if (ai.ownerMinor) return await ofChildsAi(ai.owner, caller);
    if (caller.kind === callerKinds.APP) {
      return (await people.find(ai.owner))?.app === caller.app ? 'whole' : 'stranger';
    }
    const tells = tellsFellows && !ai.ownerPrivate;
    return tells && (await sharesGroup(ai.owner, call)) ? 'fellow' : 'stranger';
  }

  return {
    group,
    async ofAi(ai, tellsFellows, call) {
      const sight = await ofAi(ai, tellsFellows, call);
      return sight !== 'whole' && 'asked' in ai && isHidden(ai, ai.asked) ? null : sight;
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

/** Whether an address of the AI is kept from others, as it would tell who its owner is. */
export function isHidden({ ownerPrivate }: Pick<AiRow, 'ownerPrivate'>, address: string): boolean {
  return ownerPrivate && tellsOwner(address);
}
