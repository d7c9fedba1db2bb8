import { create } from '@bufbuild/protobuf';
import { day, hour, minute } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { CallerSchema, Proof } from '@hearth/proto/common/v1/caller';
import { ClaimGuestStep } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { callerOf, lastCode, makeAccount, visitor } from './accounts.ts';
import { sha256 } from './ais.ts';
import { failure, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;

afterAll(() => home.stop());

async function send(email: string, caller = visitor()) {
  await by(caller).sendCode({ email });
  return { caller, code: lastCode(home) };
}

const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a sign-in code', () => {
  test('goes to the stored address, and names the site', async () => {
    const answer = await by(visitor()).sendCode({ email: ' Ada@Example.COM ' });
    expect(answer).toMatchObject({ email: 'ada@example.com', minutes: 10 });
    const mail = home.neighbours.mails.at(-1)!;
    expect(mail).toMatchObject({ to: 'ada@example.com', kind: 'sign_in_code' });
    expect(mail.subject).toContain('hearth.example');
    expect(mail.text).toContain('10 minutes');
  });

  test('is not stored in clear text', async () => {
    const { code } = await send('kept@example.com');
    const rows = await home.database.db.query<{ hash: string }>({
      text: `select encode(code_hash, 'hex') as hash from identity.email_codes where email = 'kept@example.com'`,
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]!.hash).not.toBe(sha256(code).toString('hex'));
    expect(home.logged.join('\n')).not.toContain(code);
  });

  test('for an unknown address leads to an account, once', async () => {
    const email = 'new@example.com';
    const { caller, code } = await send(email);
    const first = await by(caller).checkCode({ email, code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect(first.outcome.case).toBe('accountTicket');
    expect(await failure(by(caller).checkCode({ email, code }))).toBe('bad_request bad_field');
  });

  test('is valid for ten minutes', async () => {
    const email = 'late@example.com';
    const { caller, code } = await send(email);
    home.clock.advance(10 * minute + 1);
    expect(await failure(by(caller).checkCode({ email, code }))).toBe('bad_request bad_field');
  });

  test('is invalid after five wrong ones', async () => {
    const email = 'tried@example.com';
    const { caller, code } = await send(email);
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await failure(by(caller).checkCode({ email, code: wrongCode(code) }))).toBe(
        'bad_request bad_field',
      );
    }
    await expect(by(caller).checkCode({ email, code })).rejects.toThrow('send new ones');
  });

  test('may be typed in another script, and a typing error costs no try', async () => {
    const email = 'slips@example.com';
    const { caller, code } = await send(email);
    for (const slip of ['', code.slice(1), `${code}0`, email, `${code.slice(1)}o`, ...Array(5).fill('12345')])
      await expect(by(caller).checkCode({ email, code: slip })).rejects.toThrow('6 or 8 digits');
    const arabic = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    const { outcome } = await by(caller).checkCode({
      email,
      code: `${arabic.slice(0, 3)} ${arabic.slice(3)}`,
    });
    expect(outcome.case).toBe('accountTicket');
  });

  test('counts concurrent tries one by one', async () => {
    const email = 'at-once@example.com';
    const { caller, code } = await send(email);
    const tries = Array.from({ length: 8 }, () => by(caller).checkCode({ email, code: wrongCode(code) }));
    await Promise.allSettled(tries);
    expect(await failure(by(caller).checkCode({ email, code }))).toBe('bad_request bad_field');
  });

  test('is used up by one of two concurrent calls', async () => {
    const email = 'twice@example.com';
    const { caller, code } = await send(email);
    const both = await Promise.allSettled([1, 2].map(() => by(caller).checkCode({ email, code })));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is invalidated by a new one', async () => {
    const email = 'anew@example.com';
    const { caller, code } = await send(email);
    const again = await send(email, caller);
    expect(await failure(by(caller).checkCode({ email, code }))).toBe('bad_request bad_field');
    await by(caller).checkCode({ email, code: again.code });
  });

  test('works for its own address and purpose only', async () => {
    const { caller, code } = await send('mine@example.com');
    await send('theirs@example.com', caller);
    expect(await failure(by(caller).checkCode({ email: 'theirs@example.com', code }))).toBe(
      'bad_request bad_field',
    );
  });

  test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '000000'])('is refused as %j', async (code) => {
    const email = 'strange@example.com';
    const caller = visitor();
    expect(await failure(by(caller).checkCode({ email, code }))).toBe('bad_request bad_field');
  });

  test('is sent five times an hour to one address from one network, and twenty times a day in total', async () => {
    const email = 'flooded@example.com';
    const caller = visitor();
    for (let sent = 1; sent <= 5; sent += 1) await send(email, caller);
    expect(await failure(send(email, caller))).toBe('rate_limited rate_limited');
    for (let sent = 6; sent <= 20; sent += 1) await send(email);
    expect(await failure(send(email))).toBe('rate_limited rate_limited');
  });

  test('is sent thirty times an hour per network', async () => {
    const caller = visitor();
    for (let sent = 1; sent <= 30; sent += 1) await send(`many-${sent}@example.com`, caller);
    expect(await failure(send('many-31@example.com', caller))).toBe('rate_limited rate_limited');
  });

  test('reports a failed delivery', async () => {
    home.neighbours.mailError = unavailable('the mail server does not answer');
    try {
      expect(await failure(send('unsent@example.com'))).toBe('unavailable unavailable');
    } finally {
      home.neighbours.mailError = undefined;
    }
  });

  test.each(['ada', 'ada@example.com\r\nBcc: eve@example.com', ''])('%j is no address', async (email) => {
    expect(await failure(by(visitor()).sendCode({ email }))).toBe('bad_request bad_field');
  });
});

