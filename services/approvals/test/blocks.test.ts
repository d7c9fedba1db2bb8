import { printId } from '@hearth/ids';
import { shieldId } from '@hearth/people';
import { ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { ReportReason } from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { asApp, eventually, everyPage, operator } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, at, per, refused, startApprovals, textOf } from './start-approvals.ts';

const home = await startApprovals({ HEARTH_LIMITS: '{"blocks_at_once": {"unclaimed": 2}}' });
afterAll(() => home.stop());

const block = (caller: Caller, target: string, more = {}) => home.by(caller).block({ target, ...more });
const unblock = async (caller: Caller, target: string) =>
  (await home.by(caller).unblock({ target })).unblocked;
const blocks = async (caller: Caller, more = {}) => await home.by(caller).listBlocks(more);
const targets = async (caller: Caller) => (await blocks(caller)).blocks.map(({ target }) => target);

describe('blocks', () => {
  test('are listed newest first, with the reason, the same for a person and their AIs', async () => {
    const bob = home.newPerson();
    const [eve, ai] = [home.newPerson(), home.newAi(home.newPerson())];
    expect(await block(as(bob), `@${eve.handle}`, { reason: 'rude' })).toMatchObject({
      target: `@${eve.handle}`,
      reason: 'rude',
    });
    home.clock.advance(1_000);
    await block(home.newAi(bob), ai.address);
    home.clock.advance(1_000);
    await block(as(bob), '@FAR.example');
    home.clock.advance(1_000);
    await block(as(bob), 'Eve@far.example');
    const all = ['eve@far.example', '@far.example', ai.address, `@${eve.handle}`];
    expect(await targets(as(bob))).toEqual(all);
    expect(await targets(home.newAi(bob))).toEqual(all);
    expect(await targets(as(home.newPerson()))).toEqual([]);
    const first = await blocks(as(bob), { limit: 3 });
    expect(first.blocks).toHaveLength(3);
    const rest = await blocks(as(bob), { limit: 3, cursor: first.nextCursor });
    expect(rest.blocks.map(({ target }) => target)).toEqual(all.slice(3));
    expect(rest.nextCursor).toBeUndefined();
    await refused(blocks(as(bob), { cursor: 'x' }), 'bad_field');
  });

  test('blocking twice makes one block, and only the first unblock lifts it', async () => {
    const bob = home.newPerson();
    const eve = home.newPerson();
    await block(as(bob), `@${eve.handle}`, { reason: 'rude' });
    home.clock.advance(1_000);
    const again = await block(as(bob), per(eve));
    expect(again.reason).toBe('rude');
    expect(await targets(as(bob))).toHaveLength(1);
    expect(await unblock(as(bob), `@${eve.handle}`)).toBe(true);
    expect(await unblock(as(bob), `@${eve.handle}`)).toBe(false);
    expect(await home.announced('unblocked', { targetId: eve.id })).toHaveLength(1);
  });

  test('can be lifted after the blocked party is gone', async () => {
    const bob = home.newPerson();
    const eve = home.newAi(home.newPerson());
    await block(as(bob), eve.address);
    home.world.ais.delete(eve.id);
    expect(await unblock(as(bob), eve.address)).toBe(true);
  });

  test.each([
    ['a word', 'eve', 'bad_field'],
    ['a group', '&book-club', 'bad_field'],
    ['this home', '@localhost:8080', 'bad_field'],
    ['nobody', '@nobody-at-all', 'not_found'],
    ['an AI of an unknown person', '@nobody.ai-robin', 'not_found'],
    ['an unknown id', `per_${'0'.repeat(32)}`, 'not_found'],
    ['a shielded id of somebody else', `shp_${'0'.repeat(32)}`, 'not_found'],
  ])('of %s are refused', async (_, target, expected) => {
    await refused(block(as(home.newPerson()), target), expected);
  });

  test('cannot target oneself or one’s own AIs', async () => {
    const bob = home.newPerson();
    const ai = home.newAi(bob);
    for (const caller of [as(bob), ai]) {
      for (const target of [`@${bob.handle}`, per(bob), ai.address]) {
        await expect(block(caller, target)).rejects.toThrow('is you, or an AI of yours');
      }
    }
    await refused(block(asApp(home.app), '@far.example'), 'bad_field');
  });

  test('name a person under 18 by the viewer’s id, and keep no handle', async () => {
    const fellow = home.newPerson({ app: '' });
    const { child } = home.newFamily();
    await refused(block(as(fellow, ''), `@${child.handle}`), 'not_found');
    const shielded = shieldId(home.sealer, fellow.id, child.id);
    expect((await block(as(fellow, ''), shielded)).target).toBe(shielded);
    expect(await targets(as(fellow, ''))).toEqual([shielded]);
    const rows = await home.database.db.query({
      text: `select target from approvals.blocks where person = $1`,
      values: [fellow.id],
    });
    expect(JSON.stringify(rows)).not.toContain(child.handle);
    expect(await unblock(as(fellow, ''), shielded)).toBe(true);
  });

  test('have a limit', async () => {
    const robin = home.newAi();
    for (const target of ['@one.example', '@two.example', '@two.example']) await block(robin, target);
    await refused(block(robin, '@three.example'), 'cap_reached');
  });

  test('stay within the limit when many are made at once', async () => {
    const robin = home.newAi();
    const homes = Array.from({ length: 12 }, (_, index) => `@at-once-${index}.example`);
    const made = await Promise.allSettled(homes.map((target) => block(robin, target)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await targets(robin)).toHaveLength(2);
  });

  test('end pending asks, and look to the blocked side like any other no', async () => {
    const bob = home.newPerson();
    const eve = home.newPerson();
    const ai = home.newAi(eve);
    const asked = [
      await home.ask(ai, { to: at(bob) }),
      await home.ask(eve, { to: [home.newAi(bob).address] }),
    ];
    const declined = await home.ask(ai, { to: [`@${home.newPerson().handle}`], requestKind: 4 });
    await block(as(bob), `@${eve.handle}`);
    const seen = (id: string) => home.by(ai).getApproval({ id });
    for (const { id } of asked) {
      await eventually(async () => (await seen(id)).status === ApprovalStatus.DECLINED);
      const now = await seen(id);
      expect(now.signedAnswer).toBeDefined();
      expect(textOf(now)).not.toContain('block');
      expect(Object.keys(now).sort()).toEqual(
        expect.arrayContaining(Object.keys(declined).filter((key) => key !== 'why')),
      );
    }
    await refused(home.ask(ai, { to: at(bob) }), 'turned_away');
    await unblock(as(bob), `@${eve.handle}`);
    expect((await home.ask(ai, { to: at(bob) })).status).toBe(ApprovalStatus.WAITING);
  });

  test('make the recipient forget a remembered sender', async () => {
    const bob = home.newPerson();
    const ai = home.newAi(home.newPerson());
    const { id } = await home.ask(ai, { to: at(bob) });
    await home.by(bob).acceptRequest({ id, remember: true });
    await block(as(bob), ai.address);
    await unblock(as(bob), ai.address);
    const asked = { sender: ai.id, senderKind: 'ai', checked: true, recipient: bob.id, kind: 6 };
    const { reached } = await home.fromMessages.checkReach({ reaches: [asked] });
    expect(reached[0]!.how).toBe('requests');
  });
});

describe('reports', () => {
  const report = (caller: Caller, about: string, reason = ReportReason.SPAM, text = 'see this') =>
    home.by(caller).report({ about, reason, text });
  const all = async (more = {}) => (await home.by(operator).listReports({ limit: 100, ...more })).reports;

  test('reach the operator, child safety first, and are closed once', async () => {
    const bob = as(home.newPerson());
    const eve = home.newAi();
    const old = await report(bob, eve.address, ReportReason.CHILD_SAFETY);
    home.clock.advance(1_000);
    const young = await report(eve, `@${home.newPerson().handle}`, ReportReason.SCAM, '');
    expect(young.id).toMatch(/^rpt_[0-9a-f]{32}$/);
    home.clock.advance(1_000);
    const again = { about: 'eve@far.example', reason: ReportReason.SPAM, requestId: 'eve' };
    const last = await home.by(bob).report(again);
    expect(await home.by(bob).report(again)).toEqual(last);
    await refused(home.by(bob).report({ ...again, text: 'more' }), 'request_id_reused');
    const order = (await all()).map(({ id }) => id);
    expect(order[0]).toBe(old.id);
    expect(order.indexOf(last.id)).toBeLessThan(order.indexOf(young.id));
    expect((await all()).find(({ id }) => id === old.id)).toMatchObject({
      about: eve.address,
      reason: ReportReason.CHILD_SAFETY,
      text: 'see this',
      by: bob.address,
    });
    const resolve = (id: string) => home.by(operator).resolveReport({ id, resolution: 'suspended' });
    expect(await resolve(old.id)).toMatchObject({ resolution: 'suspended', resolvedAt: expect.anything() });
    expect((await all()).map(({ id }) => id)).not.toContain(old.id);
    expect((await all({ resolved: true })).map(({ id }) => id)).toContain(old.id);
    await refused(resolve(old.id), 'already_settled');
    await refused(resolve(printId('rpt', home.uuid())), 'not_found');
    await refused(resolve('rpt_x'), 'not_found');
    const audit = await home.announced('reportResolved');
    expect(audit).toMatchObject([{ report: old.id, resolution: 'suspended' }]);
    expect((await home.announced('reported')).map(({ report }) => report)).toContain(young.id);
  });

  test('are listed page by page', async () => {
    const bob = as(home.newPerson());
    const made = [ReportReason.OTHER, ReportReason.CHILD_SAFETY, ReportReason.SPAM].map((reason) =>
      report(bob, '@far.ai-x@far.example'.slice(1), reason),
    );
    const expected = await Promise.all(made);
    const pages = await everyPage((place) => home.by(operator).listReports({ limit: 2, ...place }));
    const read = pages.flatMap(({ reports }) => reports.map(({ id }) => id));
    expect(new Set(read).size).toBe(read.length);
    expect(read).toEqual(expect.arrayContaining(expected.map(({ id }) => id)));
    expect(read).toEqual((await all()).map(({ id }) => id));
    await refused(all({ cursor: 'x' }), 'bad_field');
  });

  test('are limited to what the reporter can see', async () => {
    const bob = home.newPerson();
    const ai = home.newAi(home.newPerson());
    const { id } = await home.ask(ai, { to: at(bob) });
    await report(as(bob), id);
    await refused(report(as(home.newPerson()), id), 'not_found');
    const authors = async () => Object.fromEntries((await all()).map(({ about, author }) => [about, author]));
    expect((await authors())[id]).toBe(printId('ai', ai.id));
    const message = home.uuid();
    home.waiting.seen.set(bob.id, new Set([message]));
    await report(as(bob), printId('msg', message));
    await report(home.newAi(bob), printId('msg', message));
    await refused(report(ai, printId('msg', message)), 'not_found');
    expect((await authors())[printId('msg', message)]).toBe('per_author');
    const groupPost = home.uuid();
    home.waiting.groupPosts.add(groupPost);
    await report(as(bob), printId('msg', groupPost));
    expect((await authors())[printId('msg', groupPost)]).toBe('ai_author');
    await refused(report(ai, printId('pst', home.uuid())), 'not_found');
    const post = printId('pst', home.uuid());
    home.waiting.posts.add(post);
    await report(ai, post);
    // The response does not reveal whether these exist.
    await report(ai, printId('grp', home.uuid()));
    await report(ai, '&book-club');
    await refused(report(ai, '@nobody-at-all'), 'not_found');
    await refused(report(ai, 'what?'), 'bad_field');
    await refused(report(ai, ai.address, ReportReason.UNSPECIFIED), 'bad_field');
  });

  test('name a reported person under 18 by the id that the operator sees', async () => {
    const fellow = home.newPerson({ app: '' });
    const { child } = home.newFamily();
    const shielded = shieldId(home.sealer, fellow.id, child.id);
    const { id } = await report(as(fellow, ''), shielded, ReportReason.HARASSMENT);
    expect((await all()).find((entry) => entry.id === id)?.about).toBe(per(child));
  });

  test('from a person under 18 or an app do not show the operator an address', async () => {
    const { child } = home.newFamily();
    const { id } = await report(as(child), `@${home.newPerson().handle}`, ReportReason.CHILD_SAFETY);
    expect((await all()).find((entry) => entry.id === id)?.by).toBe(per(child));
  });

  test('are made with a block when requested', async () => {
    const bob = home.newPerson();
    const eve = home.newAi();
    await block(as(bob), eve.address, { report: true, reason: 'selling things' });
    expect((await all()).find(({ about }) => about === eve.address && true)).toBeDefined();
    expect((await all()).some(({ about, text }) => about === eve.address && text === 'selling things')).toBe(
      true,
    );
  });
});
