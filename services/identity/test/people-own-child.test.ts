import { day } from '@hearth/clock';
import { sql } from '@hearth/db';
import { parseId } from '@hearth/ids';
import { AgeSource, ClaimGuestStep } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import { afterAll, describe, expect, test } from '@jest/globals';
import { deleteAccounts } from '../src/people/jobs/delete-accounts.ts';
import { moveAgeBands } from '../src/people/jobs/move-age-bands.ts';
import { type Account, lastCode, makeAccount, visitor } from './accounts.ts';
import { aiOf, contextOf, factsOf, newApp, newPerson, webCaller } from './people.ts';
import { failure, startIdentity } from './start-identity.ts';

/** A child's account created by its guardian, without an app. */

const home = await startIdentity();
const { by } = home;
const app = await newApp(home);
afterAll(() => home.stop());

let made = 0;
function guardian(): Promise<Account> {
  made += 1;
  return makeAccount(home, { email: `guardian-${made}@example.com` });
}

const born = { birthYearMonth: '2017-05' };
const create = (caller: Caller, wanted: object = born) =>
  by(caller).createPerson({ name: 'Mia Lovelace', ...wanted } as never);
const mailsTo = async (email: string) => {
  const due = (await home.announced('sendDue')).map(({ data }) => data.value);
  const asked = due.map(({ kind, id }) => ({ kind, id }));
  const { sends } = await home.fromDelivery.prepareSends({ sends: asked });
  return sends.flatMap(({ content }) =>
    content.case === 'mail' && content.value.to === email ? [content.value] : [],
  );
};

describe('an account that an adult creates for a child', () => {
  test('has the adult as guardian, whose consent is recorded, and no app', async () => {
    const { caller, email } = await guardian();
    const child = await create(caller);
    expect(child).toMatchObject({
      name: 'Mia Lovelace',
      ageBand: AgeBand.CHILD,
      guest: false,
      aiShare: false,
      guardian: expect.stringMatching(/^per_/),
    });
    expect(child.app).toBeUndefined();
    const id = parseId('per', child.id)!;
    expect(await factsOf(home, id)).toMatchObject({ guardians: [caller.id], timeZone: 'Europe/London' });
    const kept = sql`select what, method, person, app from identity.consents where child = ${id} order by what`;
    expect(await home.database.db.query(kept)).toEqual([
      { what: 'account', method: 'email', person: caller.id, app: null },
      { what: 'guardian', method: 'email', person: caller.id, app: null },
    ]);
    const source = sql`select age_source from identity.people where id = ${id}`;
    expect(await home.database.db.one(source)).toEqual({ age_source: 'guardian' });
    const event = (await home.announced('personCreated')).find(({ data }) => data.value.person?.id === id);
    expect(event).toMatchObject({ data: { value: { apps: [] } }, by: { id: caller.id } });
    expect((await by(caller).listChildren({})).children.map(({ person }) => person?.id)).toEqual([child.id]);
    // The mail does not name the child.
    const mails = await mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('an account for a child')]);
    expect(mails[0]!.text).not.toContain('Mia');
  });

  test('has the language of its guardian, unless another is given', async () => {
    const { caller } = await guardian();
    await by(caller).updatePerson({ id: 'me', language: 'fr' });
    expect((await create(caller)).language).toBe('fr');
    expect((await create(caller, { ...born, language: 'it' })).language).toBe('it');
  });

  test('is created once for a repeated request', async () => {
    const { caller } = await guardian();
    const wanted = { ...born, requestId: 'mia-1' };
    expect((await create(caller, wanted)).id).toBe((await create(caller, wanted)).id);
  });

  test('cannot be created by a guest, a minor, an AI or a visitor', async () => {
    const guest = await newPerson(home, app, { guest: true });
    const teen = await newPerson(home, app, { birthYearMonth: '2009-01' });
    const adult = await newPerson(home, app);
    for (const caller of [guest.web({ guest: true }), teen.web(), aiOf(adult.uuid)])
      expect(await failure(create(caller))).toBe('forbidden no_permission');
    expect(await failure(create(visitor()))).toBe('forbidden no_permission');
    // The session alone does not count: the account decides.
    expect(await failure(create(webCaller(teen.uuid)))).toBe('forbidden no_permission');
  });

  test.each([
    ['an adult', { birthYearMonth: '1990-01' }],
    ['an adult by the band', { ageBand: AgeBand.ADULT }],
    ['no age', {}],
    ['somebody else as the guardian', { ...born, guardian: '@nobody-here' }],
    ['a guest', { ...born, guest: true }],
    ['an id of an app', { ...born, externalId: 'pupil-1' }],
    ['an age that a document proves', { ...born, ageSource: AgeSource.DOCUMENT }],
  ])('cannot be created with %s', async (_, wanted) => {
    expect(await failure(create((await guardian()).caller, wanted))).toBe('bad_request bad_field');
  });

  test('accepts redundant but consistent fields', async () => {
    const { caller } = await guardian();
    const wanted = { ageBand: AgeBand.TEEN13, ageSource: AgeSource.GUARDIAN, guardian: 'me', guest: false };
    expect((await create(caller, wanted)).ageBand).toBe(AgeBand.TEEN13);
  });

  test('is limited per day', async () => {
    const { caller } = await guardian();
    for (let count = 0; count < 5; count += 1) await create(caller);
    expect(await failure(create(caller))).toMatch(/^rate_limited/);
    const { caller: other } = await guardian();
    const { handle } = await create(other);
    // A taken handle creates no account and does not count against the limit.
    for (let count = 0; count < 6; count += 1)
      expect(await failure(create(other, { ...born, handle }))).toBe('bad_request bad_field');
    await create(other);
  });

  test('ends with that of the guardian when nobody else can manage it', async () => {
    const { caller } = await guardian();
    const [alone, shared] = [await create(caller), await create(caller)];
    const other = (await guardian()).caller;
    const now = new Date(home.clock.now());
    await home.run(sql`
      insert into identity.guardianships (child, guardian, since)
      values (${parseId('per', shared.id)}, ${other.id}, ${now})`);
    const { handle } = (await factsOf(home, caller.id))!;
    await by(caller).deleteAccount({ id: 'me', confirm: handle });
    home.clock.advance(7 * day);
    const job = () =>
      deleteAccounts(contextOf(home), { error: (...told: unknown[]) => expect(told).toEqual([]) });
    await job();
    await job();
    expect(await factsOf(home, parseId('per', alone.id)!)).toBeUndefined();
    expect((await factsOf(home, parseId('per', shared.id)!))?.guardians).toEqual([other.id]);
  });
});

