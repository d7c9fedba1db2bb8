import { hash } from 'node:crypto';
import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { unavailable } from '@hearth/errors';
import { parseId, printId, systemRandom } from '@hearth/ids';
import {
  type Agreement,
  AgreementOutcome,
  AgreementStatus,
  OwnerStatus,
} from '@hearth/proto/decisions/v1/agreements';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Caller } from '@hearth/rpc';
import { digest, exportPublicJwk, generateKeyPair, signRecord, verifyRecord } from '@hearth/signing';
import { asApp, asPerson, failure } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startAgreements, terms } from './start-agreements.ts';

const home = await startAgreements();
afterAll(() => home.stop());

interface Signed {
  sides: { signature?: object; address: string }[];
  agreement: Record<string, unknown>;
  home: string;
}

const { OPEN, READY, SETTLED, DECLINED } = AgreementStatus;
const { KEPT, NOT_KEPT } = AgreementOutcome;
const hour = 3_600_000;

let robin: Caller;
let wren: Caller;
beforeEach(() => {
  robin = home.newAi();
  wren = home.newAi();
});

const uuidOf = ({ id }: Pick<Agreement, 'id'>) => parseId('agr', id) as string;

async function eventsOf(agreement: Pick<Agreement, 'id'>) {
  const events = await home.events('decisions', 'agreementChanged');
  return events.map(({ data }) => data.value).filter((value) => value.agreement === uuidOf(agreement));
}

const publicHome = 'localhost:8080';
const verified = (record: unknown) =>
  verifyRecord(record, {
    expectedType: 'svc-record+jws',
    home: publicHome,
    keys: home.world.signer.keys,
    now: home.clock.now(),
  });

