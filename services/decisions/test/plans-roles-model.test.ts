import { type Plan, PlanStatus, StanceKind } from '@hearth/proto/decisions/v1/plans';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { createChance, eventually, type FakeGroup, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { changeRoles } from './change-roles.ts';
import { perId, startDecisions } from './start-decisions.ts';

/** Like roles-model.test.ts, for plans. */

const runs = Number(process.env['HEARTH_ROLES_RUNS'] ?? 4);
const firstSeed = Number(process.env['HEARTH_ROLES_SEED'] ?? Date.now() % 1_000_000);
const steps = 25;
const hour = 3_600_000;

const home = await startDecisions();
afterAll(() => home.stop());

const { OPEN, SETTLED, CANCELLED } = PlanStatus;
const { WORKS, DOESNT_WORK, APPROVE } = StanceKind;

interface Asked {
  /** By option. */
  stances: Map<number, StanceKind>;
  choice: number | null;
}

/** The rules of roles in a plan, as a simple model. */
class Model {
  status = OPEN;
  options = 2;
  clash = false;
  settleAsked = false;
  /** Whether its deadline has passed. */
  late = false;
  readonly asked = new Map<string, Asked>();
  readonly group: FakeGroup;
  readonly child: PersonFacts;
  readonly starter: string;
  readonly hidden: string | undefined;

  constructor(group: FakeGroup, child: PersonFacts, starter: string, hidden: string | undefined) {
    this.group = group;
    this.child = child;
    this.starter = starter;
    this.hidden = hidden;
    for (const person of group.members)
      if (person !== hidden && this.speakers(person).length > 0)
        this.asked.set(person, { stances: new Map(), choice: null });
  }

  speakers(person: string): string[] {
    if (person !== this.child.id) return [person];
    const { guardians } = home.world.people.get(person) as PersonFacts;
    return guardians.filter((guardian) => guardian !== this.hidden);
  }

  organizers(): string[] {
    return [...this.group.organizers].filter(
      (organizer) => this.group.members.has(organizer) && organizer !== this.hidden,
    );
  }

  ids(): number[] {
    return Array.from({ length: this.options }, (_, index) => index + 1);
  }

  suiting(...kinds: (StanceKind | undefined)[]): number | undefined {
    const asked = [...this.asked.values()];
    return this.ids().find((id) => asked.every(({ stances }) => kinds.includes(stances.get(id))));
  }

  settlers(): string[] {
    const organizers = this.organizers();
    if (organizers.length > 0) return organizers;
    return this.asked.has(this.starter) ? this.speakers(this.starter) : [];
  }

  /** The people who can now do what it waits for. */
  waits(): Set<string> {
    if (this.status !== OPEN) return new Set();
    const works = this.suiting(WORKS, APPROVE);
    const isAwaited = ({ choice, stances }: Asked) =>
      this.clash
        ? choice === null
        : works === undefined
          ? stances.size < this.options
          : stances.get(works) !== APPROVE;
    const awaited = [...this.asked].flatMap(([one, words]) => (isAwaited(words) ? this.speakers(one) : []));
    return new Set([...awaited, ...(this.settleAsked ? this.settlers() : [])]);
  }

  /** The people who speak for anyone asked. */
  speaking(): Set<string> {
    return new Set([...this.asked.keys()].flatMap((person) => this.speakers(person)));
  }

  sees(person: string): boolean {
    if (person === this.hidden) return false;
    return this.organizers().includes(person) || this.asked.has(person) || this.spokenFor(person).length > 0;
  }

  /** The plan's people that a person speaks for. */
  spokenFor(person: string): string[] {
    return [...this.asked.keys()].filter((one) => this.speakers(one).includes(person));
  }

  /** Call it after the people changed. */
  peopleChanged(): void {
    if (this.status !== OPEN) return;
    for (const one of [...this.asked.keys()])
      if (!this.group.members.has(one) || this.speakers(one).length === 0) this.asked.delete(one);
    this.moveOn();
  }

  moveOn(): void {
    if (this.status !== OPEN) return;
    const asked = [...this.asked.values()];
    if (asked.length === 0) this.status = CANCELLED;
    else if (this.clash) {
      const isMost = (id: number) => asked.filter(({ choice }) => choice === id).length > asked.length / 2;
      if (this.ids().some(isMost)) this.status = SETTLED;
      else if (asked.every(({ choice }) => choice !== null)) this.settleAsked = true;
    } else if (this.suiting(APPROVE) !== undefined) this.status = SETTLED;
    else if (asked.every(({ stances }) => stances.size === this.options)) this.look();
  }

  /** The people choose if each option was refused by one of them. */
  look(): void {
    this.clash = this.suiting(WORKS, APPROVE, undefined) === undefined;
  }

  deadline(): void {
    this.late = true;
    if (this.clash || this.settleAsked) return;
    this.look();
    this.settleAsked = !this.clash;
  }

  added(): void {
    this.options += 1;
    this.clash = false;
    this.settleAsked &&= this.late;
    for (const ask of this.asked.values()) ask.choice = null;
    if (this.late) this.deadline();
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
  const begins = home.clock.now();
  const optionOf = (nth: number) => ({ startsAt: new Date(begins + (60 + nth) * 24 * hour).toISOString() });
  const { id } = await home.propose(second, group, {
    options: [optionOf(1), optionOf(2)],
    ...(hidden !== undefined && { hiddenFrom: perId(hidden) }),
  });
  const model = new Model(group, child, second.id, hidden?.id);
  const cast = { group, adults, child, guardians: [first, ...others] };
  // The deadlines of earlier plans pass in the meantime.
  const newsOf = async () =>
    (await home.events('decisions', 'planChanged')).filter(
      ({ data: { value } }) => `pln_${value.plan?.id.replaceAll('-', '')}` === id,
    );
  let seen = (await newsOf()).length;
  let waited = new Set<string>();
  let did = 'it began';
  let actor = '';
  await compare();
  for (let step = 0; step < steps && model.status === OPEN; step += 1) {
    actor = '';
    did = `${did}; ${await (next(2) === 0 ? changeRoles(home, chance, cast, model) : act())}`;
    await compare();
  }

  /** A random caller's act: accepted if the model allows it, otherwise refused. */
  async function act(): Promise<string> {
    const who = pick(everyone);
    const says = ['say', 'say', 'say', 'say', 'choose', 'choose'] as const;
    const kind = pick([...says, 'settle', 'extend', 'add', 'cancel', 'deadline'] as const);
    const may = model.sees(who.id);
    const theirs = model.spokenFor(who.id);
    const runs = model.organizers().includes(who.id) || (who === second && model.asked.has(second.id));
    let allowed = may && runs;
    let call: () => Promise<Plan>;
    switch (kind) {
      case 'deadline': {
        // Past all of their deadlines.
        home.clock.advance(49 * hour);
        model.deadline();
        await home.runJob('decisions: advance-plans');
        return kind;
      }
      case 'say': {
        const stances = model.ids().flatMap((option) => {
          const stance = pick([WORKS, DOESNT_WORK, APPROVE, APPROVE, undefined]);
          return stance === undefined ? [] : [{ option, stance }];
        });
        if (stances.length === 0) return 'nothing';
        allowed = may && theirs.length > 0 && !model.clash;
        call = () => home.plansBy(who).takeStance({ id, stances });
        if (allowed)
          for (const one of theirs)
            model.asked.get(one)!.stances = new Map(stances.map(({ option, stance }) => [option, stance]));
        break;
      }
      case 'choose': {
        const option = pick(model.ids());
        allowed = may && theirs.length > 0 && model.clash;
        call = () => home.plansBy(who).chooseOption({ id, option });
        if (allowed) for (const one of theirs) model.asked.get(one)!.choice = option;
        break;
      }
      case 'add':
        call = () => home.plansBy(who).addOption({ id, ...optionOf(model.options + 1) });
        if (allowed) model.added();
        break;
      case 'extend':
        allowed &&= !model.clash;
        call = () => home.plansBy(who).extendPlan({ id, deadlineHours: 48 });
        if (allowed) model.late = false;
        if (allowed) model.settleAsked = false;
        break;
      case 'settle':
        call = () => home.plansBy(who).settlePlan({ id, option: 1, confirmRefused: true });
        if (allowed) model.status = SETTLED;
        break;
      default:
        call = () => home.plansBy(who).cancelPlan({ id });
        if (allowed) model.status = CANCELLED;
    }
    if (allowed && (kind === 'say' || kind === 'choose')) model.moveOn();
    actor = who.id;
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
      const { plans } = await home.plansBy(who).listPlans({ waitingOn: 'me' });
      const refused = await failure(home.plansBy(who).getPlan({ id }));
      expect([told, who.name, refused === 'none']).toEqual([told, who.name, model.sees(who.id)]);
      if (model.sees(who.id)) {
        const shown = await home.plansBy(who).getPlan({ id });
        const ids = [...waits].map((one) => perId(facts.get(one) as PersonFacts));
        expect([told, shown.status, shown.waitingOn.toSorted()]).toEqual([
          told,
          model.status,
          ids.toSorted(),
        ]);
      }
      const listed = plans.some((plan) => plan.id === id);
      expect([told, who.name, 'listed', listed]).toEqual([told, who.name, 'listed', waits.has(who.id)]);
    }
    const neededBy = (news: Awaited<ReturnType<typeof newsOf>>) =>
      new Set(news.flatMap(({ data: { value } }) => value.needs.map(({ person }) => person)));
    const untoldBy = (news: Awaited<ReturnType<typeof newsOf>>) => {
      const needed = neededBy(news);
      return [...waits].filter((one) => !waited.has(one) && !needed.has(one) && one !== actor);
    };
    const isAct = did !== 'it began';
    // The job may have run by itself: its events are published a moment after its writes become visible.
    const events = await eventually(newsOf, (all) => !isAct || untoldBy(all.slice(seen)).length === 0, {
      withinMs: 3_000,
    }).catch(newsOf);
    const news = events.slice(seen);
    seen = events.length;
    const needed = neededBy(news);
    if (isAct) expect([told, 'not told', untoldBy(news)]).toEqual([told, 'not told', []]);
    if (model.status === OPEN) {
      // Everyone who is asked hears of a new time, whether or not the plan waits for them.
      const hear = did.endsWith(': add') ? model.speaking() : waits;
      const wrongly = [...needed].filter((person) => !hear.has(person));
      expect([told, 'told wrongly', wrongly]).toEqual([told, 'told wrongly', []]);
    }
    waited = waits;
  }
}

describe('roles in a plan at the time of the act', () => {
  test.each(Array.from({ length: runs }, (_, index) => firstSeed + index))('seed %d', run, 60_000);
});
