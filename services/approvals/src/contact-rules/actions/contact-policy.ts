import { createCoalescer } from '@hearth/coalesce';
import type { Party } from '@hearth/people';
import type { RequestKindName } from '../../shared/domain/request-kinds.ts';
import type { PolicyContext } from '../context.ts';
import { type Outcome, readCounts, takeCounts } from '../db/rule-counts.ts';
import { type Decision, decideReach, isCapped } from '../domain/contact-policy.ts';
import { weekOf } from '../domain/week.ts';
import { type Contact, findContacts } from './contact-facts.ts';
import { toGuardiansPresent } from './guardians-present.ts';
import { type MailAttempt, mayMail } from './may-mail.ts';

/** A sender's attempt to reach a recipient. */
export interface ContactAttempt {
  sender: Party;
  /** False for an unclaimed AI. */
  checked: boolean;
  /** uuid of the person it would reach; null for an AI without an owner. */
  recipient: string | null;
  /** uuid of the AI it is addressed to. */
  recipientAi: string | null;
  kind: RequestKindName;
  /** Whether the recipient has written to the sender, or accepted them into the inbox. */
  wroteBefore: boolean;
  /** Whether the sender is the recipient's child. */
  family?: boolean;
  /** The recipient is a child, or a child's AI, at an address that the sender may not know. */
  unseen?: boolean;
  /** Counts the attempt towards the weekly cap, or among the refusals; false for a dry run. */
  count: boolean;
}

export interface ContactDecision {
  how: Decision['how'];
  /** uuid of the AI at the front door. */
  frontDoor: string | null;
  /** uuid of the guardian whose requests it waits in. */
  guardian: string | null;
  /** The kind of request, as the recipient's labels classify it. */
  kind: RequestKindName;
  /** It waits in requests without notifying the recipient: the sender is an AI without an owner. */
  quiet: boolean;
  /** uuids of groups that the people behind sender and recipient share. */
  groups: readonly string[];
}

/** The only place that decides whether a sender reaches a recipient. */
export interface ContactPolicy {
  check(attempt: ContactAttempt): Promise<ContactDecision>;
  /**
   * Whether a sender may write to an email address. Senders must not see the result: a no reveals whose
   * address it is.
   */
  mayMail(attempt: MailAttempt): Promise<boolean>;
}

/** Concurrent checks are made in batches; each weekly cap is counted with its row locked. */
export function createContactPolicy(context: PolicyContext): ContactPolicy {
  const checks = createCoalescer<ContactAttempt, ContactDecision>({
    name: 'batch of reach checks',
    maxBatch: 100,
    // Reading the facts of many attempts costs the same as of one.
    spacingMs: 2,
    run: (attempts) => checkAll(context, attempts),
  });
  return { check: checks.add, mayMail: (attempt) => mayMail(context.people.byEmail, checks.add, attempt) };
}

async function checkAll(
  context: PolicyContext,
  attempts: readonly ContactAttempt[],
): Promise<ContactDecision[]> {
  const contacts = await findContacts(context, attempts);
  const decided = contacts.map(({ facts }) => decideReach(facts));
  const capped = await withinCaps(context, contacts, decided);
  const final = await toGuardiansPresent(context, contacts, capped);
  return final.map((decision, index) => {
    const { attempt, groups, kind } = contacts[index]!;
    return {
      how: decision.how,
      frontDoor: decision.how === 'front_door' ? decision.ai : null,
      guardian: decision.how === 'requests' ? decision.guardian : null,
      kind,
      quiet: decision.how === 'requests' && !attempt.checked,
      groups,
    };
  });
}

/** The attempts with the same person, kind and outcome, which count towards one row. */
interface Tally {
  person: string;
  kind: RequestKindName;
  what: Outcome;
  cap: number | null;
  /** Their positions among all attempts. */
  places: number[];
}

/**
 * Declines attempts beyond a cap, and counts attempts where requested. Refusals are counted whatever their
 * reason, so that all take the same time.
 */
async function withinCaps(
  { clock, database }: PolicyContext,
  contacts: readonly Contact[],
  decided: readonly Decision[],
): Promise<Decision[]> {
  const week = weekOf(clock.now());
  const final = [...decided];
  const decline = (places: readonly number[]) => {
    for (const place of places) final[place] = { how: 'declined' };
  };
  const counted = talliesOf(contacts, decided, true);
  const looked = talliesOf(contacts, decided, false).filter(({ what }) => what === 'reached');
  const takes = counted.map(({ places, ...take }) => ({ ...take, wanted: places.length }));
  const granted = takes.length === 0 ? [] : await database.transaction((tx) => takeCounts(tx, week, takes));
  const present = looked.length === 0 ? [] : await readCounts(database.db, week, looked);
  counted.forEach(({ what, places }, index) => {
    if (what === 'reached') decline(places.slice(granted[index]));
  });
  looked.forEach(({ cap, places }, index) => {
    if (cap !== null && present[index]! >= cap) decline(places);
  });
  return final;
}

function talliesOf(contacts: readonly Contact[], decided: readonly Decision[], count: boolean): Tally[] {
  const tallies = new Map<string, Tally>();
  contacts.forEach(({ attempt, kind, facts }, place) => {
    const what = outcomeOf(decided[place]!, facts.blocked);
    // Attempts at an AI without an owner are counted for the AI.
    const person = attempt.recipient ?? attempt.recipientAi;
    if (attempt.count !== count || what === null || person === null) return;
    const key = `${person} ${kind} ${what}`;
    const cap = what === 'reached' ? facts.rule.weeklyCap : null;
    const tally = tallies.get(key) ?? { person, kind, what, cap, places: [] };
    tallies.set(key, tally);
    tally.places.push(place);
  });
  return [...tallies.values()];
}

function outcomeOf(decision: Decision, blocked: boolean): Outcome | null {
  if (isCapped(decision)) return 'reached';
  if (decision.how === 'declined') return 'declined';
  if (decision.how === 'turned_away') return blocked ? 'blocked' : 'turned_away';
  return null;
}