describe('from terms to two records', () => {
  test('two AIs agree, and settle it as kept', async () => {
    const dueAt = timestampFromMs(home.clock.now() + 240 * hour);
    const started = await home.start(robin, [wren], { dueAt });
    expect(started).toMatchObject({
      status: OPEN,
      terms,
      termsDigest: `sha-256:${hash('sha256', terms, 'base64url')}`,
      by: robin.address,
      dueAt,
      needsOwners: false,
      disputed: false,
      sides: [
        { address: robin.address, ownerStatus: OwnerStatus.UNCLAIMED, nameVerified: false, yours: true },
        { address: wren.address, ownerStatus: OwnerStatus.UNCLAIMED, yours: false },
      ],
    });
    expect(started.sides.map(({ signedAt }) => signedAt !== undefined)).toEqual([true, false]);
    expect(timestampDate(started.signBy!).getTime()).toBe(home.clock.now() + 168 * hour);
    expect(home.told().filter(({ to }) => to === wren.id)).toMatchObject([
      { title: started.title, data: { agreement: started.id } },
    ]);
    const { id } = started;
    const waiting = async (who: Caller) =>
      (await home.by(who).listAgreements({ waitingOn: 'me' })).agreements.map((agreement) => agreement.id);
    expect([await waiting(robin), await waiting(wren)]).toEqual([[], [id]]);
    expect(await failure(home.by(wren).signAgreement({ id, termsDigest: 'sha-256:x' }))).toBe(
      'bad_request ask_changed terms_digest',
    );
    const ready = await home.sign(wren, started);
    expect(ready).toMatchObject({
      status: READY,
      record: { type: 'agreement', subject: { kind: 'agreement', id } },
    });
    expect(verified(ready.record)).toMatchObject({ valid: true });
    expect(ready.receipt).toMatch(/^http:\/\/localhost:8080\/r\/rec_/);
    expect(await home.sign(wren, started)).toMatchObject({ status: READY, revision: ready.revision });
    expect(await waiting(wren)).toEqual([]);

    const kept = (who: Caller, note?: string) =>
      home.by(who).settleAgreement({ id, outcome: KEPT, ...(note !== undefined && { note }) });
    expect((await kept(robin, 'In time')).status).toBe(READY);
    expect(await waiting(wren)).toEqual([id]);
    const settled = await kept(wren);
    expect(settled).toMatchObject({
      status: SETTLED,
      sides: [{ settled: KEPT, note: 'In time' }, { settled: KEPT }],
      settlement: {
        type: 'agreement.settled',
        sides: [{ settled: 'kept', note: 'In time' }, { settled: 'kept' }],
      },
    });
    expect(verified(settled.settlement)).toMatchObject({ valid: true });
    const { signature, ...first } = settled.record as Record<string, unknown>;
    expect(settled.settlement?.['prev']).toBe(digest(first));
    expect((await eventsOf(started)).map(({ what, wakes }) => [what, wakes])).toEqual([
      ['started', []],
      ['ready', [robin.id, wren.id]],
      ['settled', [robin.id, wren.id]],
    ]);
    expect(await kept(wren)).toMatchObject({ status: SETTLED });
  });

  test('a side that says not kept leaves it ready and disputed, and nobody judges', async () => {
    const { id } = await home.start(robin, [wren]);
    await home.sign(wren, await home.by(wren).getAgreement({ id }));
    const settle = (who: Caller, outcome: AgreementOutcome) => home.by(who).settleAgreement({ id, outcome });
    expect(await settle(wren, NOT_KEPT)).toMatchObject({ status: READY, disputed: true });
    expect(await failure(settle(wren, KEPT))).toBe('bad_request already_settled');
    expect(await settle(robin, KEPT)).toMatchObject({ status: READY, disputed: true });
    expect(await failure(home.by(robin).declineAgreement({ id }))).toBe('bad_request not_waiting');
    expect((await eventsOf({ id })).map(({ what }) => what)).toEqual(['started', 'ready', 'disputed']);
  });

  test('the last of four concurrent signatures makes it ready, and one record is kept', async () => {
    const others = [wren, home.newAi(), home.newAi(), home.newAi()];
    const started = await home.start(robin, others);
    const signed = await Promise.all(
      others.flatMap((other) => [home.sign(other, started), home.sign(other, started)]),
    );
    expect(signed.at(-1)?.sides.some(({ signedAt }) => signedAt !== undefined)).toBe(true);
    const { record } = await home.by(robin).getAgreement({ id: started.id });
    const kept = [...home.world.signer.records.values()].filter(({ json }) => json.includes(started.id));
    expect(kept.map(({ signed: text }) => JSON.parse(text))).toEqual([record]);
    await Promise.all(
      [robin, ...others].map((caller) => home.by(caller).settleAgreement({ id: started.id, outcome: KEPT })),
    );
    expect(await home.by(robin).getAgreement({ id: started.id })).toMatchObject({ status: SETTLED });
    const whats = (await eventsOf(started)).map(({ what }) => what);
    expect(whats.filter((what) => what === 'ready' || what === 'settled')).toEqual(['ready', 'settled']);
  });

  test('it is declined, withdrawn, or expires', async () => {
    const declined = await home.start(robin, [wren]);
    expect(await home.by(wren).declineAgreement({ id: declined.id, reason: 'Too much' })).toMatchObject({
      status: DECLINED,
      why: 'declined',
      reason: 'Too much',
    });
    expect(await failure(home.sign(wren, declined))).toBe('bad_request already_settled');
    const withdrawn = await home.start(robin, [wren]);
    const end = () => home.by(robin).declineAgreement({ id: withdrawn.id });
    expect(await end()).toMatchObject({ status: DECLINED, why: 'withdrawn' });
    expect(await end()).toMatchObject({ status: DECLINED, why: 'withdrawn' });
    const short = { signBy: timestampFromMs(home.clock.now() + 2_000) };
    const [read, left] = [await home.start(robin, [wren], short), await home.start(robin, [wren], short)];
    home.clock.advance(2_001);
    expect(await home.by(wren).getAgreement({ id: read.id })).toMatchObject({
      status: DECLINED,
      why: 'expired',
    });
    await home.runJob('decisions: advance-agreements');
    expect((await eventsOf(left)).map(({ what, why }) => [what, why])).toEqual([
      ['started', ''],
      ['declined', 'expired'],
    ]);
  });
});

