import { sql } from '@hearth/db';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { ReviewDecision } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { createChance, eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { addMember, changeRoles } from './change-roles.ts';
import { type Join, JoinsModel } from './joins-model.ts';
import { aiOf, as, CHILD, failure, groupAi, onPages, startGroups, uuidOf } from './start-groups.ts';

/**
 * Organizers, members, guardians and an AI's owner change at random between all other acts. After each step the home is
 * compared with a simple model: who sees the group, its members and its invites, whose agreement each join request
 * waits for, who is asked, in whose list it waits, and who is notified.
 */

const runs = Number(process.env['HEARTH_ROLES_RUNS'] ?? 2);
const firstSeed = Number(process.env['HEARTH_ROLES_SEED'] ?? Date.now() % 1_000_000);
const steps = 15;

const home = await startGroups();
afterAll(() => home.stop());

const { by } = home;
const { APPROVED, DECLINED } = ReviewDecision;

/** Waits until everything announced has been consumed. */
const consumed = () =>
  eventually(
    () =>
      home.database.db.one<{ count: number }>(
        sql`select count(*)::int as count from groups.outbox where published_in is null`,
      ),
    ({ count }) => count === 0,
  );

async function run(seed: number): Promise<void> {
  const chance = createChance(seed);
  const { next, pick } = chance;
  const adults = Array.from({ length: 5 }, () => home.newPerson());
  const [first, second, ...parents] = adults as [PersonFacts, PersonFacts, ...PersonFacts[]];
  const child = home.newPerson({ ageBand: CHILD, guardians: [parents[0]!.id] });
  const everyone = [...adults, child];
  const title = home.newName();
  const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.ALL };
  const group = await home.newGroup(first, { name: title, settings });
  const { id } = group;
  const bot = home.uuid();
  const model = new JoinsModel(child, first);
  const { joins, roles } = model;
  /** The approvals that were answered there. */
  const answered = new Set<string>();
  const nameOf = (person: string) => everyone.find((someone) => someone.id === person)?.handle ?? person;
  const names = (people: readonly string[]) => people.map(nameOf).toSorted();

  const cast = { group, adults, parents, child };

  await addMember(home, cast, model, second, 'organizer');
  let did = 'it began';
  let heard = (await home.notices(title)).length;
  await askToJoin(home.newPerson());
  await askToJoin(child);
  await consumed();
  heard = (await home.notices(title)).length;
  await compare();
  for (let step = 0; step < steps; step += 1) {
    const told: string[] = [];
    did = `${did}; ${await (next(2) === 0 ? changeRoles(home, chance, cast, model) : act(told))}`;
    await consumed();
    const notices = (await home.notices(title)).slice(heard);
    heard += notices.length;
    expect([seed, did, 'told', names(notices.map(({ person }) => person))]).toEqual([
      ...[seed, did, 'told'],
      names(told),
    ]);
    await compare();
  }

  async function askToJoin(joiner: PersonFacts): Promise<void> {
    const inviter = pick(adults.filter((adult) => model.leads(adult.id)));
    const { code, id: invite } = await home.invite(inviter, group, { forAge: joiner.ageBand });
    await home.accept(joiner, code!);
    joins.push({
      ...{ joiner, invite: uuidOf(invite), code: code!, inviter: inviter.id, waits: true },
      ...{ organizer: null, guardian: null },
    });
  }

  /** A random caller's act: accepted if the model allows it, otherwise refused. Adds the people notified. */
  async function act(told: string[]): Promise<string> {
    const waiting = model.waiting();
    const byBot = next(4) === 0;
    const who = byBot ? model.owner : pick(everyone);
    const caller = byBot ? aiOf(model.owner, bot) : onPages(who);
    const calls = by(caller);
    const isIn = roles.has(who.id);
    const runs = model.leads(who.id);
    /** The refusal that follows from the roles alone. */
    const ofRoles = runs ? 'none' : isIn ? 'forbidden no_permission' : 'not_found not_found';
    const kind = pick([
      'review',
      'review',
      'review',
      'settle',
      'settle',
      'group',
      'group',
      'ask',
      'take',
      'leave',
    ] as const);
    const check = async (name: string, expected: string, call: Promise<unknown>): Promise<string> => {
      const refused = await failure(call);
      const words = `${byBot ? 'bot of ' : ''}${who.handle}: ${name}`;
      expect([seed, did, words, refused.split(' ', 2).join(' ')]).toEqual([seed, did, words, expected]);
      return `${words}${refused === 'none' ? '' : ' (refused)'}`;
    };
    switch (kind) {
      case 'review': {
        if (waiting.length === 0 || byBot) return 'nothing';
        const join = pick(waiting);
        const approved = next(3) > 0;
        const guards = join.joiner === child && model.guardians.includes(who.id);
        const expected = guards ? 'none' : ofRoles;
        const call = calls.reviewInvite({ code: join.code, decision: approved ? APPROVED : DECLINED });
        if (expected === 'none') told.push(...model.said(join, who.id, approved));
        return await check(`${approved ? 'yes' : 'no'} to ${nameOf(join.joiner.id)}`, expected, call);
      }
      case 'settle': {
        // An answer in approvals, by a current or former approver.
        if (waiting.length === 0) return 'nothing';
        const join = pick(waiting);
        const open = openAsks(join).at(-1);
        if (open === undefined) return 'nothing';
        const asked = home.approvals.asked
          .filter((request) => request.id === open.id)
          .flatMap(({ to }) => to);
        const answers = pick(asked);
        const approved = next(3) > 0;
        const may = model.leads(answers) || (join.joiner === child && model.guardians.includes(answers));
        if (!may && join.joiner === child && model.guardians.length === 0) return 'nothing';
        if (may) told.push(...model.said(join, answers, approved));
        answered.add(open.id);
        await home.settle(
          open.id,
          approved ? 'approved' : 'declined',
          everyone.find((person) => person.id === answers),
        );
        return `${nameOf(answers)}: ${approved ? 'yes' : 'no'} in approvals to ${nameOf(join.joiner.id)}${may ? '' : ' (void)'}`;
      }
      case 'group': {
        const what = pick(['rename', 'invite', 'archive', 'restore'] as const);
        const isLate = ofRoles === 'none' && model.archived === (what !== 'restore');
        switch (what) {
          case 'rename':
            return await check(
              what,
              isLate ? 'bad_request archived' : ofRoles,
              calls.updateGroup({ id, timeZone: pick(['Europe/Zurich', 'Europe/Paris']) }),
            );
          case 'invite':
            return await check(what, isLate ? 'bad_request archived' : ofRoles, calls.createInvite({ id }));
          case 'archive':
            if (next(3) > 0 && runs) return 'nothing';
            if (ofRoles === 'none' && !model.archived) {
              told.push(...model.archive(who.id));
            }
            return await check(what, isLate ? 'bad_request archived' : ofRoles, calls.archiveGroup({ id }));
          default: {
            const may = ofRoles === 'none' && model.archived && model.archivedBy === who.id;
            const refused = isLate
              ? 'bad_request already_settled'
              : may
                ? 'none'
                : runs
                  ? 'forbidden no_permission'
                  : ofRoles;
            if (may) model.archived = false;
            return await check(what, refused, calls.restoreGroup({ id }));
          }
        }
      }
      case 'ask': {
        if (model.archived || waiting.length > 2) return 'nothing';
        const joiner = next(2) === 0 && !roles.has(child.id) ? child : home.newPerson();
        if (
          waiting.some((join) => join.joiner === joiner) ||
          (joiner === child && model.guardians.length === 0)
        )
          return 'nothing';
        await askToJoin(joiner);
        return `${nameOf(joiner.id)} asked`;
      }
      case 'take': {
        // The inviter is notified as long as they organize the group.
        if (waiting.length === 0) return 'nothing';
        const join = pick(waiting);
        join.waits = false;
        if (model.leads(join.inviter)) told.push(join.inviter);
        await by(onPages(join.joiner)).withdrawJoin({ code: join.code });
        return `${nameOf(join.joiner.id)} took it back`;
      }
      default: {
        const ofChild = next(2) === 0 && roles.has(child.id);
        if (ofChild) {
          const guarded = model.guardians.length > 0;
          const own = who === child;
          const may = guarded ? model.guardians.includes(who.id) && !byBot : own;
          const expected = may
            ? 'none'
            : own || (model.guardians.includes(who.id) && byBot)
              ? 'forbidden needs_person'
              : isIn
                ? 'forbidden no_permission'
                : 'not_found not_found';
          const call = calls.leaveGroup({ id, person: own ? 'me' : home.world.shieldedFor(caller, child) });
          if (may) roles.delete(child.id);
          return await check('takes the child out', expected, call);
        }
        if (who === child || next(2) === 0) return 'nothing';
        const isLast = runs && model.organizers().length === 1 && !model.archived;
        if (isIn) roles.delete(who.id);
        if (isLast) {
          told.push(...model.archive(null));
        }
        return await check('leaves', isIn ? 'none' : 'not_found not_found', calls.leaveGroup({ id }));
      }
    }
  }

  /** The approvals about a join request, as approvals last received them. */
  function openAsks({ invite }: Join) {
    const { asked, cancelled, settled } = home.approvals;
    const over = new Set([...cancelled, ...settled.map((request) => request.id), ...answered]);
    const open = asked.filter((request) => request.invite === invite && !over.has(request.id));
    return [...new Map(open.map((request) => [request.id, request])).values()];
  }

  async function compare(): Promise<void> {
    const told = [seed, did] as const;
    const callers: [string, string | null, Caller][] = [
      ...everyone.map((person) => [person.handle, person.id, as(person)] as [string, string, Caller]),
      ['bot', model.owner.id, aiOf(model.owner, bot)],
      ['group AI', null, groupAi(group)],
    ];
    for (const [name, person, caller] of callers) {
      const isIn = person === null || roles.has(person);
      const calls = by(caller);
      const [got, invites] = await Promise.all([
        failure(pick([() => calls.getGroup({ id }), () => calls.listMembers({ id })])()),
        calls.listInvites({ id }).then(
          (found) => found.invites.flatMap(({ waiting }) => waiting.map((join) => join.waitingFor)),
          (error) => error.kind,
        ),
      ]);
      expect([...told, name, 'sees', got === 'none']).toEqual([...told, name, 'sees', isIn]);
      const waiting = model.waiting().map((join) => model.missing(join).toSorted().reverse());
      const expected =
        person === null ? 'forbidden' : model.leads(person) ? waiting : isIn ? 'forbidden' : 'not_found';
      const sorted = Array.isArray(invites) ? invites.toSorted() : invites;
      expect([...told, name, 'invites', sorted]).toEqual([
        ...[...told, name, 'invites'],
        Array.isArray(expected) ? expected.toSorted() : expected,
      ]);
      if (person === null || name === 'bot') continue;
      const { joins: own } = await by(
        onPages(everyone.find((someone) => someone.id === person)!),
      ).listWaitingForGuardian({
        children: [child.id],
      });
      const theirs = joins.filter((join) => join.waits && model.missing(join).includes('guardian'));
      const count = model.guardians.includes(person) ? theirs.length : 0;
      expect([...told, name, 'as guardian', own.length]).toEqual([...told, name, 'as guardian', count]);
    }
    for (const join of joins) {
      const asks = openAsks(join).map(({ role, to }) => [role, names(to)]);
      const role = model.missing(join)[0];
      const to = role === 'guardian' ? model.guardians : model.organizers();
      // If no approver is left, approvals takes over the former ones' places itself.
      if (join.waits && to.length === 0) continue;
      const expected = join.waits ? [[role, names(to)]] : [];
      const name = `asked about ${nameOf(join.joiner.id)}`;
      expect([...told, name, asks]).toEqual([...told, name, expected]);
    }
  }
}

describe('roles in a group at the time of the act', () => {
  test.each(Array.from({ length: runs }, (_, index) => firstSeed + index))('seed %d', run, 60_000);
});
