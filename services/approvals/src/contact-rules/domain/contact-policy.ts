import type { Rule } from './rules.ts';

/** All facts that decide whether, and how, a sender reaches a recipient. */
export interface ReachFacts {
  /** The sender is the recipient, or an AI of theirs. */
  own: boolean;
  /** The recipient blocks the sender, the sender's person or home; or is gone. */
  blocked: boolean;
  /** The recipient is an AI without an owner, which accepts everything. */
  takesAll: boolean;
  sharesGroup: boolean;
  /** The recipient is under 18. */
  minor: boolean;
  /** The recipient is under 18 without an app or a sign-in, so only the guardian reads what arrives. */
  voiceless: boolean;
  /** It is addressed to an AI of the recipient's. */
  toAi: boolean;
  /** The sender named a child by an address that they may not know. */
  unseen: boolean;
  /** One of the two is a guardian of the other. */
  family: boolean;
  /** uuid of a child's guardian, if there is one. */
  guardian: string | null;
  /** The guardian blocks the sender. */
  guardianBlocks: boolean;
  /** The recipient accepted this sender into the inbox. */
  remembered: boolean;
  /** The recipient wrote to the sender before. */
  wroteBefore: boolean;
  /** The sender is a person, or a claimed or vouched AI. */
  checked: boolean;
  /** The recipient's rule for the kind that the sender counts as. */
  rule: Rule;
  /** uuid of the AI at the recipient's front door, if it may send messages. */
  frontDoor: string | null;
}

/** The decision by the rules, before the weekly cap. */
export type Decision =
  | { how: 'inbox' }
  /**
   * In the requests of the recipient, or of the guardian. `known`: the sender would reach the inbox of a
   * recipient with a sign-in.
   */
  | { how: 'requests'; guardian: string | null; known?: true }
  | { how: 'front_door'; ai: string }
  | { how: 'declined' }
  | { how: 'turned_away' };

const turnedAway: Decision = { how: 'turned_away' };

/**
 * Decides by precedence: a block, then shared groups, acquaintance, rules. A child's AI, whose address
 * contains the child's handle, is reachable only for the child and their guardians.
 */
export function decideReach(facts: ReachFacts): Decision {
  if (facts.own) return { how: 'inbox' };
  if (facts.blocked) return turnedAway;
  if (facts.minor && facts.toAi && (facts.unseen || !facts.family)) return turnedAway;
  if (facts.minor && facts.unseen) return throughGuardian(facts);
  if (facts.takesAll || facts.family) return { how: 'inbox' };
  if (facts.sharesGroup || facts.remembered)
    return facts.voiceless ? toGuardian(facts, { known: true }) : { how: 'inbox' };
  if (facts.minor) return throughGuardian(facts);
  if (facts.wroteBefore) return { how: 'inbox' };
  return byRule(facts);
}

/**
 * A sender who shares no group with a child does not reach them, even if the child wrote first. Kinds that
 * the guardian allows to ask go to the guardian.
 */
function throughGuardian(facts: ReachFacts): Decision {
  const { rule, checked } = facts;
  return rule.action === 'ask' && mayPass(rule, checked) ? toGuardian(facts) : turnedAway;
}

function toGuardian({ guardian, guardianBlocks }: ReachFacts, how: { known?: true } = {}): Decision {
  return guardian === null || guardianBlocks ? turnedAway : { how: 'requests', guardian, ...how };
}

function byRule({ rule, checked, frontDoor }: ReachFacts): Decision {
  if (!mayPass(rule, checked)) return turnedAway;
  switch (rule.action) {
    case 'turn_away':
      return turnedAway;
    case 'decline':
      return { how: 'declined' };
    case 'front_door':
      return frontDoor === null ? { how: 'requests', guardian: null } : { how: 'front_door', ai: frontDoor };
    case 'ask':
      return { how: 'requests', guardian: null };
  }
}

function mayPass({ checkedOnly }: Rule, checked: boolean): boolean {
  return checked || !checkedOnly;
}

/** Whether the weekly cap applies: only to requests that get through by the rules. */
export function isCapped(decision: Decision): boolean {
  return decision.how === 'front_door' || (decision.how === 'requests' && decision.known !== true);
}