describe('an agreement that needs owners', () => {
  const answer = (id: string, status: string) =>
    home.publish({
      case: 'approvalSettled',
      value: { approval: printId('apr', id), status, kind: 'agreement' },
    });

  test('a signature counts once the person of the AI approved', async () => {
    const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
    const [one, two] = [home.newAi(ada), home.newAi(ben)];
    const started = await home.start(one, [two, wren], { needsOwners: true });
    const questions = () =>
      home
        .asked()
        .filter(({ title }) => title === started.title)
        .slice(-2);
    expect(questions().map(({ owner, details }) => [owner, details])).toEqual([
      [ada.id, terms],
      [ben.id, terms],
    ]);
    const callers = home.peers.calls.filter(({ name }) => name === 'askAgreement').slice(-2);
    // Each AI asks its own person.
    expect(callers.map(({ caller }) => caller.id)).toEqual([one.id, two.id]);
    const [ofAda, ofBen] = questions().map(({ id }) => id) as [string, string];
    expect((await home.by(asPerson(ada)).getAgreement({ id: started.id })).approval).toBe(
      printId('apr', ofAda),
    );
    await home.sign(wren, started);
    expect(await home.sign(two, started)).toMatchObject({
      status: OPEN,
      sides: [{ ownerApproved: false }, { ownerApproved: false }, {}],
    });
    await answer(ofAda, 'approved');
    await answer(ofAda, 'approved');
    expect(await home.by(two).getAgreement({ id: started.id })).toMatchObject({
      status: OPEN,
      sides: [{ ownerApproved: true }, { ownerApproved: false }, {}],
    });
    await answer(ofBen, 'approved');
    const ready = await home.by(two).getAgreement({ id: started.id });
    expect(ready).toMatchObject({ status: READY, record: { agreement: { needs_owners: true } } });
    const sides = ready.record?.['sides'] as object[];
    expect(sides.map((side) => 'owner_approved_at' in side)).toEqual([true, true, false]);
  });

  test('ends silently for an owner who blocks the proposer, unless that owner already approved', async () => {
    const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
    const [one, two, other] = [home.newAi(ada), home.newAi(ben), home.newAi(ada)];
    for (const ai of [two, wren]) for (const from of [one, other]) home.contacts.add(`${ai.id} ${from.id}`);
    const needsOwners = true;
    const [open, approved, ofOther] = [
      await home.start(one, [two, wren], { needsOwners }),
      await home.start(one, [two, wren], { needsOwners }),
      await home.start(other, [two]),
    ];
    for (const each of [open, approved]) await home.sign(two, each);
    const asked = home.asked().flatMap(({ id, owner }) => (owner === ben.id ? id : []));
    const [ofOpen, ofApproved] = asked.slice(-2) as [string, string];
    await answer(ofApproved, 'approved');
    const blocked = (person: string, targetId: string) =>
      home.publish({ case: 'blocked', value: { person, targetId, target: '' } });
    for (const _ of [1, 2]) await blocked(ben.id, one.id);
    for (const who of [two, asPerson(ben)])
      expect(await failure(home.by(who).getAgreement({ id: open.id }))).toBe('not_found not_found');
    expect(home.cancelled()).toContain(ofOpen);
    await answer(ofOpen, 'cancelled');
    for (const who of [one, wren])
      expect(await home.by(who).getAgreement({ id: open.id })).toMatchObject({ status: OPEN });
    expect((await eventsOf(open)).map(({ what }) => what)).toEqual(['started', 'signed']);
    // Their consent is given, and the other side proposed the other agreement.
    for (const { id } of [approved, ofOther])
      expect((await home.by(two).getAgreement({ id })).status).toBe(OPEN);
    // A person's block covers their AIs; an AI without an owner blocks for itself.
    await blocked(wren.id, ada.id);
    expect(await failure(home.by(wren).getAgreement({ id: approved.id }))).toBe('not_found not_found');
    await blocked(ben.id, ada.id);
    expect((await home.by(two).listAgreements({})).agreements.map(({ id }) => id)).toEqual([approved.id]);
  });

  test('proposed after a block was lifted goes on, even when the block event is repeated', async () => {
    const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
    const [one, two] = [home.newAi(ada), home.newAi(ben)];
    home.contacts.add(`${two.id} ${one.id}`);
    const at = timestampFromMs(home.clock.now());
    home.clock.advance(2_000);
    const { id } = await home.start(one, [two]);
    const value = { person: ben.id, targetId: one.id, target: '' };
    await home.publish({ case: 'blocked', value }, { at });
    expect(await home.by(two).getAgreement({ id })).toMatchObject({ status: OPEN });
    await home.publish({ case: 'blocked', value });
    expect(await failure(home.by(two).getAgreement({ id }))).toBe('not_found not_found');
  });

  test('ends with one no, and cancels the other asks', async () => {
    const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
    const [one, two] = [home.newAi(ada), home.newAi(ben)];
    const started = await home.start(one, [two], { needsOwners: true });
    const [ofAda, ofBen] = home
      .asked()
      .slice(-2)
      .map(({ id }) => id) as [string, string];
    await answer(ofBen, 'declined');
    expect(await home.by(one).getAgreement({ id: started.id })).toMatchObject({
      status: DECLINED,
      why: 'declined',
    });
    expect(home.cancelled()).toContain(ofAda);
  });

  test('asks a person who claims an AI about open agreements, and cancels the ask when the claim is undone', async () => {
    const ada = home.world.newPerson();
    const [one, two, three] = [home.newAi(), home.newAi(), home.newAi()];
    const needsOwners = true;
    const [first, second] = [
      await home.start(one, [two], { needsOwners }),
      await home.start(one, [three], { needsOwners }),
    ];
    await home.start(one, [two]);
    const questions = () => home.asked().filter(({ owner }) => owner === ada.id);
    expect(questions()).toEqual([]);
    const moment = () => timestampFromMs(home.clock.now());
    const claim = {
      case: 'aiClaimed' as const,
      value: { ai: { id: one.id }, status: 'claimed', person: ada.id },
    };
    home.clock.advance(1_000);
    const at = moment();
    for (const _ of [1, 2]) await home.publish(claim, { at });
    expect(questions()).toHaveLength(2);
    // The AI asks by its id at that home.
    expect(home.peers.calls.findLast(({ name }) => name === 'askAgreement')?.caller.id).toBe(one.id);
    expect(await home.sign(two, first)).toMatchObject({
      status: OPEN,
      sides: [{ ownerApproved: false }, {}],
    });
    expect(await home.sign(three, second)).toMatchObject({ status: OPEN });
    const approvalOf = async (id: string) =>
      (await home.by(asPerson(ada)).getAgreement({ id })).approval as string;
    const [ofFirst, ofSecond] = [await approvalOf(first.id), await approvalOf(second.id)];
    expect(
      questions()
        .map(({ id }) => printId('apr', id))
        .toSorted(),
    ).toEqual([ofFirst, ofSecond].toSorted());
    const answered = (approval: string) =>
      home.publish({ case: 'approvalSettled', value: { approval, status: 'approved', kind: 'agreement' } });
    await answered(ofFirst);
    const ready = await home.by(two).getAgreement({ id: first.id });
    expect(ready).toMatchObject({ status: READY, sides: [{ ownerApproved: true }, {}] });

    home.clock.advance(1_000);
    await home.publish(
      { case: 'aiUnclaimed', value: { ai: { id: one.id }, owner: ada.id } },
      { at: moment() },
    );
    expect(home.cancelled().map((id) => printId('apr', id))).toContain(ofSecond);
    // Signed by every side without an owner.
    expect(await home.by(three).getAgreement({ id: second.id })).toMatchObject({
      status: READY,
      record: { agreement: { needs_owners: true } },
    });
    await home.publish(claim, { at });
    await answered(ofSecond);
    expect(questions()).toHaveLength(2);
  });

  test.each(['no_say', 'asker_gone'])('is not signed by a void yes of an owner (%s)', async (nothing) => {
    const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
    const [one, two] = [home.newAi(ada), home.newAi(ben)];
    const started = await home.start(one, [two], { needsOwners: true });
    const { approval } = await home.by(asPerson(ada)).getAgreement({ id: started.id });
    const value = { approval: approval as string, status: 'approved', kind: 'agreement', void: nothing };
    await home.publish({ case: 'approvalSettled', value });
    expect(await home.by(one).getAgreement({ id: started.id })).toMatchObject({
      status: DECLINED,
      sides: [{ ownerApproved: false }, {}],
    });
  });

  test('catches up later, once, on asks and notices that failed', async () => {
    const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
    const [one, two] = [home.newAi(ada), home.newAi(ben)];
    home.contacts.add(`${two.id} ${one.id}`);
    const { tellParty } = MessagesService.method;
    home.peers.fail(tellParty, unavailable('away'));
    const started = await home.start(one, [two]);
    home.peers.fail(tellParty, undefined);
    const before = home.told().length;
    home.clock.advance(6_000);
    await home.runJob('decisions: errands-of-agreements');
    await home.runJob('decisions: errands-of-agreements');
    expect(home.told().length).toBe(before + 1);
    expect(home.told().at(-1)).toMatchObject({ to: two.id, data: { agreement: started.id } });
  });
});