describe('a sign-in given to a child by a guardian', () => {
  const give = (caller: Caller, child: string, fields: object) =>
    by(caller).claimGuest({ for: child, ...fields });

  test('signs in the child, and nobody else', async () => {
    const { caller } = await guardian();
    const teen = await create(caller, { birthYearMonth: '2009-06' });
    const email = 'teen-of-a-guardian@example.com';
    expect(await give(caller, teen.id, { email })).toMatchObject({ step: ClaimGuestStep.CODE });
    const done = await give(caller, teen.id, { email, code: lastCode(home) });
    expect(done).toMatchObject({ step: ClaimGuestStep.DONE, person: { id: teen.id } });
    const there = by(visitor());
    await there.sendCode({ email });
    const { outcome } = await there.checkCode({ email, code: lastCode(home) });
    expect(outcome.case).toBe('session');
    expect((await factsOf(home, parseId('per', teen.id)!))?.email).toBe(email);
    expect((await factsOf(home, caller.id))?.email).not.toBe(email);
  });

  test("is possible for a child who is 18 by now and locked out, as the guardian's last act", async () => {
    const start = home.clock.now();
    const caller = (await guardian()).caller;
    const teen = await create(caller, { birthYearMonth: '2008-06' });
    const id = parseId('per', teen.id)!;
    home.clock.set('2026-08-02T12:00:00Z');
    await moveAgeBands(contextOf(home));
    const fresh = webCaller(caller.id, { authenticatedAt: home.clock.now() });
    expect(await factsOf(home, id)).toMatchObject({ ageBand: AgeBand.ADULT, guardians: [] });
    expect(await by(fresh).listChildren({})).toMatchObject({ children: [], grown: [{ id: teen.id }] });
    expect(await failure(by(fresh).updatePerson({ id: teen.id, name: 'T' }))).toMatch(
      /^(forbidden|not_found)/,
    );
    const email = 'grown-up@example.com';
    expect(await failure(give((await guardian()).caller, teen.id, { email }))).toMatch(
      /^not_found|^forbidden/,
    );
    await give(fresh, teen.id, { email });
    const done = await give(fresh, teen.id, { email, code: lastCode(home) });
    expect(done.step).toBe(ClaimGuestStep.DONE);
    expect(await failure(give(fresh, teen.id, { email: 'another-one@example.com' }))).toMatch(/^not_found/);
    expect((await by(fresh).listChildren({})).grown).toEqual([]);
    home.clock.set(new Date(start).toISOString());
  });

  test("needs the age, the guardian, the guardian's fresh sign-in, and an address", async () => {
    const { caller } = await guardian();
    const [young, teen] = [await create(caller), await create(caller, { birthYearMonth: '2009-06' })];
    const email = 'nobody-gets-this@example.com';
    expect(await failure(give(caller, young.id, { email }))).toBe('forbidden guardian_needed');
    expect(await failure(give((await guardian()).caller, teen.id, { email }))).toMatch(/^not_found/);
    expect(await failure(give(caller, (await newPerson(home, app)).id, { email }))).toMatch(/^not_found/);
    expect(await failure(give(webCaller(caller.id, { authenticatedAt: 1 }), teen.id, { email }))).toBe(
      'forbidden needs_person',
    );
    expect(await failure(give(app.actingFor(caller.id), teen.id, { email }))).toBe('forbidden needs_person');
    expect(await failure(give(caller, teen.id, { passkey: {} }))).toBe('bad_request bad_field');
  });
});
