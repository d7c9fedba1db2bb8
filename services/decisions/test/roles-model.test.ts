import {
  type Decision,
  DecisionNeeds,
  DecisionStatus,
  ReviewAction,
  Verdict,
} from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { createChance, type FakeGroup, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { changeRoles } from './change-roles.ts';
import { answers, dinner, instants, perId, startDecisions } from './start-decisions.ts';

/**
 * Roles change at random between all other acts. After each step the home is compared with a simple model: who may do
 * what, who each thing is waiting for, and who has been told since. `npm run roles -- --runs 500 --seed 7` runs more
 * seeds, or reruns failed ones.
 */

const runs = Number(process.env['HEARTH_ROLES_RUNS'] ?? 4);
const firstSeed = Number(process.env['HEARTH_ROLES_SEED'] ?? Date.now() % 1_000_000);
const steps = 25;

const home = await startDecisions();
afterAll(() => home.stop());

const { OPEN, PROPOSED, REVIEW, AGREED, CANCELLED } = DecisionStatus;
const two = dinner.slice(0, 2);
const all = answers([instants[0]], 'Soup');

interface Asked {
  answered: boolean;
  approved: boolean;
}

/** The rules of roles, as a simple model. */
class Model {
  status = OPEN;
  version = 0;
  readonly asked = new Map<string, Asked>();
  /** Approvals by organizers who are not asked. */
  readonly approvals = new Map<string, boolean>();
  readonly group: FakeGroup;
  readonly child: PersonFacts;
  readonly needs: DecisionNeeds;
  readonly hidden: string | undefined;

  constructor(group: FakeGroup, child: PersonFacts, needs: DecisionNeeds, hidden: string | undefined) {
    this.group = group;
    this.child = child;
    this.needs = needs;
    this.hidden = hidden;
    for (const person of group.members)
      if (person !== hidden && this.speakers(person).length > 0)
        this.asked.set(person, { answered: false, approved: false });
  }

  guardians(): string[] {
    const { guardians } = home.world.people.get(this.child.id) as PersonFacts;
    return guardians.filter((guardian) => guardian !== this.hidden);
  }

  speakers(person: string): string[] {
    return person === this.child.id ? this.guardians() : [person];
  }

  organizers(): string[] {
    return [...this.group.organizers].filter(
      (organizer) => this.group.members.has(organizer) && organizer !== this.hidden,
    );
  }

  approvers(): string[] {
    const asked = [...this.asked.keys()];
    if (this.needs === DecisionNeeds.ALL) return asked;
    const organizers = this.organizers();
    if (this.needs === DecisionNeeds.ORGANIZERS && organizers.length > 0) return organizers;
    return asked.filter((one) => this.asked.get(one)?.answered);
  }

  hasApproved(person: string): boolean {
    return this.asked.get(person)?.approved ?? this.approvals.get(person) ?? false;
  }

  /** The people who can now do what it waits for. */
  waits(): Set<string> {
    if (this.status === OPEN)
      return new Set([...this.asked].flatMap(([one, { answered }]) => (answered ? [] : this.speakers(one))));
    if (this.status === PROPOSED)
      return new Set(
        this.approvers().flatMap((approver) => (this.hasApproved(approver) ? [] : this.speakers(approver))),
      );
    return new Set(this.status === REVIEW ? this.organizers() : []);
  }

  sees(person: string): boolean {
    if (person === this.hidden) return false;
    if (this.organizers().includes(person)) return true;
    return [...this.asked.keys()].some((one) => one === person || this.speakers(one).includes(person));
  }

  /** The decision's people that a person speaks for. */
  spokenFor(person: string, also: readonly string[] = []): string[] {
    return [...new Set([...this.asked.keys(), ...also])].filter((one) => this.speakers(one).includes(person));
  }

  /** Call it after the people changed. */
  peopleChanged(): void {
    if (this.status === AGREED || this.status === CANCELLED) return;
    let left = false;
    for (const one of [...this.asked.keys()])
      if (!this.group.members.has(one) || this.speakers(one).length === 0) {
        this.asked.delete(one);
        left = true;
      }
    for (const one of [...this.approvals.keys()])
      if (!this.organizers().includes(one)) this.approvals.delete(one);
    if (left && this.asked.size === 0) this.status = CANCELLED;
    else this.moveOn();
  }

  moveOn(): void {
    if (this.status === OPEN && [...this.asked.values()].every(({ answered }) => answered)) this.propose();
    if (this.status !== PROPOSED) return;
    const needed = this.approvers();
    if (needed.length > 0 && needed.every((one) => this.hasApproved(one))) this.status = AGREED;
  }

  propose(): void {
    this.status = PROPOSED;
    this.version += 1;
    this.approvals.clear();
    for (const ask of this.asked.values()) ask.approved = false;
  }

  reopen(): void {
    this.status = OPEN;
    this.approvals.clear();
    for (const one of this.asked.keys()) this.asked.set(one, { answered: false, approved: false });
  }
}

async function run(seed: number): Promise<void> {
  const chance = createChance(seed);
  const { next, pick, some } = chance;
  const adults = Array.from({ length: 6 }, () => home.newPerson());
  const [first, second, ...others] = adults as [PersonFacts, PersonFacts, ...PersonFacts[]];
  const child = home.newFamily().child;
  home.world.changePerson(child, { guardians: [first.id] });
  const everyone = [...adults, child];
  const facts = new Map(everyone.map((person) => [person.id, person]));
  const group = home.newGroup([second, child, ...some(others)]);
  const hidden = next(3) === 0 ? pick(adults.filter((adult) => adult !== second)) : undefined;
  if (hidden !== undefined) group.members.add(hidden.id);
  const needs = pick([DecisionNeeds.ALL, DecisionNeeds.ANSWERED, DecisionNeeds.ORGANIZERS]);
  const { id } = await home.decide(second, group, {
    ...{ questions: two, needs },
    ...(hidden !== undefined && { hiddenFrom: perId(hidden) }),
  });
  const model = new Model(group, child, needs, hidden?.id);
  const cast = { group, adults, child, guardians: [first, ...others] };
  let seen = (await home.events('decisions', 'decisionChanged')).length;
  let waited = new Set<string>();
  let did = 'it began';
  await compare();
  for (let step = 0; step < steps && model.status !== AGREED && model.status !== CANCELLED; step += 1) {
    did = `${did}; ${await (next(2) === 0 ? changeRoles(home, chance, cast, model) : act())}`;
    await compare();
  }

  /** A random caller's act: accepted if the model allows it, otherwise refused. */
  async function act(): Promise<string> {
    const who = pick(everyone);
    const kind = pick([
      'answer',
      'answer',
      'answer',
      'approve',
      'approve',
      'change',
      'accept',
      'reopen',
      'extend',
    ]);
    const may = model.sees(who.id);
    const isOrganizer = model.organizers().includes(who.id);
    let allowed = false;
    let call: () => Promise<Decision>;
    switch (kind) {
      case 'answer': {
        const theirs = model.spokenFor(who.id);
        allowed = may && theirs.length > 0 && model.status === OPEN;
        call = () => home.by(who).answerDecision({ id, answers: all });
        if (allowed) for (const one of theirs) model.asked.set(one, { answered: true, approved: false });
        break;
      }
      case 'approve':
      case 'change': {
        const theirs = model.spokenFor(who.id, model.organizers());
        allowed = may && theirs.length > 0 && (model.status === PROPOSED || model.status === REVIEW);
        const decision = kind === 'approve' ? Verdict.APPROVED : Verdict.CHANGE;
        const { version } = model;
        call = () => home.by(who).approveDecision({ id, decision, version, note: 'why' });
        if (!allowed) break;
        for (const one of theirs) {
          const asked = model.asked.get(one);
          if (asked === undefined) model.approvals.set(one, kind === 'approve');
          else asked.approved = kind === 'approve';
        }
        if (kind === 'change') model.status = REVIEW;
        break;
      }
      case 'accept': {
        const untapped = model.asked.has(child.id) && !model.hasApproved(child.id);
        allowed = may && isOrganizer && model.status === REVIEW && !untapped;
        call = () => home.by(who).reviewDecision({ id, action: ReviewAction.ACCEPT });
        if (allowed) model.status = AGREED;
        break;
      }
      case 'reopen':
        allowed = may && isOrganizer && model.status === REVIEW;
        call = () => home.by(who).reviewDecision({ id, action: ReviewAction.REOPEN });
        if (allowed) model.reopen();
        break;
      default: {
        const runs = isOrganizer || (who === second && model.asked.has(second.id));
        allowed = may && runs && model.status === OPEN;
        call = () => home.by(who).extendDecision({ id, deadlineHours: 24 });
      }
    }
    if (allowed) model.moveOn();
    const refused = await failure(call());
    const told = `seed ${seed}: ${did}; ${who.name}: ${kind}`;
    if (!may) expect([told, refused]).toEqual([told, 'not_found not_found']);
    else expect([told, refused === 'none']).toEqual([told, allowed]);
    return `${who.name}: ${kind}${allowed ? '' : ' (refused)'}`;
  }

  async function compare(): Promise<void> {
    const waits = model.waits();
    const told = `seed ${seed}: ${did}`;
    for (const who of everyone) {
      const listed = (await home.by(who).listDecisions({ waitingOn: 'me' })).decisions.some(
        (decision) => decision.id === id,
      );
      const shown = model.sees(who.id) ? await home.by(who).getDecision({ id }) : null;
      if (shown === null)
        expect([told, who.name, await failure(home.by(who).getDecision({ id }))]).toEqual([
          told,
          who.name,
          'not_found not_found',
        ]);
      else {
        const ids = [...waits].map((one) => perId(facts.get(one) as PersonFacts));
        expect([told, shown.status, shown.waitingOn.toSorted()]).toEqual([
          told,
          model.status,
          ids.toSorted(),
        ]);
      }
      expect([told, who.name, listed]).toEqual([told, who.name, waits.has(who.id)]);
    }
    const events = await home.events('decisions', 'decisionChanged');
    const news = events.slice(seen).filter(({ data: { value } }) => `${value.decision?.number}` === id);
    seen = events.length;
    const needed = new Set(news.flatMap(({ data: { value } }) => value.needs.map(({ person }) => person)));
    const untold = [...waits].filter((one) => !waited.has(one) && !needed.has(one));
    if (did !== 'it began') expect([told, 'not told', untold]).toEqual([told, 'not told', []]);
    if (model.status !== CANCELLED) {
      const wrongly = [...needed].filter((one) => !waits.has(one));
      expect([told, 'told wrongly', wrongly]).toEqual([told, 'told wrongly', []]);
    }
    waited = waits;
  }
}

describe('roles at the time of the act', () => {
  test.each(Array.from({ length: runs }, (_, index) => firstSeed + index))('seed %d', run, 60_000);
});