describe('a signature with a side’s own key', () => {
  test('is kept in the record, and a wrong one is refused', async () => {
    const key = generateKeyPair(systemRandom);
    const { kid, kty, crv, x } = exportPublicJwk(key);
    const keyed = home.newAi(undefined, { key: { kid, kty, crv, x } });
    const started = await home.start(robin, [keyed]);
    const { signature: good } = signRecord(started.signing as object, { key, typ: 'svc-key+jws' });
    const sign = (who: Caller, signature: { protected: string; signature: string }) =>
      home.by(who).signAgreement({ id: started.id, termsDigest: started.termsDigest, signature });
    const by = (over: object, typ: 'svc-key+jws' | 'svc-record+jws', of = key) =>
      signRecord({ ...started.signing, ...over }, { key: of, typ }).signature;
    for (const bad of [
      by({ title: 'Other' }, 'svc-key+jws'),
      by({ purpose: 'sign_up' }, 'svc-key+jws'),
      by({}, 'svc-record+jws'),
      by({}, 'svc-key+jws', generateKeyPair(systemRandom)),
      { ...good, signature: 'x' },
    ])
      expect(await failure(sign(keyed, bad))).toBe('bad_request bad_field signature');
    const { record } = await sign(keyed, good);
    const { sides, agreement, home: name } = record as unknown as Signed;
    expect(sides.map(({ signature }) => signature)).toEqual([undefined, { ...good }]);
    // The record alone is enough to reconstruct what was signed.
    const { id, title, terms_digest, needs_owners, created_at } = agreement;
    const anew = {
      ...{ purpose: 'sign_agreement', home: name, agreement: id, title, terms_digest, needs_owners },
      sides: sides.map(({ address }) => address),
      issued_at: created_at,
    };
    expect(anew).toEqual(started.signing);
    const again = await home.start(robin, [wren]);
    const { signature } = signRecord(again.signing as object, { key, typ: 'svc-key+jws' });
    expect(
      await failure(home.by(wren).signAgreement({ id: again.id, termsDigest: again.termsDigest, signature })),
    ).toBe('bad_request bad_field signature');
  });
});

