import { printId } from '@hearth/ids';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { AgreementOutcome, AgreementStatus } from '@hearth/proto/decisions/v1/agreements';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { asPerson, createChance, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { changeHands } from './change-hands.ts';
import { startAgreements } from './start-agreements.ts';

/**
 * As roles-model.test.ts does for decisions: AIs change hands between all other acts. After each step the home is
 * compared with a simple model: who sees the agreement, who owns it, who is to act, who is asked, and who is told.
 */

const runs = Number(process.env['HEARTH_ROLES_RUNS'] ?? 3);
const firstSeed = Number(process.env['HEARTH_ROLES_SEED'] ?? Date.now() % 1_000_000);
const steps = 25;

const home = await startAgreements();
afterAll(() => home.stop());

const { OPEN, READY, SETTLED, DECLINED } = AgreementStatus;
const { KEPT, NOT_KEPT } = AgreementOutcome;

interface ModelParty {
  ai: AiFacts;
  /** uuid of the side's owner. */
  person: string | null;
  /** It started without an owner, and passes to the person who claims its AI. */
  free: boolean;
  gone: boolean;
  signed: boolean;
  /** Its owner has to approve it. */
  asks: boolean;
  approved: boolean;
  settled: AgreementOutcome | null;
}

/** The rules of roles in an agreement, as a simple model. */
class Model {
  status = OPEN;
  readonly sides: ModelParty[];
  readonly needsOwners: boolean;

  constructor(ais: readonly AiFacts[], needsOwners: boolean) {
    this.needsOwners = needsOwners;
    this.sides = ais.map((ai, index) => {
      const person = ai.owner || null;
      const words = { gone: false, signed: index === 0, approved: false, settled: null };
      return { ai, person, free: person === null, asks: needsOwners && person !== null, ...words };
    });
  }

  sideOf(who: string): ModelParty | undefined {
    return this.sides.find(({ ai, gone }) => ai.id === who && !gone);
  }

  sees(): string[] {
    const all = this.sides.flatMap(({ ai, gone, person }) => [...(gone ? [] : [ai.id]), person ?? '']);
    return [...new Set(all)].filter((one) => one !== '');
  }

  /** The people it waits for. */
  waits(): Set<string> {
    const spoken = this.sides.some(({ settled }) => settled !== null);
    const acting = ({ gone, settled, signed }: ModelParty) =>
      !gone && (this.status === OPEN ? !signed : this.status === READY && spoken && settled === null);
    const ais = this.sides.flatMap((side) => (acting(side) ? [side.ai.id] : []));
    return new Set([...ais, ...this.asked()]);
  }

  /** The owners who are asked, once for each of their sides. */
  asked(): string[] {
    return this.status === OPEN
      ? this.sides.flatMap(({ asks, approved, person }) => (asks && !approved ? [person!] : []))
      : [];
  }

  claimed(id: string, person: string): void {
    const side = this.sideOf(id);
    if (side === undefined || this.isOver()) return;
    this.pass(side, person);
  }

  unclaimed(id: string): void {
    const side = this.sideOf(id);
    if (side === undefined || this.isOver()) return;
    if (side.free) this.pass(side, null);
    else this.left(id);
  }

  /** Its AI is switched off, belongs to a person under 18, or has another owner. */
  left(id: string): void {
    const side = this.sideOf(id);
    if (side === undefined || this.isOver()) return;
    side.gone = true;
    if (this.status === OPEN) this.status = DECLINED;
  }

  isOver(): boolean {
    return this.status === DECLINED || this.status === SETTLED;
  }

  moveOn(): void {
    const counts = ({ approved, asks, signed }: ModelParty) => signed && (!asks || approved);
    if (this.status === OPEN && this.sides.every(counts)) this.status = READY;
    if (this.status === READY && this.sides.every(({ settled }) => settled === KEPT)) this.status = SETTLED;
  }

  private pass(side: ModelParty, person: string | null): void {
    side.person = person;
    if (!this.needsOwners || this.status !== OPEN) return;
    side.asks = person !== null;
    side.approved = false;
    this.moveOn();
  }
}

async function run(seed: number): Promise<void> {
  const chance = createChance(seed);
  const { next, pick } = chance;
  const { world } = home;
  const adults = Array.from({ length: 4 }, () => world.newPerson());
  const child = world.newPerson({ ageBand: AgeBand.CHILD, guardians: [adults[0]!.id] });
  const everyone = [...adults, child];
  const ais = Array.from({ length: 3 }, () => world.newAi(pick([undefined, undefined, ...adults])));
  const title = `Terms ${seed} ${home.ids.uuid()}`;
  const needsOwners = next(3) > 0;
  const [starter, ...others] = ais.map((ai) => world.asAi(ai));
  const { id, termsDigest } = await home.start(starter!, others, { title, needsOwners });
  const model = new Model(ais, needsOwners);
  const off = new Set<string>();
  /** The side that each question is about, and the answered questions. */
  const questions = new Map<string, ModelParty>();
  const answered = new Set<string>();
  const newsOf = async () =>
    (await home.events('decisions', 'agreementChanged')).filter(
      ({ data: { value } }) => printId('agr', value.agreement) === id,
    );
  let seen = (await newsOf()).length;
  let did = `needs ${needsOwners ? '' : 'no '}owners`;
  await compare();
  for (let step = 0; step < steps && !model.isOver(); step += 1) {
    did = `${did}; ${await (next(2) === 0 ? changeHands(home, chance, { ais, adults, child, off }, model) : act())}`;
    await compare();
  }

  /** A random caller's act: accepted if the model allows it, otherwise refused. */
  async function act(): Promise<string> {
    const acts = ['sign', 'sign', 'sign', 'answer', 'answer', 'decline', 'settle', 'settle'] as const;
    const kind = pick(acts);
    if (kind === 'answer') return await answer();
    const who = pick([...callersOf(ais), ...callersOf(ais), ...everyone.map((person) => asPerson(person))]);
    const side = model.sideOf(who.id);
    const may = model.sees().includes(who.id);
    const isOpen = model.status === OPEN;
    let call: Promise<unknown>;
    let allowed: boolean;
    switch (kind) {
      case 'sign':
        allowed = side !== undefined;
        call = home.by(who).signAgreement({ id, termsDigest });
        if (allowed && isOpen) side!.signed = true;
        break;
      case 'decline':
        if (next(4) > 0) return 'nothing';
        allowed = side !== undefined && isOpen;
        call = home.by(who).declineAgreement({ id });
        if (allowed) model.status = DECLINED;
        break;
      default: {
        const outcome = pick([KEPT, KEPT, NOT_KEPT]);
        const isSame = side?.settled === outcome;
        allowed = side !== undefined && (isSame || (model.status === READY && side.settled === null));
        call = home.by(who).settleAgreement({ id, outcome });
        if (allowed) side!.settled = outcome;
      }
    }
    if (allowed) model.moveOn();
    const refused = await failure(call);
    const told = `seed ${seed}: ${did}; ${who.name}: ${kind}`;
    if (!may) expect([told, refused]).toEqual([told, 'not_found not_found']);
    else expect([told, refused === 'none']).toEqual([told, allowed]);
    return `${who.name}: ${kind}${allowed ? '' : ' (refused)'}`;
  }

  /** An answer by an owner who is asked, or was asked before the AI changed hands. */
  async function answer(): Promise<string> {
    const open = [...questions.keys()].filter((one) => !answered.has(one));
    if (open.length === 0) return 'nothing';
    const approval = pick(open);
    const side = questions.get(approval)!;
    const counts = home.asked().find((request) => printId('apr', request.id) === approval)!;
    const isOpen = model.status === OPEN && (await questionOf(side)) === approval;
    const yes = next(4) > 0;
    answered.add(approval);
    if (isOpen && yes) side.approved = true;
    else if (isOpen) model.status = DECLINED;
    model.moveOn();
    const status = yes ? 'approved' : 'declined';
    await home.publish({ case: 'approvalSettled', value: { approval, status, kind: 'agreement' } });
    return `${nameOf(counts.owner)}: ${status} for ${side.ai.name}${isOpen ? '' : ' (void)'}`;
  }

  /** The question to a side's current owner. */
  async function questionOf({ ai, asks, gone }: ModelParty): Promise<string | undefined> {
    if (gone || !asks || off.has(ai.id)) return undefined;
    return (await home.by(world.asAi(ai)).getAgreement({ id })).approval;
  }

  function callersOf(some: readonly AiFacts[]): Caller[] {
    return some.filter((ai) => !off.has(ai.id)).map((ai) => world.asAi(ai));
  }

  function nameOf(id: string): string {
    return [...everyone, ...ais].find((one) => one.id === id)?.name ?? id;
  }

  async function compare(): Promise<void> {
    const told = `seed ${seed}: ${did}`;
    const names = (some: Iterable<string>) => [...some].map(nameOf).toSorted();
    const [sees, waits] = [model.sees(), model.waits()];
    for (const side of model.sides) {
      const question = await questionOf(side);
      if (question !== undefined) questions.set(question, side);
    }
    for (const who of [...callersOf(ais), ...everyone.map((person) => asPerson(person))]) {
      const calls = home.by(who);
      const [all, waiting] = await Promise.all([
        calls.listAgreements({}),
        calls.listAgreements({ waitingOn: 'me' }),
      ]);
      const lists = [all, waiting].map(({ agreements }) =>
        agreements.some((agreement) => agreement.id === id),
      );
      const may = sees.includes(who.id);
      expect([told, who.name, 'listed', lists]).toEqual([told, who.name, 'listed', [may, waits.has(who.id)]]);
      if (!may) {
        expect([told, who.name, await failure(calls.getAgreement({ id }))]).toEqual([
          ...[told, who.name],
          'not_found not_found',
        ]);
        continue;
      }
      const shown = await calls.getAgreement({ id });
      const sides = shown.sides.map(({ gone, yours, signedAt }) => [gone, yours, signedAt !== undefined]);
      expect([told, who.name, shown.status, sides]).toEqual([
        ...[told, who.name, model.status],
        model.sides.map(({ ai, gone, person, signed }) => [
          gone,
          ai.id === who.id || person === who.id,
          signed,
        ]),
      ]);
    }
    const over = new Set([...home.cancelled().map((one) => printId('apr', one)), ...answered]);
    const open = home
      .asked()
      .filter((request) => request.title === title && !over.has(printId('apr', request.id)));
    const asked = names(open.map(({ owner }) => owner));
    expect([told, 'asked', asked]).toEqual([told, 'asked', names(model.asked())]);
    const events = await newsOf();
    for (const { data } of events.slice(seen).slice(-1))
      expect([told, 'told', names(data.value.viewers)]).toEqual([told, 'told', names(sees)]);
    seen = events.length;
  }
}

describe('owners of AIs in an agreement at the time of the act', () => {
  test.each(Array.from({ length: runs }, (_, index) => firstSeed + index))('seed %d', run, 60_000);
});
