import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { AnswerDecision } from '@hearth/proto/approvals/v1/approvals';
import { RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { createChance, eventually, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, CHILD, startApprovals, uuidOf } from './start-approvals.ts';

/*
 * Model-based test: guardians, owners and front doors change at random between all other acts. After each
 * step the home is compared with a simple model: who sees each ask, whose list shows it, who may answer or
 * cancel it, and who was notified.
 */

const runs = Number(process.env['HEARTH_ROLES_RUNS'] ?? 2);
const firstSeed = Number(process.env['HEARTH_ROLES_SEED'] ?? Date.now() % 1_000_000);
const steps = 15;

const home = await startApprovals();
afterAll(() => home.stop());

const { APPROVED, DECLINED } = AnswerDecision;

/** Waits until every announced event is consumed. */
const consumed = () =>
  eventually(
    () =>
      home.database.db.one<{ count: number }>(
        sql`select count(*)::int as count from approvals.outbox where published_in is null`,
      ),
    ({ count }) => count === 0,
  );

/** An ask, as the model of roles expects it now. */
interface Ask {
  id: string;
  waits: boolean;
  /** uuids of the viewers. */
  sees(): string[];
  /** uuids of the people and AIs whose list of approvals, or of requests, shows it. */
  listed(): string[];
  requested(): string[];
  /** Whether the caller may give this answer. */
  answers(who: Caller, decision: AnswerDecision): boolean;
  /** Whether the caller may cancel it, or send reminders. */
  asked(who: Caller): boolean;
  /** uuids of the people who are notified that it waits for them. */
  told(): string[];
}

async function run(seed: number): Promise<void> {
  const chance = createChance(seed);
  const { next, pick, some } = chance;
  const adults = Array.from({ length: 4 }, () => home.newPerson());
  const [asker, first, second, ben] = adults as [PersonFacts, PersonFacts, PersonFacts, PersonFacts];
  const parents = [first, second, ben];
  const stranger = home.newPerson({ app: home.uuid() });
  const child = home.newPerson({ ageBand: CHILD, guardians: [first.id], app: '', email: '' });
  const group = printId('grp', home.newGroup(asker, child).id);
  const bot = home.world.newAi(next(2) === 0 ? first : undefined);
  const doors = [home.world.newAi(ben), home.world.newAi(ben)];
  const ais = [bot, ...doors];
  let guardians = [first.id];
  let door: AiFacts | undefined = doors[0];
  const isDoor = (ai: AiFacts | undefined) => ai?.permissions.includes(Scope.MESSAGE) === true;
  const callerOf = (who: PersonFacts | AiFacts): Caller =>
    who.$typeName === 'hearth.identity.v1.AiFacts'
      ? home.world.asAi(who, { person: who.owner, scopes: who.permissions, aiStatus: who.status })
      : as(who);
  const everyone = () => [...adults, stranger, child, ...ais].map(callerOf);
  const behind = (ai: AiFacts) => [ai.id, ...(ai.owner === '' ? [] : [ai.owner])];
  const withAis = (people: readonly string[]) => [
    ...people,
    ...ais.filter(({ owner }) => owner !== '' && people.includes(owner)).map(({ id }) => id),
  ];

  const rules = { other: { action: RuleAction.FRONT_DOOR } };
  const setDoor = (ai: AiFacts | undefined) =>
    home.by(ben).setRequestRules({ rules, frontDoor: ai === undefined ? '' : printId('ai', ai.id) });
  await setDoor(door);

  /** The AI asked, and its current owner is its person. */
  const isBots = ({ id, person }: Caller) => id === bot.id || (id === bot.owner && person === '');
  const about: Ask = {
    id: (await home.ask(asker, { about: home.world.shieldedFor(as(asker), child), group })).id,
    waits: true,
    sees: () => withAis([asker.id, ...guardians]),
    listed: () => withAis(guardians),
    requested: () => [],
    answers: ({ id }) => guardians.includes(id),
    asked: ({ id }) => id === asker.id,
    told: () => guardians,
  };
  // One guardian holds the child's place for as long as they are a guardian.
  let keeper = first.id;
  const toChild: Ask = {
    id: (await home.ask(asker, { to: [home.world.shieldedFor(as(asker), child)], group })).id,
    waits: true,
    sees: () => withAis([asker.id, child.id, keeper]),
    listed: () => withAis([keeper]),
    requested: () => [keeper],
    answers: ({ id }) => id === keeper,
    asked: ({ id }) => id === asker.id,
    told: () => [keeper],
  };
  /** Its person's rules let the ask into the requests; an AI without an owner has only an inbox. */
  let inRequests = bot.owner !== '';
  const toBot: Ask = {
    id: (await home.ask(asker, { to: [bot.address] })).id,
    waits: true,
    sees: () => withAis([asker.id, ...behind(bot)]),
    listed: () => [bot.id],
    requested: () => (inRequests ? withAis([bot.owner]) : []),
    answers: ({ id }) => id === bot.id,
    asked: ({ id }) => id === asker.id,
    told: () => [],
  };
  const byBot: Ask = {
    id: (await home.ask(callerOf(bot), { to: [`@${asker.handle}`] })).id,
    waits: true,
    sees: () => withAis([asker.id, ...behind(bot)]),
    listed: () => [asker.id],
    requested: () => [asker.id],
    answers: ({ id }) => id === asker.id,
    asked: isBots,
    told: () => [],
  };
  /** The AI that holds it; null once the person holds it. */
  let stands: AiFacts | null = doors[0]!;
  const atDoor: Ask = {
    id: (await home.ask(stranger, { to: [`@${ben.handle}`] })).id,
    waits: true,
    sees: () => withAis([stranger.id, ben.id]),
    listed: () => (stands === null ? withAis([ben.id]) : [stands.id]),
    requested: () => (stands === null ? withAis([ben.id]) : [stands.id]),
    // The AI at the door may decline, and nothing else.
    answers: ({ id }, decision) => id === ben.id || (id === stands?.id && decision === DECLINED),
    asked: ({ id }) => id === stranger.id,
    told: () => (stands === null ? [ben.id] : []),
  };
  const asks = { about, toChild, toBot, byBot, atDoor };
  let did = 'it began';
  await consumed();
  await compare();
  for (let step = 0; step < steps; step += 1) {
    did = `${did}; ${await (next(2) === 0 ? changeRoles() : act())}`;
    await consumed();
    await compare();
  }

  async function changeRoles(): Promise<string> {
    switch (pick(['guardians', 'guardians', 'owner', 'owner', 'door', 'door', 'permission'])) {
      case 'guardians': {
        const now = some(parents).map(({ id }) => id);
        if (now.length === 0) return 'nothing';
        guardians = now;
        if (!guardians.includes(keeper)) keeper = guardians[0]!;
        home.world.changePerson(child, { guardians });
        const value = { person: { id: child.id }, changed: ['guardian'] };
        await home.publish({ case: 'personChanged', value });
        return `guardians are ${guardians.map((id) => parents.findIndex((parent) => parent.id === id))}`;
      }
      case 'owner': {
        if (bot.owner !== '') {
          const { owner } = bot;
          inRequests = false;
          home.world.changeAi(bot, { owner: '', status: AiStatus.UNCLAIMED });
          const value = { ai: { id: bot.id }, owner, why: 'not_my_person' };
          await home.publish({ case: 'aiUnclaimed', value });
          return 'bot has no owner';
        }
        const owner = pick(parents);
        home.world.changeAi(bot, { owner: owner.id, status: AiStatus.CLAIMED });
        const value = { ai: { id: bot.id }, status: 'claimed', person: owner.id };
        await home.publish({ case: 'aiClaimed', value });
        return `bot is ${owner.name}'s`;
      }
      case 'door': {
        door = pick([...doors.filter(isDoor), undefined]);
        await setDoor(door);
        if (stands !== door) stands = null;
        return `the door is ${door === undefined ? 'none' : doors.indexOf(door)}`;
      }
      default: {
        const ai = pick(doors);
        const permissions = isDoor(ai) ? [Scope.READ] : [Scope.READ, Scope.MESSAGE];
        home.world.changeAi(ai, { permissions });
        if (stands === ai && !isDoor(ai)) stands = null;
        await home.publish({ case: 'aiChanged', value: { ai: ai.id } });
        return `door ${doors.indexOf(ai)} may ${isDoor(ai) ? '' : 'not '}send`;
      }
    }
  }

  /** Acts as a random caller: accepted if the model allows it, refused otherwise. */
  async function act(): Promise<string> {
    const [name, ask] = pick(Object.entries(asks));
    const who = pick(everyone());
    // A yes or a cancel ends an ask, so most of the tries come from callers who may not.
    const kind = pick(['remind', 'answer', 'answer', 'cancel'] as const);
    const sees = ask.sees().includes(who.id);
    const decision = pick([APPROVED, DECLINED]);
    const may = ask.waits && (kind === 'answer' ? ask.answers(who, decision) : ask.asked(who));
    const told = `seed ${seed}: ${did}; ${who.address}: ${kind} ${name}`;
    if (may && kind !== 'remind' && next(3) > 0) return 'nothing';
    const { id } = ask;
    const calls = home.by(who);
    const refused = await failure(
      kind === 'answer'
        ? calls.replyApproval({ id, decision })
        : kind === 'cancel'
          ? calls.cancelApproval({ id })
          : calls.remindApproval({ id }),
    );
    if (!sees) expect([told, refused]).toEqual([told, 'not_found not_found']);
    // How often one may remind is covered by another rule.
    else if (kind === 'remind' && may) expect([told, refused]).not.toContain('forbidden no_permission');
    else if (ask.waits) expect([told, refused === 'none']).toEqual([told, may]);
    if (may && kind === 'cancel') ask.waits = false;
    if (may && kind === 'answer') ask.waits = (await home.by(who).getApproval({ id })).status === 1;
    return `${who.address}: ${kind} ${name}${may ? '' : ' (refused)'}`;
  }

  async function compare(): Promise<void> {
    const notices = await home.announced('personNotified');
    const all = everyone();
    const nameOf = (id: string) => all.find((caller) => caller.id === id)?.address ?? id;
    const named = (ids: readonly string[]) => [...new Set(ids)].map(nameOf).toSorted();
    const waiting = Object.entries(asks).filter(([, { waits }]) => waits);
    const looks = await Promise.all(
      all.map(async (who) => {
        const calls = home.by(who);
        const [{ approvals }, { requests }, ...got] = await Promise.all([
          calls.listApprovals({ limit: 100 }),
          calls.listRequests({ limit: 100 }),
          ...waiting.map(([, { id }]) => failure(calls.getApproval({ id }))),
        ]);
        const listed = approvals.filter(({ toYou }) => toYou !== undefined);
        return { who: who.id, got, listed, requests };
      }),
    );
    for (const [index, [name, ask]] of waiting.entries()) {
      const told = `seed ${seed}: ${did}: ${name}`;
      const of = (holds: (look: (typeof looks)[number]) => boolean) =>
        named(looks.filter(holds).map(({ who }) => who));
      const isAsk = ({ id }: { id: string }) => id === ask.id;
      const sees = of(({ got }) => got[index] === 'none');
      expect([told, 'sees', sees]).toEqual([told, 'sees', named(ask.sees())]);
      const listed = of((look) => look.listed.some(isAsk));
      expect([told, 'listed', listed]).toEqual([told, 'listed', named(ask.listed())]);
      const requested = of(({ requests }) => requests.some(isAsk));
      expect([told, 'requested', requested]).toEqual([told, 'requested', named(ask.requested())]);
      const heard = notices.filter(({ item }) => item === uuidOf(ask.id)).map(({ person }) => person);
      const untold = ask.told().filter((id) => !heard.includes(id));
      expect([told, 'not told', named(untold)]).toEqual([told, 'not told', []]);
    }
  }
}

describe('roles at the time of the act', () => {
  test.each(Array.from({ length: runs }, (_, index) => firstSeed + index))('seed %d', run, 60_000);
});