describe('sides that are gone', () => {
  test('end an open agreement, and mark a ready one', async () => {
    const [open, ready] = [await home.start(robin, [wren]), await home.start(robin, [wren])];
    await home.sign(wren, ready);
    await home.publish({ case: 'aiRevoked', value: { ai: wren.id } });
    expect(await home.by(robin).getAgreement({ id: open.id })).toMatchObject({
      status: DECLINED,
      why: 'side_gone',
    });
    expect(await home.by(robin).getAgreement({ id: ready.id })).toMatchObject({
      status: READY,
      why: 'side_gone',
      sideGone: true,
      sides: [{ gone: false }, { gone: true }],
    });
    expect((await eventsOf(ready)).map(({ what, status }) => [what, status])).toEqual([
      ['started', 'open'],
      ['ready', 'ready'],
      ['side_gone', 'ready'],
    ]);
  });

  test('an AI that changed owners no longer sees what it agreed before', async () => {
    const ada = home.world.newPerson();
    const caller = home.newAi(ada);
    const started = await home.start(caller, [wren]);
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: caller.id }, owner: ada.id } });
    expect(await failure(home.by(caller).getAgreement({ id: started.id }))).toBe('not_found not_found');
    expect(await home.by(asPerson(ada)).getAgreement({ id: started.id })).toMatchObject({ why: 'side_gone' });
  });
});

test('a person who claims an AI sees its agreements until the claim is undone', async () => {
  const [ai, ada] = [home.newAi(), home.world.newPerson()];
  const other = home.newAi();
  const ready = await home.sign(other, await home.start(ai, [other]));
  const open = await home.start(other, [ai]);
  const moment = () => timestampFromMs(home.clock.now());
  const claimed = {
    case: 'aiClaimed' as const,
    value: { ai: { id: ai.id }, status: 'claimed', person: ada.id },
  };
  const unclaimed = { case: 'aiUnclaimed' as const, value: { ai: { id: ai.id }, owner: ada.id } };
  const listed = async (who: Caller) =>
    (await home.by(who).listAgreements({})).agreements.map(({ id }) => id).toSorted();
  const both = [ready.id, open.id].toSorted();
  home.clock.advance(1_000);
  const first = moment();
  for (const _ of [1, 2]) await home.publish(claimed, { at: first });
  const ofAda = { ...ai, person: ada.id };
  for (const who of [asPerson(ada), ofAda]) expect(await listed(who)).toEqual(both);
  expect((await home.by(asPerson(ada)).listAgreements({ waitingOn: 'me' })).agreements).toEqual([]);
  await home.by(ofAda).settleAgreement({ id: ready.id, outcome: KEPT });
  // Its events also reach her, and events after the claim are hers like any other.
  const [last] = (await eventsOf(await home.sign(ofAda, open))).slice(-1);
  expect(last?.viewers.toSorted()).toEqual([ai.id, other.id, ada.id].toSorted());
  const later = await home.start(ofAda, [other]);
  expect(await listed(asPerson(ada))).toEqual([...both, later.id].toSorted());

  home.clock.advance(1_000);
  await home.publish(unclaimed, { at: moment() });
  await home.publish(claimed, { at: first });
  expect(await listed(ai)).toEqual(both);
  expect(await listed(asPerson(ada))).toEqual([later.id]);
  expect((await home.by(ai).getAgreement({ id: open.id })).sideGone).toBe(false);
  expect(await home.by(other).getAgreement({ id: later.id })).toMatchObject({
    status: DECLINED,
    why: 'side_gone',
  });
});

