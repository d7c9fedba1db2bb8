import { create } from '@bufbuild/protobuf';
import { printId, systemRandom } from '@hearth/ids';
import {
  AgreementOutcome,
  AgreementSchema,
  AgreementStatus,
  OwnerStatus,
} from '@hearth/proto/decisions/v1/agreements';
import { HomeItemDecision, HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import { digest, exportPublicJwk, generateKeyPair, signRecord, verifyRecord } from '@hearth/signing';
import { asPerson, failure, follows, ids, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lastState, type Over } from './last-state.ts';
import { expectsNoLie } from './lies.ts';
import { startAgreements, terms } from './start-agreements.ts';

const { here, there, carry, stop } = await startAtTwo('decisions', startAgreements);
afterAll(stop);
type Home = typeof here;

/** Robin is of the home here, Wren of the other. */
let robin: Caller;
let wren: Caller;

beforeEach(() => {
  robin = here.newAi();
  wren = there.newAi();
});

const { OPEN, READY, SETTLED, DECLINED } = AgreementStatus;
const { KEPT, NOT_KEPT } = AgreementOutcome;

const full = ({ address }: Caller, { name }: Home) => `${address.replace(/^@/, '')}@${name}`;
const refOf = (id: string) => `r:${here.name}:${id}`;
const start = (others: readonly Caller[], request = {}) =>
  here.by(robin).startAgreement({
    title: 'Translate the minutes',
    terms,
    with: others.map((other) => full(other, there)),
    ...request,
  });
/** Waits until that AI or person of the other home sees the agreement as expected. */
const becomes = (who: Caller, id: string, expected: object) =>
  follows(async () => {
    await carry(here, there);
    const found = await there.by(who).getAgreement({ id: refOf(id) });
    expect(found).toMatchObject(expected);
    return found;
  });
const carried = <Answer>(call: Promise<Answer>) => carry.during(there, here, call);
const errands = () => there.runJob('decisions: errands-of-agreements');
/** The question of their home to a person about their AI's signature. */
const askedOf = (person: { id: string }) =>
  follows(async () => {
    const question = there.asked().findLast(({ owner }) => owner === person.id);
    expect(question).toBeDefined();
    return question!;
  });

describe('an agreement with an AI of another home', () => {
  test('is read, signed and settled there, and both homes keep both records with the signed acts', async () => {
    const { id, termsDigest } = await start([wren]);
    const read = await becomes(wren, id, {
      id: refOf(id),
      status: OPEN,
      by: full(robin, here),
      terms,
      sides: [
        { address: full(robin, here), yours: false },
        { address: wren.address, yours: true, nameVerified: false },
      ],
    });
    const waiting = async (who: Caller) =>
      (await there.by(who).listAgreements({ waitingOn: 'me' })).agreements.map((agreement) => agreement.id);
    expect(await waiting(wren)).toEqual([refOf(id)]);
    expect((await there.events('decisions', 'agreementChanged')).at(-1)).toMatchObject({
      data: { value: { what: 'started', reference: refOf(id), status: 'open', wakes: [wren.id] } },
    });
    const stranger = there.newAi();
    expect(await failure(there.by(stranger).getAgreement({ id: refOf(id) }))).toBe('not_found not_found');
    expect(await failure(there.by(stranger).signAgreement({ id: refOf(id), termsDigest }))).toBe(
      'not_found not_found',
    );
    expect(
      await failure(carried(there.by(wren).signAgreement({ id: refOf(id), termsDigest: 'sha-256:x' }))),
    ).toBe('bad_request ask_changed terms_digest');

    const signed = await carried(
      there.by(wren).signAgreement({ id: refOf(id), termsDigest: read.termsDigest }),
    );
    expect(signed).toMatchObject({ id: refOf(id), status: READY, sides: [{}, { yours: true }] });
    const { record } = await here.by(robin).getAgreement({ id });
    expect(record).toMatchObject({
      sides: [
        { address: robin.address },
        {
          address: full(wren, there),
          home: there.name,
          item: { type: 'act', body: { operation: 'sign_agreement', on: refOf(id) } },
        },
      ],
    });
    expect(await becomes(wren, id, { status: READY, record })).toMatchObject({ sideGone: false });

    await here.by(robin).settleAgreement({ id, outcome: KEPT });
    await becomes(wren, id, { sides: [{ settled: KEPT }, {}] });
    expect(await waiting(wren)).toEqual([refOf(id)]);
    const settled = await carried(
      there.by(wren).settleAgreement({ id: refOf(id), outcome: KEPT, note: 'In time' }),
    );
    expect(settled).toMatchObject({ status: SETTLED });
    const own = await here.by(robin).getAgreement({ id });
    expect(own.settlement).toMatchObject({
      sides: [{}, { note: 'In time', item: { body: { operation: 'settle_agreement' } } }],
    });
    const at = await becomes(wren, id, { status: SETTLED, settlement: own.settlement });
    for (const one of [at.record, at.settlement])
      expect(
        verifyRecord(one, {
          expectedType: 'svc-record+jws',
          home: here.name,
          keys: here.world.signer.keys,
          now: here.clock.now(),
        }),
      ).toMatchObject({ valid: true });
    const { signature, ...first } = at.record as Record<string, unknown>;
    expect(at.settlement?.['prev']).toBe(digest(first));
    expect(await waiting(wren)).toEqual([]);
    const whats = (await there.events('decisions', 'agreementChanged'))
      .map(({ data }) => data.value)
      .filter(({ reference }) => reference === refOf(id))
      .map(({ what, status }) => `${what} ${status}`);
    expect(whats).toEqual(['started open', 'ready ready', 'settled settled']);
  });

  test('can only be replaced by its own sides, from either home', async () => {
    const { id } = await start([wren]);
    await becomes(wren, id, { status: OPEN });
    const replacing = (who: Caller, replaces: string) =>
      there.by(who).startAgreement({ title: 'Once more', terms, with: [full(robin, here)], replaces });
    const next = await replacing(wren, refOf(id));
    expect(next.replaces).toBe(refOf(id));
    await follows(async () => {
      await carry(there, here);
      const found = await here.by(robin).getAgreement({ id: `r:${there.name}:${next.id}` });
      expect(found).toMatchObject({ id: `r:${there.name}:${next.id}`, replaces: id });
    });
    const own = await replacing(wren, `r:${there.name}:${next.id}`);
    expect(own.replaces).toBe(next.id);
    for (const [who, replaces] of [
      [there.newAi(), refOf(id)],
      [wren, refOf(printId('agr', ids.uuid()))],
      [wren, id],
    ] as const)
      expect(await failure(replacing(who, replaces))).toBe('bad_request bad_field replaces');
  });

  test('can be declined there, withdrawn here, or reported as not kept', async () => {
    const declined = await start([wren]);
    await becomes(wren, declined.id, { status: OPEN });
    expect(
      await carried(there.by(wren).declineAgreement({ id: refOf(declined.id), reason: 'Too much' })),
    ).toMatchObject({ status: DECLINED, why: 'declined', reason: 'Too much' });
    expect(await here.by(robin).getAgreement({ id: declined.id })).toMatchObject({ status: DECLINED });

    const withdrawn = await start([wren]);
    await becomes(wren, withdrawn.id, { status: OPEN });
    await here.by(robin).declineAgreement({ id: withdrawn.id });
    await becomes(wren, withdrawn.id, { status: DECLINED, why: 'withdrawn' });

    const { id, termsDigest } = await start([wren]);
    await becomes(wren, id, {});
    await carried(there.by(wren).signAgreement({ id: refOf(id), termsDigest }));
    await carried(there.by(wren).settleAgreement({ id: refOf(id), outcome: NOT_KEPT }));
    await becomes(wren, id, { status: READY, disputed: true });
    expect(await failure(carried(there.by(wren).settleAgreement({ id: refOf(id), outcome: KEPT })))).toBe(
      'bad_request already_settled',
    );
  });

  test('holds a signature with a key that the AI’s card lists', async () => {
    const key = generateKeyPair(systemRandom);
    const { kid, kty, crv, x } = exportPublicJwk(key);
    const keyed = there.newAi(undefined, { key: { kid, kty, crv, x } });
    const { id, termsDigest } = await start([keyed]);
    const { signing } = await becomes(keyed, id, { status: OPEN });
    const { signature } = signRecord(signing as object, { key, typ: 'svc-key+jws' });
    const other = signRecord(signing as object, { key: generateKeyPair(systemRandom), typ: 'svc-key+jws' });
    const sign = (by: typeof signature) =>
      there.by(keyed).signAgreement({ id: refOf(id), termsDigest, signature: by });
    expect(await failure(sign(other.signature))).toBe('bad_request bad_field signature');
    here.cards.set(full(keyed, there), { keys: [{ kid, kty, crv, x, status: 'active' }] });
    await carried(sign(signature));
    await becomes(keyed, id, {
      status: READY,
      sides: [{ ownKey: false }, { ownKey: true }],
      record: { sides: [{}, { signature, item: { body: { request: { signature } } } }] },
    });
  });
});

describe('an agreement that needs owners', () => {
  test.each<[string, object, (ai: Caller) => object]>([
    ['their own', { by: 'person', proof: 'passkey', via: 'web' }, () => ({})],
    ['that of an AI of theirs', { by: 'ai', proof: 'key', via: 'mcp' }, (ai) => ({ ai: full(ai, there) })],
  ])(
    'asks the person of an AI elsewhere there, and sends %s yes with its signature',
    async (_, word, more) => {
      const ben = there.world.newPerson();
      const owned = there.newAi(ben);
      there.contacts.add(`${owned.id} ${await party(robin)}`);
      const { id, termsDigest } = await start([owned], { needsOwners: true });
      await becomes(owned, id, { status: OPEN });
      const question = await askedOf(ben);
      expect(question).toMatchObject({ details: terms });
      expect(await becomes(asPerson(ben), id, { approval: printId('apr', question.id) })).toMatchObject({
        needsOwners: true,
      });
      expect(here.asked().some(({ id: asked }) => asked === question.id)).toBe(false);
      expect(await carried(there.by(owned).signAgreement({ id: refOf(id), termsDigest }))).toMatchObject({
        status: OPEN,
        sides: [{}, { ownerApproved: false, ownerStatus: OwnerStatus.CLAIMED }],
      });
      const answeredBy = 'ai' in more(owned) ? owned.id : ben.id;
      const settled = { approval: printId('apr', question.id), status: 'approved', kind: 'agreement' };
      const approved = { ...settled, answeredBy, word };
      for (const _ of [1, 2]) await there.publish({ case: 'approvalSettled', value: approved });
      await follows(async () => {
        await errands();
        await carry(there, here);
        expect(await here.by(robin).getAgreement({ id })).toMatchObject({
          status: READY,
          record: {
            sides: [
              {},
              { item: { body: { by: 'ai', proof: 'key', owner_approved: { ...word, ...more(owned) } } } },
            ],
          },
        });
      });
    },
  );

  test('ends with a no of that person, and skips owners for an AI without one', async () => {
    const ben = there.world.newPerson();
    const owned = there.newAi(ben);
    there.contacts.add(`${owned.id} ${await party(robin)}`);
    const { id } = await start([owned, wren], { needsOwners: true });
    await becomes(owned, id, { status: OPEN });
    const question = await askedOf(ben);
    const value = { approval: printId('apr', question.id), status: 'declined', kind: 'agreement' };
    await there.publish({ case: 'approvalSettled', value });
    await follows(async () => {
      await carry(there, here);
      expect(await here.by(robin).getAgreement({ id })).toMatchObject({ status: DECLINED, why: 'declined' });
    });

    const alone = await start([wren], { needsOwners: true });
    await becomes(wren, alone.id, { status: OPEN });
    const { termsDigest } = alone;
    expect(await carried(there.by(wren).signAgreement({ id: refOf(alone.id), termsDigest }))).toMatchObject({
      status: READY,
    });
  });
});

/** The uuid under which the other home knows a local AI. */
async function party(ai: Caller): Promise<string> {
  const { profile } = await there.parties.meetParty({
    address: full(ai, here),
    senderJson: JSON.stringify({ id: printId('ai', ai.id), kind: 'ai', name: ai.name, status: 'unclaimed' }),
  });
  return profile!.id;
}

describe('the rules of people at the other home', () => {
  test('keep it in their requests until they accept it', async () => {
    const ben = there.world.newPerson();
    const owned = there.newAi(ben);
    there.world.reach.set(ben.id, { how: 'requests' });
    const { id, termsDigest } = await start([owned]);
    await becomes(owned, id, { status: OPEN });
    expect(await failure(there.by(owned).signAgreement({ id: refOf(id), termsDigest }))).toBe(
      'bad_request not_waiting',
    );
    const [placed] = (await there.events('decisions', 'itemsChanged')).flatMap(
      ({ data }) => data.value.placed,
    );
    expect(placed).toMatchObject({ owner: ben.id, box: 'requests', label: 'offer' });
    const keys = [placed!.key!];
    const { items } = await there.sourceBy(asPerson(ben)).showItems({ keys });
    expect(items).toMatchObject([
      { title: 'Translate the minutes', from: full(robin, here), to: owned.address },
    ]);
    await there.sourceBy(asPerson(ben)).acceptItem({ keys });
    expect(await carried(there.by(owned).signAgreement({ id: refOf(id), termsDigest }))).toMatchObject({
      status: READY,
    });
  });

  test('end it when the person declines, or silently when the person blocks', async () => {
    const ben = there.world.newPerson();
    const owned = there.newAi(ben);
    there.contacts.add(`${owned.id} ${await party(robin)}`);
    const blocked = await start([owned]);
    await becomes(owned, blocked.id, { status: OPEN });
    await there.publish({
      case: 'blocked',
      value: { person: ben.id, target: full(robin, here), targetId: '' },
    });
    expect(await failure(there.by(owned).getAgreement({ id: refOf(blocked.id) }))).toBe(
      'not_found not_found',
    );
    await carry(there, here);
    expect(await here.by(robin).getAgreement({ id: blocked.id })).toMatchObject({ status: OPEN });
    // A later agreement comes from a stranger, and waits in the requests.
    const cleo = there.world.newPerson();
    const stranger = there.newAi(cleo);
    there.world.reach.set(cleo.id, { how: 'requests' });
    const { id } = await start([stranger]);
    await becomes(stranger, id, { status: OPEN });
    const placed = (await there.events('decisions', 'itemsChanged')).flatMap(({ data }) => data.value.placed);
    const keys = [placed.at(-1)!.key!];
    await there.sourceBy(asPerson(cleo)).declineItem({ keys, note: 'Not now' });
    await follows(async () => {
      await carry(there, here);
      expect(await here.by(robin).getAgreement({ id })).toMatchObject({
        status: DECLINED,
        reason: 'Not now',
      });
    });
  });

  test('decline politely within the hour, or turn away silently', async () => {
    const [ben, cleo] = [there.world.newPerson(), there.world.newPerson()];
    there.world.reach.set(ben.id, { how: 'declined' });
    there.world.reach.set(cleo.id, { how: 'turned_away' });
    const [no, silent] = [await start([there.newAi(ben)]), await start([there.newAi(cleo)])];
    for (const { id } of [no, silent])
      expect(await receive(there, await stateOf(id))).toMatchObject({ decision: HomeItemDecision.OK });
    there.clock.advance(3_601_000);
    await errands();
    await follows(async () => {
      await carry(there, here);
      expect(await here.by(robin).getAgreement({ id: no.id })).toMatchObject({ status: DECLINED });
    });
    expect(await here.by(robin).getAgreement({ id: silent.id })).toMatchObject({ status: OPEN });
    expect((await there.by(asPerson(cleo)).listAgreements({})).agreements).toEqual([]);
  });

  test('limit how many of their people a home may contact first', async () => {
    const stranger = there.newAi(there.world.newPerson());
    const { id } = await start([stranger]);
    const item = await stateOf(id);
    expect(await receive(there, item, { left: 0 })).toMatchObject({ code: 'first_contact' });
    expect(await receive(there, item, { limited: true })).toMatchObject({
      decision: HomeItemDecision.OK,
      firstContacts: 1,
    });
  });
});

/** The last state of a local agreement, as the other home receives it. */
const stateOf = (id: string, over?: Over) => lastState(here, id, over);

describe('states that no honest home sends', () => {
  test('are refused', async () => {
    const { id } = await start([wren]);
    const sides = (object: Record<string, unknown>) => object['sides'] as Record<string, unknown>[];
    const refused: [string, (object: Record<string, unknown>) => object][] = [
      ['another id', (object) => ({ ...object, id: refOf(printId('agr', ids.uuid())) })],
      ['no status', ({ status: _, ...object }) => object],
      ['a digest of other terms', (object) => ({ ...object, terms: 'Pay 100' })],
      ['another object to sign', (object) => ({ ...object, signing: { purpose: 'sign_up' } })],
      ['no object to sign', ({ signing: _, ...object }) => object],
      ['a starter of another home', (object) => ({ ...object, by: 'robin.ai-x@far.example' })],
      [
        'a short address',
        (object) => ({ ...object, sides: [sides(object)[0], { ...sides(object)[1], address: '@wren' }] }),
      ],
      ['one side', (object) => ({ ...object, sides: sides(object).slice(0, 1) })],
      ['the same side twice', (object) => ({ ...object, sides: [...sides(object), sides(object)[1]] })],
      ['no time', ({ sign_by: _, ...object }) => object],
      ['sides that are none', (object) => ({ ...object, sides: 'all' })],
    ];
    for (const [what, over] of refused)
      expect([what, (await receive(there, await stateOf(id, over))).code]).toEqual([what, 'schema']);
    const good = await stateOf(id);
    expect(await receive(there, create(HomeItemSchema, { ...good, to: ['@nobody'] }))).toMatchObject({
      code: 'no_such_address',
    });
    expect(await receive(there, create(HomeItemSchema, { ...good, from: '' }))).toMatchObject({
      code: 'schema',
    });
    expect(await failure(there.by(wren).getAgreement({ id: refOf(id) }))).toBe('not_found not_found');
  });

  test('cannot change the text that was read, and older states are ignored', async () => {
    const { id } = await start([wren]);
    const read = await becomes(wren, id, { status: OPEN });
    const later = async (over: (object: Record<string, unknown>) => object, rev: bigint) =>
      create(HomeItemSchema, { ...(await stateOf(id, over)), rev });
    const other = 'Wren pays for all.';
    const retold = (object: Record<string, unknown>) => {
      const terms_digest = digest(Buffer.from(other));
      return {
        ...object,
        terms: other,
        terms_digest,
        signing: { ...(object['signing'] as object), terms_digest },
      };
    };
    expect(await receive(there, await later(retold, 2n ** 40n))).toMatchObject({ code: 'conflict' });
    const declined = (object: Record<string, unknown>) => ({
      ...object,
      status: 'declined',
      why: 'declined',
    });
    expect(await receive(there, await later(declined, 1n))).toMatchObject({ decision: HomeItemDecision.OK });
    expect(await there.by(wren).getAgreement({ id: refOf(id) })).toEqual(read);
  });

  test('cannot sign or settle for an AI of the receiving home, which does so by its own acts', async () => {
    const { id, termsDigest } = await start([wren]);
    const told = async (over: object, ofWren: object) => {
      const said = (object: Record<string, unknown>) => {
        const [first, second] = object['sides'] as object[];
        return { ...object, ...over, sides: [first, { ...second, ...ofWren }] };
      };
      const state = { ...(await stateOf(id, said)), rev: 2n ** 40n };
      return (await receive(there, create(HomeItemSchema, state))).code;
    };
    const signed = { signed_at: '2026-01-15T10:00:00.000Z' };
    const kept = { ...signed, settled: 'kept' };
    // Before the other home has heard of it, and after.
    expect(await told({ status: 'ready' }, signed)).toBe('schema');
    await becomes(wren, id, { status: OPEN });
    expect(await told({}, signed)).toBe('schema');
    expect(await told({ status: 'ready' }, {})).toBe('schema');
    expect(await told({ status: 'settled' }, kept)).toBe('schema');
    await carried(there.by(wren).signAgreement({ id: refOf(id), termsDigest }));
    await becomes(wren, id, { status: READY });
    expect(await told({}, kept)).toBe('schema');
    expect(await told({ status: 'settled' }, {})).toBe('schema');
    await carried(there.by(wren).settleAgreement({ id: refOf(id), outcome: NOT_KEPT, note: 'Nothing came' }));
    await becomes(wren, id, { sides: [{}, { settled: NOT_KEPT }] });
    expect(await told({}, { settled: 'kept' })).toBe('schema');
    expect(await told({}, { note: 'All came' })).toBe('schema');
    expect(await there.by(wren).getAgreement({ id: refOf(id) })).toMatchObject({
      sides: [{}, { settled: NOT_KEPT, note: 'Nothing came' }],
    });
  });

  test('are not shown where they contain lies', async () => {
    const { id, termsDigest } = await start([wren]);
    const read = () => there.by(wren).getAgreement({ id: refOf(id) });
    await becomes(wren, id, { status: OPEN });
    await carried(there.by(wren).signAgreement({ id: refOf(id), termsDigest }));
    await becomes(wren, id, { status: READY });
    await carried(there.by(wren).settleAgreement({ id: refOf(id), outcome: NOT_KEPT, note: 'Nothing came' }));
    await becomes(wren, id, { sides: [{}, { settled: NOT_KEPT }] });
    const lies = await expectsNoLie(there, AgreementSchema, await stateOf(id), read);
    const members = ['name', 'owner_status', 'own_key', 'settled', 'note', 'gone'];
    expect(lies).toEqual(expect.arrayContaining(members.map((member) => `sides[1].${member}`)));
  });

  test('cannot claim that a person of the other home approved, or that their AI is gone', async () => {
    const ben = there.world.newPerson();
    const owned = there.newAi(ben);
    there.contacts.add(`${owned.id} ${await party(robin)}`);
    const { id, termsDigest } = await start([owned], { needsOwners: true });
    await becomes(owned, id, { status: OPEN });
    const question = await askedOf(ben);
    await carried(there.by(owned).signAgreement({ id: refOf(id), termsDigest }));
    await becomes(owned, id, { sides: [{}, { signedAt: expect.anything() }] });
    // Its signature is left out, too.
    const lie = (object: Record<string, unknown>) => {
      const [first, second] = object['sides'] as Record<string, unknown>[];
      const { signed_at: _, ...rest } = second!;
      const lies = { owner_approved: true, own_key: true, gone: true };
      return { ...object, side_gone: true, sides: [first, { ...rest, ...lies }] };
    };
    const state = await stateOf(id, lie);
    expect(await receive(there, create(HomeItemSchema, { ...state, rev: 2n ** 40n }))).toMatchObject({
      decision: HomeItemDecision.OK,
    });
    expect(await there.by(owned).getAgreement({ id: refOf(id) })).toMatchObject({
      wordsDisputed: true,
      sideGone: false,
      sides: [{}, { ownerApproved: false, ownKey: false, gone: false, signedAt: expect.anything() }],
    });
    const notices = async () =>
      (await there.events('decisions', 'personNotified')).filter(
        ({ data: { value } }) => value.person === ben.id && value.kind === 'agreement',
      );
    expect(await notices()).toMatchObject([{ data: { value: { link: `/agreements/${refOf(id)}` } } }]);
    const value = { approval: printId('apr', question.id), status: 'approved', kind: 'agreement' };
    const word = { by: 'person', proof: 'tap', via: 'web' };
    await there.publish({ case: 'approvalSettled', value: { ...value, answeredBy: ben.id, word } });
    await follows(async () => {
      await errands();
      await carry(there, here);
      expect(await here.by(robin).getAgreement({ id })).toMatchObject({ status: READY });
    });
    expect(await notices()).toHaveLength(1);
  });

  test('reach no AI of a person under 18, and such an AI cannot propose to another home', async () => {
    const child = there.world.newPerson({ ageBand: AgeBand.CHILD });
    const { id } = await start([there.newAi(child)]);
    expect(await receive(there, await stateOf(id))).toMatchObject({ code: 'no_such_address' });
    const own = here.newAi(here.world.newPerson({ ageBand: AgeBand.CHILD }));
    const request = { title: 'x', terms, with: [full(wren, there)] };
    expect(await failure(here.by(own).startAgreement(request))).toBe('forbidden minors_not_allowed');
  });
});

describe('an AI that is gone', () => {
  test('counts as gone when its domain belongs to a different home, which learns nothing', async () => {
    const { id } = await start([wren]);
    await becomes(wren, id, { status: OPEN });
    const parties = [...here.world.parties.values()].map((party) => party.id ?? '');
    const states = async () => (await here.events('decisions', 'itemForHomes')).length;
    const before = await states();
    await here.publish({ case: 'partiesBeganAnew', value: { home: there.name, parties } });
    await follows(async () =>
      expect(await here.by(robin).getAgreement({ id })).toMatchObject({ status: DECLINED, why: 'side_gone' }),
    );
    expect(await states()).toBe(before);
    const signing = there.by(wren).signAgreement({ id: refOf(id), termsDigest: digest(Buffer.from(terms)) });
    expect(await failure(carried(signing))).toBe('not_found not_found');
  });

  test('counts as gone when its own home says so', async () => {
    const [open, ready] = [await start([wren]), await start([wren])];
    for (const { id } of [open, ready]) await becomes(wren, id, { status: OPEN });
    const { id, termsDigest } = ready;
    await carried(there.by(wren).signAgreement({ id: refOf(id), termsDigest }));
    await becomes(wren, id, { status: READY });
    await there.publish({ case: 'aiRevoked', value: { ai: wren.id } });
    await follows(async () => {
      await carry(there, here);
      expect(await here.by(robin).getAgreement({ id: open.id })).toMatchObject({
        status: DECLINED,
        why: 'side_gone',
      });
      expect(await here.by(robin).getAgreement({ id })).toMatchObject({
        status: READY,
        sideGone: true,
        why: 'side_gone',
        sides: [{ gone: false }, { gone: true }],
      });
    });
  });

  test('is reported to the other home', async () => {
    const { id, termsDigest } = await start([wren]);
    await becomes(wren, id, { status: OPEN });
    await carried(there.by(wren).signAgreement({ id: refOf(id), termsDigest }));
    await here.publish({ case: 'aiRevoked', value: { ai: robin.id } });
    await becomes(wren, id, { status: READY, sideGone: true });
  });
});

test('invalid addresses are refused at the call', async () => {
  const request = { title: 'x', terms };
  const startWith = (...given: string[]) =>
    failure(here.by(robin).startAgreement({ ...request, with: given }));
  expect(await startWith(`ben@${there.name}`)).toBe('bad_request bad_field with[0]');
  expect(await startWith(full(wren, there), full(wren, there))).toBe('bad_request bad_field with[1]');
  expect(await failure(here.by(robin).getAgreement({ id: `r:${there.name}:agr_1` }))).toBe(
    'not_found not_found',
  );
});
