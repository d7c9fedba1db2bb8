import type { MessageInitShape } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import type { Reached, ReachSchema, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Call, Client } from '@hearth/rpc';

/** How a message would reach somebody, by the word of the service that keeps the request rules. */
export type ReachAnswer = Pick<Reached, 'how' | 'frontDoor' | 'guardian' | 'kind' | 'quiet'>;

export type CheckReach = (asked: MessageInitShape<typeof ReachSchema>, call: Call) => Promise<ReachAnswer>;

/** By the word of the service that keeps the request rules. */
export function reachByRules(approvals: Pick<Client<typeof RequestRulesService>, 'checkReach'>): CheckReach {
  return async (asked, call) => {
    const { reached } = await approvals.checkReach({ reaches: [asked] }, { call });
    const [answer] = reached;
    if (answer === undefined) throw internal('approvals says nothing of who reaches whom');
    return answer;
  };
}

/** Until request rules are there: strangers wait with the requests, and nobody reaches somebody under 18 whom they share no group with. */
export function reachWithoutRules(
  groups: Pick<Client<typeof GroupsService>, 'shareGroup'>,
  people: { findOne(id: string): Promise<{ guardians: string[] } | null> },
  isMinor: (id: string) => Promise<boolean>,
): CheckReach {
  return async (
    { senderKind, sender = '', senderPerson = '', recipient = '', wroteBefore, family, kind },
    call,
  ) => {
    const answer = { frontDoor: '', guardian: '', kind: kind ?? 0, quiet: false };
    const word = senderKind === 'person' ? sender : senderPerson;
    const known = family === true || (await people.findOne(recipient))?.guardians.includes(word) === true;
    const minor = await isMinor(recipient);
    if (known || (wroteBefore === true && !minor)) return { ...answer, how: 'inbox' };
    const share =
      word !== '' &&
      (await groups.shareGroup({ pairs: [{ one: word, other: recipient }] }, { call })).share[0] === true;
    return { ...answer, how: share ? 'inbox' : minor ? 'turned_away' : 'requests' };
  };
}