test('only the sides can see or sign an agreement', async () => {
  const { id, termsDigest } = await home.start(robin, [wren]);
  const other = home.newAi();
  const ada = home.world.newPerson();
  for (const who of [other, asPerson(ada), asApp(robin.id.replace(/^./, 'f'))]) {
    expect(await failure(home.by(who).getAgreement({ id }))).toBe('not_found not_found');
    expect((await home.by(who).listAgreements({})).agreements).toEqual([]);
  }
  expect(await failure(home.sign(other, { id, termsDigest }))).toBe('not_found not_found');
});

test('children', async () => {
  const ada = home.world.newPerson();
  const child = home.world.newPerson({ ageBand: AgeBand.CHILD, guardians: [ada.id], aiShare: true });
  const [ofChild, ofAda] = [home.newAi(child), home.newAi(ada)];
  const { record } = await home.sign(ofChild, await home.start(ofAda, [ofChild]));
  expect(JSON.stringify(record)).not.toContain(child.handle);
  expect(record?.['sides']).toMatchObject([{ address: ofAda.address }, { address: 'under-18', name: '' }]);
  expect(await failure(home.start(wren, [ofChild]))).toBe('forbidden turned_away');
  expect(await failure(home.start(ofAda, [ofChild, wren]))).toBe('forbidden turned_away');
  expect(await failure(home.start(ofChild, [wren]))).toBe('forbidden no_permission');

  // An AI that becomes a child's leaves the agreement.
  const [open, jay] = [await home.start(robin, [wren]), home.newAi()];
  const kept = await home.start(robin, [jay]);
  for (const [ai, owner] of [
    [wren, child],
    [jay, ada],
  ] as const)
    await home.publish({
      case: 'aiClaimed',
      value: { ai: { id: ai.id }, status: 'claimed', person: owner.id },
    });
  const seen = async (id: string) => await home.by(robin).getAgreement({ id });
  expect(await seen(open.id)).toMatchObject({ status: DECLINED, why: 'side_gone' });
  expect(await seen(kept.id)).toMatchObject({ sideGone: false });
});

test('the AI of a former guardian cannot agree with the AI of the child', async () => {
  const [ada, ben] = [home.world.newPerson(), home.world.newPerson()];
  const child = home.world.newPerson({ ageBand: AgeBand.CHILD, guardians: [ada.id, ben.id], aiShare: true });
  const [ofChild, ofAda, ofBen] = [home.newAi(child), home.newAi(ada), home.newAi(ben)];
  const [byAda, byChild, byBen] = [
    await home.start(ofAda, [ofChild]),
    await home.start(ofChild, [ofAda]),
    await home.start(ofBen, [ofChild]),
  ];
  const asking = await home.start(ofAda, [ofChild], { title: 'With owners', needsOwners: true });
  await home.sign(ofChild, asking);
  home.world.changePerson(child, { guardians: [ben.id] });
  expect(await failure(home.sign(ofChild, byAda))).toBe('forbidden no_permission');
  expect(await failure(home.sign(ofAda, byChild))).toBe('forbidden turned_away');
  expect(await home.sign(ofChild, byBen)).toMatchObject({ status: READY });
  const { id } = home.asked().find(({ owner, title }) => owner === ada.id && title === 'With owners')!;
  const value = { approval: printId('apr', id), status: 'approved', kind: 'agreement' };
  await home.publish({ case: 'approvalSettled', value });
  expect(await home.by(ofAda).getAgreement({ id: asking.id })).toMatchObject({ status: DECLINED });
});
