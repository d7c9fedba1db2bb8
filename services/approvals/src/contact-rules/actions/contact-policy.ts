import type { Clock } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import type { RequestKindWord } from '../../shared/domain/request-kinds.ts';
import { type Outcome, readCounts, takeCounts } from '../db/rule-counts.ts';
import { type Decision, decideReach, isCapped } from '../domain/contact-policy.ts';
import { weekOf } from '../domain/week.ts';
import { type Gathered, type GatherPeers, gatherFacts } from './contact-facts.ts';

/** Somebody who wants to reach somebody. */
export interface Reaching {
  /** uuid */
  sender: string;
  senderKind: 'ai' | 'person';
  /** uuid of an AI's owner. */
  senderPerson: string | null;
  /** uuid of the group that the sender runs. */
  senderGroup: string | null;
  /** False for an AI that nobody owns or vouches for. */
  checked: boolean;
  /** The home of the sender, and its address there, when it is another one. */
  home: string | null;
  senderAddress: string | null;
  /** uuid of the person whom it would reach; null for an AI that nobody owns. */
  recipient: string | null;
  /** uuid of the AI that it is addressed to. */
  recipientAi: string | null;
  kind: RequestKindWord;
  /** The recipient wrote to the sender before, or took them into the inbox. */
  wroteBefore: boolean;
  /** The sender is a child of the recipient. */
  family?: boolean;
  /** Somebody under 18 is named, or an AI of theirs, by an address that the sender may not know. */
  unseen?: boolean;
  /** Counts towards the weekly cap and among what was refused; false only looks. */
  count: boolean;
}

export interface Reached {
  how: Decision['how'];
  /** uuid of the AI at the front door. */
  frontDoor: string | null;
  /** uuid of the guardian in whose requests it waits. */
  guardian: string | null;
  /** The kind as which it counts for the recipient. */
  kind: RequestKindWord;
  /** It waits in requests, and nobody is woken for it: the sender is an AI that nobody owns. */
  quiet: boolean;
  /** uuids of groups that the people behind both share. */
  groups: readonly string[];
}

/** The one place that decides whether a sender reaches a recipient. */
export interface Reach {
  check(reaching: Reaching): Promise<Reached>;
}

export interface ReachOptions extends GatherPeers {
  clock: Clock;
  database: Database;
}

const maxBatch = 100;

/** Checks that come while others are in flight are made together, and each weekly cap is counted under its row's lock. */
export function createReach(options: ReachOptions): Reach {
  const checks = createCoalescer<Reaching, Reached>({
    name: 'batch of reach checks',
    maxBatch,
    // What is read of one item is read of many at the same price.
    spacingMs: 2,
    run: (items) => checkAll(options, items),
  });
  return { check: checks.add };
}

async function checkAll(options: ReachOptions, items: readonly Reaching[]): Promise<Reached[]> {
  const gathered = await gatherFacts(options, items);
  const decided = gathered.map(({ facts }) => decideReach(facts));
  const final = await withinCaps(options, items, gathered, decided);
  return final.map((decision, index) => toReached(decision, items[index]!, gathered[index]!));
}

function toReached(decision: Decision, { checked }: Reaching, { groups, kind }: Gathered): Reached {
  return {
    how: decision.how,
    frontDoor: decision.how === 'front_door' ? decision.ai : null,
    guardian: decision.how === 'requests' ? decision.guardian : null,
    kind,
    quiet: decision.how === 'requests' && !checked,
    groups,
  };
}

interface Group {
  person: string;
  kind: RequestKindWord;
  what: Outcome;
  cap: number | null;
  /** Positions among the items. */
  places: number[];
}

/**
 * Counts what is to be counted; what is beyond a cap is declined. A refusal is counted whatever it comes from, so that
 * all take the same time.
 */
async function withinCaps(
  { clock, database }: ReachOptions,
  items: readonly Reaching[],
  gathered: readonly Gathered[],
  decided: readonly Decision[],
): Promise<Decision[]> {
  const week = weekOf(clock.now());
  const final = [...decided];
  const counted = groupsOf(items, gathered, decided, true);
  const looked = groupsOf(items, gathered, decided, false).filter(({ what }) => what === 'reached');
  const granted =
    counted.length === 0
      ? []
      : await database.transaction((tx) =>
          takeCounts(
            tx,
            week,
            counted.map(({ places, ...take }) => ({ ...take, wanted: places.length })),
          ),
        );
  const present = looked.length === 0 ? [] : await readCounts(database.db, week, looked);
  counted.forEach(({ what, places }, index) => {
    if (what === 'reached') decline(final, places.slice(granted[index]));
  });
  looked.forEach(({ cap, places }, index) => {
    if (cap !== null && present[index]! >= cap) decline(final, places);
  });
  return final;
}

function decline(decisions: Decision[], places: readonly number[]): void {
  for (const place of places) decisions[place] = { how: 'declined' };
}

/** One for each person, kind and outcome, so that one row is counted once. */
function groupsOf(
  items: readonly Reaching[],
  gathered: readonly Gathered[],
  decided: readonly Decision[],
  count: boolean,
): Group[] {
  const groups = new Map<string, Group>();
  items.forEach((item, place) => {
    const { kind, facts } = gathered[place]!;
    const what = outcomeOf(decided[place]!, facts.blocked);
    if (item.count !== count || what === null) return;
    // What blocks or is blocked by an AI that nobody owns is counted for that AI.
    const person = item.recipient ?? item.recipientAi;
    if (person === null) return;
    const key = `${person} ${kind} ${what}`;
    const group = groups.get(key);
    if (group !== undefined) group.places.push(place);
    else {
      const cap = what === 'reached' ? facts.rule.weeklyCap : null;
      groups.set(key, { person, kind, what, cap, places: [place] });
    }
  });
  return [...groups.values()];
}

function outcomeOf(decision: Decision, blocked: boolean): Outcome | null {
  if (isCapped(decision)) return 'reached';
  if (decision.how === 'declined') return 'declined';
  if (decision.how === 'turned_away') return blocked ? 'blocked' : 'turned_away';
  return null;
}