describe('attackers who request codes for an address', () => {
  let asked = 0;
  /** A person with an account, in a browser that has signed in to it before. */
  async function person() {
    asked += 1;
    const email = `victim-${asked}@example.com`;
    const { session } = await makeAccount(home, { email });
    return { email, deviceToken: session.deviceToken };
  }
  const at = (browser: string, caller = visitor()) => ({
    send: (email: string, deviceToken = '') => by(caller).sendCode({ email, browser, deviceToken }),
    check: (email: string, code: string, deviceToken = '') =>
      by(caller).checkCode({ email, code, browser, deviceToken }),
  });

  test("cannot replace, use or use up a person's code", async () => {
    const { email } = await person();
    const [mine, theirs] = [at('mine'), at('theirs')];
    await mine.send(email);
    const code = lastCode(home);
    await theirs.send(email);
    const other = lastCode(home);
    for (let tries = 1; tries <= 6; tries += 1) {
      expect(await failure(theirs.check(email, code === other ? wrongCode(code) : code))).toBe(
        'bad_request bad_field',
      );
    }
    const { outcome } = await mine.check(email, code);
    expect(outcome.case).toBe('session');
  });

  test('cannot block codes for a browser that signed in before, or elsewhere', async () => {
    const { email, deviceToken } = await person();
    const attacker = visitor();
    for (let sent = 1; sent <= 5; sent += 1) await at(`theirs-${sent}`, attacker).send(email);
    await at('elsewhere').send(email);
    expect((await at('elsewhere-too').send(email)).email).toBe(email);
    for (let sent = 1; sent <= 12; sent += 1) await at('theirs').send(email);
    expect(await failure(at('elsewhere').send(email))).toBe('rate_limited rate_limited');
    // The whole network's budget is used up as well.
    const mine = at('mine', attacker);
    for (let sent = 1; sent <= 30; sent += 1)
      await failure(at('theirs', attacker).send(`x-${sent}@example.com`));
    await mine.send(email, deviceToken);
    expect((await mine.check(email, lastCode(home), deviceToken)).outcome.case).toBe('session');
    for (let sent = 1; sent <= 4; sent += 1) await mine.send(email, deviceToken);
    expect(await failure(mine.send(email, deviceToken))).toBe('rate_limited rate_limited');
  });

  test('cannot block codes for a neighbour in the same network', async () => {
    const { email } = await person();
    const theirs = at('theirs');
    const sent = [];
    for (let asks = 1; asks <= 40; asks += 1) sent.push(await failure(theirs.send(email)));
    expect(sent.filter((each) => each === 'none')).toHaveLength(5);
    expect(await failure(theirs.send('neighbour@example.com'))).toBe('none');
  });

  test("wait longer after each wrong try of a day, while the owner's first try counts at once", async () => {
    const { email, deviceToken } = await person();
    for (const name of ['one', 'two']) {
      const theirs = at(name);
      await theirs.send(email);
      const code = wrongCode(lastCode(home));
      for (let tries = 1; tries <= 4; tries += 1) await failure(theirs.check(email, code));
      if (name === 'two') expect(await failure(theirs.check(email, code))).toBe('rate_limited rate_limited');
    }
    const mine = at('mine');
    await mine.send(email);
    const code = lastCode(home);
    const known = at('known');
    await known.send(email, deviceToken);
    const other = lastCode(home);
    expect(await failure(known.check(email, wrongCode(other), deviceToken))).toBe('bad_request bad_field');
    expect((await known.check(email, other, deviceToken)).outcome.case).toBe('session');
    expect((await mine.check(email, code)).outcome.case).toBe('session');
  });

  test('face eight digits after twenty wrong tries, for 90 days, while a known browser gets six', async () => {
    const { email, deviceToken } = await person();
    const theirs = at('theirs');
    await theirs.send(email);
    expect(lastCode(home)).toHaveLength(6);
    await failure(theirs.check(email, wrongCode(lastCode(home))));
    // As after wrong tries on many days.
    await home.run({ text: 'update identity.email_codes set tries = 20 where email = $1', values: [email] });
    home.clock.advance(day + hour);
    await home.home.runJob('identity: purge-sign-ins');
    const mine = at('mine');
    await mine.send(email);
    const code = lastCode(home);
    expect(code).toHaveLength(8);
    expect(home.neighbours.mails.at(-1)!.text).toMatch(/^ {4}\d{4} \d{4}$/m);
    await home.home.runJob('identity: purge-sign-ins');
    const known = at('known');
    await known.send(email, deviceToken);
    expect(lastCode(home)).toHaveLength(6);
    expect((await mine.check(email, code)).outcome.case).toBe('session');
    // A sign-in does not reset the count: a guesser would just wait for it.
    await mine.send(email);
    expect(lastCode(home)).toHaveLength(8);
    // The limit holds whether or not older rows have been deleted.
    home.clock.advance(89 * day - 2 * hour);
    await mine.send(email);
    expect(lastCode(home)).toHaveLength(8);
    home.clock.advance(3 * hour);
    await mine.send(email);
    expect(lastCode(home)).toHaveLength(6);
    await home.home.runJob('identity: purge-sign-ins');
    const left = {
      text: `select 1 from identity.email_codes where email = $1 and tries > 0`,
      values: [email],
    };
    expect(await home.database.db.query(left)).toEqual([]);
  });

  test('cannot use what another browser or address was given', async () => {
    const [one, two] = [await person(), await person()];
    const attacker = visitor();
    for (let sent = 1; sent <= 5; sent += 1) await at('theirs', attacker).send(one.email);
    for (const token of [two.deviceToken, 'x', one.deviceToken.slice(0, -2), '']) {
      expect(await failure(at('theirs', attacker).send(one.email, token))).toBe('rate_limited rate_limited');
    }
  });
});

