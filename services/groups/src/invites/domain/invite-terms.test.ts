import { english } from '@hearth/i18n';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { describe, expect, test } from '@jest/globals';
import { bandOfBirth } from './guest-age.ts';
import { inviteMail } from './invite-mail.ts';
import { ageRefusal, bandRefusal, expiryOf, forAgesOf, type InviteBounds, usesOf } from './invite-terms.ts';
import { joinRequestId } from './join-request-id.ts';
import { needsReview, outcomeOf, waitingFor } from './join-state.ts';

const bounds: InviteBounds = { usualDays: 7, oneTimeDays: 30, reusableDays: 365, usualUses: 100 };
const now = new Date('2026-03-01T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);

test('an invite is valid for the default time, or a given time within limits', () => {
  expect(expiryOf(null, false, bounds, now)).toEqual(inDays(7));
  expect(expiryOf(null, true, bounds, now)).toEqual(inDays(7));
  expect(expiryOf(null, false, { ...bounds, oneTimeDays: 2 }, now)).toEqual(inDays(2));
  expect(expiryOf(inDays(30), false, bounds, now)).toEqual(inDays(30));
  expect(expiryOf(inDays(365), true, bounds, now)).toEqual(inDays(365));
  expect(() => expiryOf(inDays(30.001), false, bounds, now)).toThrow('at most 30 days ahead for a one-time');
  expect(() => expiryOf(inDays(365.001), true, bounds, now)).toThrow('at most 365 days ahead for a reusable');
  expect(() => expiryOf(now, true, bounds, now)).toThrow('expires_at: must be in the future');
});

test('a one-time invite has one use, and a link the given number of uses', () => {
  expect(usesOf(undefined, false, bounds)).toBe(1);
  expect(usesOf(undefined, true, bounds)).toBe(100);
  expect(usesOf(3, true, bounds)).toBe(3);
  expect(() => usesOf(1, false, bounds)).toThrow('max_uses: is for a reusable link');
});

test('invites for minors require a group that accepts minors', () => {
  const { ADULT, TEEN13, CHILD } = AgeBand;
  expect(ageRefusal('no', [ADULT])).toBeNull();
  expect(ageRefusal('no', [ADULT, TEEN13])?.details.code).toBe('minors_not_allowed');
  expect([ageRefusal('guardian', [CHILD]), ageRefusal('teens', [CHILD])]).toEqual([null, null]);
  expect(bandRefusal([ADULT, TEEN13], TEEN13)).toBeNull();
  expect(bandRefusal([ADULT], TEEN13)?.details.code).toBe('minors_not_allowed');
  expect(bandRefusal([TEEN13], ADULT)?.details).toMatchObject({ code: 'bad_field', field: 'code' });
  expect([forAgesOf(undefined, []), forAgesOf(CHILD, []), forAgesOf(CHILD, [CHILD, CHILD])]).toEqual([
    [ADULT],
    [CHILD],
    [CHILD],
  ]);
  expect(() => forAgesOf(ADULT, [ADULT, CHILD])).toThrow('for_age: is for an invite for one age');
  expect(bandRefusal([ADULT, TEEN13], CHILD)?.details.code).toBe('bad_field');
});

test("organizers review new members according to the group's settings", () => {
  expect([needsReview('none', true), needsReview('none', false)]).toEqual([false, false]);
  expect([needsReview('minors', true), needsReview('minors', false)]).toEqual([true, false]);
  expect([needsReview('all', true), needsReview('all', false)]).toEqual([true, true]);
});

test('a join request waits for the consents and approvals still missing', () => {
  const join = { needs_organizer: true, organizer_at: null, needs_guardian: true, guardian_at: null };
  expect(waitingFor(join)).toEqual(['organizer', 'guardian']);
  expect(waitingFor({ ...join, organizer_at: now })).toEqual(['guardian']);
  expect(waitingFor({ ...join, guardian_at: now })).toEqual(['organizer']);
  expect(waitingFor({ ...join, needs_organizer: false, guardian_at: now })).toEqual([]);
  expect(outcomeOf({ ...join, status: 'waiting' })).toBe('waiting');
  expect(outcomeOf({ ...join, organizer_at: now, status: 'waiting' })).toBe('approved');
  expect(outcomeOf({ ...join, guardian_at: now, status: 'waiting' })).toBe('waiting');
  expect(outcomeOf({ ...join, status: 'joined' })).toBe('used');
  expect(outcomeOf({ ...join, status: 'withdrawn' })).toBe('declined');
});

describe('the age band of a guest', () => {
  test.each([
    ['2008-02', AgeBand.ADULT],
    ['2008-03', AgeBand.TEEN16],
    ['2010-02', AgeBand.TEEN16],
    ['2010-03', AgeBand.TEEN13],
    ['2013-02', AgeBand.TEEN13],
    ['2013-03', AgeBand.CHILD],
    ['2026-03', AgeBand.CHILD],
    ['2030-01', AgeBand.CHILD],
  ])('born in %s, in March 2026', (born, band) => {
    expect(bandOfBirth(born, now)).toBe(band);
  });
});

test('the uuid of a join request is stable, and unique for its two ids', () => {
  const one = joinRequestId('a', 'b');
  expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(joinRequestId('a', 'b')).toBe(one);
  expect(new Set([one, joinRequestId('b', 'a'), joinRequestId('a', 'c')]).size).toBe(3);
});

test('in a mail, names of people and groups never become links', () => {
  const mail = inviteMail(
    {
      home: 'hearth.example',
      inviter: 'Win at evil.example',
      group: `http://evil.example/x ${'y'.repeat(100)}`,
      link: 'https://hearth.example/i/code',
      reusable: false,
      expiresAt: new Date('2026-03-08T12:00:00Z'),
      timeZone: 'Europe/Zurich',
    },
    english,
  );
  expect(mail.subject).toBe(`Win at evil example invited you to http evil example x ${'y'.repeat(39)}…`);
  expect(mail.text.match(/https?:\/\/\S+/g)).toEqual(['https://hearth.example/i/code']);
  expect(mail.text).toContain('The link works once, until Sun, 8 Mar 2026, 13:00 Zurich time.');
  expect(mail.text).not.toContain('evil.example');
});
