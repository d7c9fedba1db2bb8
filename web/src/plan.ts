import type { Errors } from './components/field.ts';
import type { Stance } from './components/stance-grid.ts';
import type { DecisionPerson } from './decision.ts';
import type { Piece, Words } from './html.ts';

export interface PlanStance {
  person: string;
  stance: Exclude<Stance, 'none'>;
  note?: string | undefined;
  /** The party that answered in the person's place, if any. */
  by?: 'ai' | 'guardian' | undefined;
}

export interface PlanOption {
  id: number;
  label?: string | undefined;
  /** An instant, or a day as YYYY-MM-DD. */
  time: string;
  /** An instant. */
  endsAt?: string | undefined;
  stances: readonly PlanStance[];
  /** The number of people who chose it, once people choose. */
  chosen?: number | undefined;
}

/** A plan as its viewer may see it. */
export interface Plan {
  id: string;
  title: string;
  details?: string | undefined;
  where?: string | undefined;
  status: 'open' | 'settled' | 'cancelled';
  groupName: string;
  groupAddress: string;
  startedBy: { name: string; address: string };
  options: readonly PlanOption[];
  /** In a plan, `answered` means that they answered about every option. */
  people: readonly DecisionPerson[];
  /** Whether people choose, because no option works for everyone. */
  isClash: boolean;
  settledOption?: number | undefined;
  timeZone?: string | undefined;
  atMs: number;
  deadlineMs: number;
  why?: 'past' | 'group_archived' | 'no_people' | 'declined' | 'cancelled' | undefined;
  /** The reason given for cancelling. */
  reason?: string | undefined;
  /** The name of the person that it is hidden from. */
  hiddenFrom?: string | undefined;
  settledAtMs?: number | undefined;
  /** A path of this home. */
  receipt?: string | undefined;
  /** Whether its home shows other answers from people here than they sent. */
  disputed?: boolean | undefined;
  revision: number;
  /** Whether the viewer proposed it, or is an organizer of its group. */
  runs: boolean;
}

export interface PlanPage {
  plan: Plan;
  nowMs: number;
  /** By field name. */
  values: Readonly<Record<string, string>>;
  errors?: Errors;
  /** The notice of the act that was just done. */
  done?: Words | undefined;
  /** The reason of a refusal. */
  refused?: Piece | undefined;
}

/** The people that the viewer answers for. */
export function speaksFor({ people }: Plan): DecisionPerson[] {
  return people.filter(({ asked, spokenFor }) => asked && spokenFor);
}

/** How many say that an option works, and how many approve it. */
export function scoreOf(
  { people }: Plan,
  { stances }: PlanOption,
): { works: number; approve: number; refuse: number } {
  const asked = new Set(people.filter((person) => person.asked).map(({ id }) => id));
  const words = stances.filter(({ person }) => asked.has(person)).map(({ stance }) => stance);
  const refuse = words.filter((word) => word === 'not').length;
  return { works: words.length - refuse, approve: words.filter((word) => word === 'approve').length, refuse };
}

/** The option that works for everyone; it still needs everyone's own approval. */
export function agreeable(plan: Plan): PlanOption | undefined {
  const asked = plan.people.filter((person) => person.asked).length;
  return [...plan.options]
    .sort((one, other) => (one.time < other.time ? -1 : 1))
    .find((option) => scoreOf(plan, option).works === asked);
}