describe('a new account', () => {
  test('belongs to the person of its session, who has proved an address', async () => {
    const { caller, session } = await makeAccount(home, { email: 'grace@example.com', name: 'Grace Hopper' });
    expect(session.token).toMatch(/^hearth_ps_[0-9A-Za-z]{43}$/);
    expect(caller).toMatchObject({
      kind: CallerKind.PERSON,
      name: 'Grace Hopper',
      address: '@grace-hopper',
      guest: false,
      minor: false,
      proof: Proof.EMAIL,
      authenticatedAt: BigInt(home.clock.now()),
    });
    expect(Number(session.endsAt) - home.clock.now()).toBe(90 * 24 * 60 * minute);
  });

  test('can be signed in to afterwards', async () => {
    const { caller: person } = await makeAccount(home, { email: 'again@example.com' });
    const { caller, code } = await send('again@example.com');
    const { outcome } = await by(caller).checkCode({ email: 'AGAIN@example.com', code });
    expect(outcome.case).toBe('session');
    const session = outcome.value as { token: string };
    expect((await callerOf(home, session.token))?.id).toBe(person.id);
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ handle: 'a' }, 'handle'],
    [{ handle: 'admin' }, 'handle'],
    [{ birthYearMonth: '2026-13' }, 'birth_year_month'],
    [{ birthYearMonth: '2030-01' }, 'birth_year_month'],
    [{ birthYearMonth: '' }, 'birth_year_month'],
    [{ timeZone: 'Mars/Olympus' }, 'time_zone'],
  ])('with %j explains what to change', async (fields, field) => {
    const email = 'careless@example.com';
    const caller = visitor();
    const ticket = await ticketFor(email);
    const given = { name: 'Ada', birthYearMonth: '1990-12', timeZone: 'UTC', ...fields };
    await expect(by(caller).createAccount({ ticket, ...given })).rejects.toMatchObject({
      kind: 'bad_request',
      details: { field },
    });
  });

  let tickets = 0;
  async function ticketFor(_email: string): Promise<string> {
    tickets += 1;
    const email = `ticket-${tickets}@example.com`;
    const { caller, code } = await send(email);
    const { outcome } = await by(caller).checkCode({ email, code });
    return outcome.value as string;
  }

  test('is refused below the minimum age of the place', async () => {
    const ticket = await ticketFor('young');
    const young = { ticket, name: 'Tim', birthYearMonth: '2012-01', timeZone: 'UTC' };
    expect(await failure(by(visitor()).createAccount(young))).toBe('forbidden guardian_needed');
    const old = await by(visitor()).createAccount({ ...young, birthYearMonth: '2009-01' });
    const caller = await callerOf(home, old.token);
    expect(caller).toMatchObject({ minor: true, name: 'Tim' });
    const { results } = await home.fromGroups.findPeople({ ids: [caller!.id] });
    expect(results[0]?.facts?.ageBand).toBe(AgeBand.TEEN16);
  });

  test('is created once per address, even concurrently', async () => {
    const email = 'quick@example.com';
    const tickets = await Promise.all(
      [1, 2]
        .map(async () => {
          const { caller, code } = await send(email);
          const { outcome } = await by(caller).checkCode({ email, code });
          return outcome.value as string;
        })
        .map((each) => each.catch(() => '')),
    );
    const ticket = tickets.find((each) => each !== '')!;
    const given = { ticket, name: 'Quick', birthYearMonth: '1990-01', timeZone: 'UTC' };
    const made = await Promise.allSettled([1, 2].map(() => by(visitor()).createAccount(given)));
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await failure(by(visitor()).createAccount(given))).toBe('bad_request already_settled');
  });

  test.each([
    ['nothing', ''],
    ['what is none', 'AQIDBA'],
    ['what is too long', 'A'.repeat(2_000)],
  ])('is refused with %s for a ticket', async (_, ticket) => {
    const given = { ticket, name: 'Ada', birthYearMonth: '1990-01', timeZone: 'UTC' };
    expect(await failure(by(visitor()).createAccount(given))).toBe('bad_request not_waiting');
  });

  test('is refused with a ticket older than half an hour', async () => {
    const ticket = await ticketFor('slow');
    home.clock.advance(30 * minute + 1);
    const given = { ticket, name: 'Ada', birthYearMonth: '1990-01', timeZone: 'UTC' };
    await expect(by(visitor()).createAccount(given)).rejects.toThrow('took too long');
  });
});

