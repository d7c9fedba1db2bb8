import type { Rule } from './rules.ts';

/** All facts that decide whether, and how, a sender reaches a recipient. */
export interface ReachFacts {
  /** The sender is the recipient, or an AI of theirs. */
  own: boolean;
  /** The recipient blocks the sender, the person behind it, or its home; or is gone. */
  blocked: boolean;
  /** The recipient is an AI without an owner: it takes everything. */
  takesAll: boolean;
  sharesGroup: boolean;
  /** The recipient is under 18. */
  minor: boolean;
  /** The recipient is under 18, and has neither an app nor a sign-in: whatever comes is read by the guardian alone. */
  voiceless: boolean;
  /** It is addressed to an AI of theirs. */
  toAi: boolean;
  /** The sender named a child by an address that they may not know. */
  unseen: boolean;
  /** One of the two is a guardian of the other. */
  family: boolean;
  /** uuid of the guardian of a child, where there is one. */
  guardian: string | null;
  /** That guardian blocks the sender. */
  guardianBlocks: boolean;
  /** The recipient said that this sender reaches the inbox. */
  remembered: boolean;
  /** The recipient wrote to the sender before. */
  wroteBefore: boolean;
  /** A person, or a claimed or vouched AI. */
  checked: boolean;
  /** The recipient's rule for the kind as which the sender counts. */
  rule: Rule;
  /** uuid of the AI at the recipient's front door that may send messages. */
  frontDoor: string | null;
}

/** The decision by the rules, before the weekly cap. */
export type Decision =
  | { how: 'inbox' }
  /** In the requests of the recipient, or of the guardian; `known`: of one who would reach the inbox of another recipient. */
  | { how: 'requests'; guardian: string | null; known?: true }
  | { how: 'front_door'; ai: string }
  | { how: 'declined' }
  | { how: 'turned_away' };

const turnedAway: Decision = { how: 'turned_away' };

/**
 * A block holds against everything else; a group, an acquaintance, the rules follow in that order. An AI of a child, whose
 * address holds the child's handle, is there for the child and their guardians alone.
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
 * A child is out of reach for a sender who shares no group with them, also when the child wrote first. Kinds that the
 * guardian lets ask come to the guardian.
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

/** Whether the weekly cap bounds it: it does where the rules alone let it through. */
export function isCapped(decision: Decision): boolean {
  return decision.how === 'front_door' || (decision.how === 'requests' && decision.known !== true);
}