describe('signing out', () => {
  test('ends that session everywhere, and no other', async () => {
    const { caller, session } = await makeAccount(home, { email: 'out@example.com' });
    const { caller: elsewhere, code } = await send('out@example.com');
    const { outcome } = await by(elsewhere).checkCode({ email: 'out@example.com', code });
    const other = outcome.value as { token: string };
    await by(caller).signOut({});
    expect(await callerOf(home, session.token)).toBeUndefined();
    expect(home.signalled.credentials).toContain(caller.session);
    expect((await callerOf(home, other.token))?.id).toBe(caller.id);
    await by(caller).signOut({});
  });

  test('needs a session', async () => {
    expect(await failure(by(visitor()).signOut({}))).toBe('unauthenticated undefined');
  });
});

describe('passkeys', () => {
  test('are requested for this home only, with user verification', async () => {
    const { options } = await by(visitor()).passkeyOptions({});
    expect(JSON.parse(options)).toMatchObject({ rpId: 'hearth.example', userVerification: 'required' });
  });

  test('are created after a recent sign-in', async () => {
    const { caller } = await makeAccount(home, { email: 'key@example.com' });
    const { options } = await by(caller).newPasskeyOptions({});
    expect(JSON.parse(options)).toMatchObject({
      rp: { id: 'hearth.example', name: 'hearth.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    home.clock.advance(11 * minute);
    expect(await failure(by(caller).newPasskeyOptions({}))).toBe('forbidden needs_person');
    expect(await failure(by(visitor()).newPasskeyOptions({}))).toBe('unauthenticated undefined');
  });

  const strange: [string, string][] = [
    ['null', 'null'],
    ['nothing', '{}'],
    ['no JSON', 'not json'],
    ['no challenge', '{"id":"AQ","response":{"clientDataJSON":"e30"}}'],
    ['a challenge of nobody', answerTo('x')],
    ['too much', `"${'a'.repeat(20_000)}"`],
  ];

  function answerTo(challenge: string): string {
    const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url');
    return JSON.stringify({ id: 'AQ', response: { clientDataJSON } });
  }

  test.each(strange)('are refused with an answer that is %s', async (_, credential) => {
    expect(await failure(by(visitor()).usePasskey({ credential }))).toBe('bad_request bad_field');
    const { caller } = await makeAccount(home, { email: `answer-${credential.length}@example.com` });
    expect(await failure(by(caller).addPasskey({ credential }))).toBe('bad_request bad_field');
  });

  test('use a challenge that is valid for one answer, right or wrong', async () => {
    const { options } = await by(visitor()).passkeyOptions({});
    const { challenge } = JSON.parse(options);
    const waiting = async () =>
      (
        await home.database.db.query({
          text: 'select from identity.passkey_challenges where challenge = $1',
          values: [challenge],
        })
      ).length;
    expect(await waiting()).toBe(1);
    const credential = answerTo(challenge);
    expect(await failure(by(visitor()).usePasskey({ credential }))).toBe('bad_request bad_field');
    expect(await waiting()).toBe(0);
  });
});

describe('claim_guest', () => {
  async function guest() {
    const id = `01900000-0000-7000-8000-${String(Math.floor(performance.now() * 1_000))
      .padStart(12, '0')
      .slice(-12)}`;
    const { sessionToken } = await home.fromGroups.createGuest(
      { id, name: 'Guest Person', birthYearMonth: '1990-01', app: '' },
      { caller: visitor() },
    );
    return { token: sessionToken, caller: (await callerOf(home, sessionToken))! };
  }

  test("adds an email address to a guest's account for signing in", async () => {
    const { caller, token } = await guest();
    expect(caller).toMatchObject({ guest: true, authenticatedAt: 0n });
    const email = 'claimed@example.com';
    expect(await by(caller).claimGuest({ email })).toMatchObject({ step: ClaimGuestStep.CODE });
    const code = lastCode(home);
    expect(await failure(by(caller).claimGuest({ email, code: wrongCode(code) }))).toBe(
      'bad_request bad_field',
    );
    const done = await by(caller).claimGuest({ email, code });
    expect(done).toMatchObject({ step: ClaimGuestStep.DONE, person: { guest: false, name: 'Guest Person' } });
    expect(await callerOf(home, token)).toMatchObject({ guest: false, proof: Proof.EMAIL });
    expect(home.signalled.credentials).toContain(caller.id);
    const sent = await send(email);
    const { outcome } = await by(sent).checkCode({ email, code: sent.code });
    expect(outcome.case).toBe('session');
  });

  test('refuses the sign-in address of another account', async () => {
    await makeAccount(home, { email: 'taken@example.com' });
    const { caller } = await guest();
    const email = 'taken@example.com';
    await by(caller).claimGuest({ email });
    await expect(by(caller).claimGuest({ email, code: lastCode(home) })).rejects.toThrow('another account');
  });

  test('refuses a code sent for signing in', async () => {
    const { caller } = await guest();
    const email = 'mixed@example.com';
    const { code } = await send(email);
    expect(await failure(by(caller).claimGuest({ email, code }))).toBe('bad_request bad_field');
  });

  test('offers a guest a passkey', async () => {
    const { caller } = await guest();
    const answer = await by(caller).claimGuest({ passkey: {} });
    expect(answer.step).toBe(ClaimGuestStep.PASSKEY);
    expect(JSON.parse(answer.passkeyOptions!).rp.id).toBe('hearth.example');
  });

  test.each([
    [{}, 'bad_request bad_field'],
    [{ email: 'a@example.com', passkey: {} }, 'bad_request bad_field'],
    [{ code: '123456', passkey: {} }, 'bad_request bad_field'],
    [{ email: 'nobody' }, 'bad_request bad_field'],
  ])('refuses %j', async (request, why) => {
    const { caller } = await guest();
    expect(await failure(by(caller).claimGuest(request))).toBe(why);
  });

  test('is refused to a child below the local minimum age for signing in', async () => {
    const { caller } = await guest();
    await home.run({
      text: `update identity.people set age_band = 'child', birth = null where id = $1`,
      values: [caller.id],
    });
    expect(await failure(by(caller).claimGuest({ email: 'child@example.com' }))).toBe(
      'forbidden guardian_needed',
    );
  });

  test('changes sign-in methods only after a fresh sign-in', async () => {
    const { caller } = await makeAccount(home, { email: 'first@example.com' });
    home.clock.advance(11 * minute);
    const email = 'second@example.com';
    expect(await failure(by(caller).claimGuest({ email }))).toBe('forbidden needs_person');
    const fresh = create(CallerSchema, { ...caller, authenticatedAt: BigInt(home.clock.now()) });
    await by(fresh).claimGuest({ email });
    await by(fresh).claimGuest({ email, code: lastCode(home) });
    const old = await send('first@example.com');
    const { outcome } = await by(old).checkCode({ email: 'first@example.com', code: old.code });
    expect(outcome.case).toBe('accountTicket');
  });
});
