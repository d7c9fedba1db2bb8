import { english } from '@hearth/i18n';
import * as web from '@hearth/web';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { samples } from './samples.ts';

const anybody: web.Frame = { language: english, home: 'hearth.example', csrf: 'csrf-value' };
const ada: web.Frame = { ...anybody, person: { name: 'Ada', handle: 'ada' } };

/** A page's tags with the names of their attributes, which no text may change. */
function structureOf(page: string): string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}

describe('text by others', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' autofocus onfocus='alert(1)",
      '</title></textarea></select><h1>',
      '\u202e\u0000<!--',
    ),
    fc.string({ unit: fc.constantFrom(...'<>"\'&/=!- abc\u202e'), minLength: 1, maxLength: 30 }),
  );

  test('changes the structure of no page', () => {
    const expected = samples().map(({ page }) => structureOf(page));
    fc.assert(
      fc.property(hostile, (text) => {
        const pages = samples(() => text);
        for (const [index, { page }] of pages.entries()) expect(structureOf(page)).toEqual(expected[index]);
      }),
      { numRuns: 30 },
    );
  });

  test('is isolated wherever it is shown among our own text', () => {
    const mark = 'Zxqvw';
    for (const { name, page } of samples(() => mark)) {
      const shown = page
        .replace(/"[^"]*"/g, '""')
        .replace(/<(option|textarea|strong class="")[^>]*>[^<]*/g, '');
      const apart = shown.replace(/<bdi[^>]*>Zxqvw[^<]*<\/bdi>/g, '').replace(/>@Zxqvw</g, '');
      expect({ name, apart: apart.includes(mark) }).toEqual({ name, apart: false });
    }
  });
});

test("a receipt of a yes that doesn't count says so and why", () => {
  const page = (wanted: string) => samples().find(({ name }) => name === wanted)!.page;
  expect(page('receipt-void')).toContain(
    'This approval doesn’t count: the group was archived before the answer was signed.',
  );
  expect(page('receipt-void-otherwise')).toMatch(/This approval doesn’t count: <bdi[^>]*>a new reason/);
});

describe('every page', () => {
  test.each(samples().map(({ name, page }) => [name, page]))('%s keeps to the policy', (_, page) => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en-GB" dir="ltr">/);
    expect(page).not.toMatch(/\sstyle=|<style|\son[a-z]+=|javascript:/);
    const { forms, script, requests, receipt, live } = web.assets;
    const ours = [
      `<script src="${script.path}" defer>`,
      ...[forms, requests, receipt, live].map(({ path }) => `<script src="${path}" type="module">`),
    ];
    // The scripts' texts are in attributes.
    for (const tag of page.match(/<script[^>]*>[^<]*/g) ?? [])
      expect(ours).toContain(tag.trim().replace(/ data-offline="[^"<>]*"/, ''));
    // GET changes nothing: every act is a POST form with the CSRF field.
    expect(page.match(/<form (?!method="get")/g)?.length ?? 0).toBe(
      page.match(/<input type="hidden" name="csrf"/g)?.length ?? 0,
    );
    for (const [, action] of page.matchAll(/<form [^>]*action="([^"]*)"/g))
      expect(action).toMatch(/^\/[a-z]/);
    // The value of `do` is a name, never the button's text.
    for (const [, act] of page.matchAll(/name="do" value="([^"]*)"/g)) expect(act).toMatch(/^[a-z-]+$/);
    for (const [, id] of page.matchAll(/ id="([^"]*)"/g)) expect(id).toMatch(/^\S+$/);
  });
});

test('a message without a title is named by its first words, also for screen readers', () => {
  const page = samples().find(({ name }) => name === 'requests')?.page ?? '';
  expect(page).toMatch(/Accept<span class="unseen"> <bdi class="theirs">Hello Ada/);
  expect(page).not.toContain('(empty)');
});

describe('consent', () => {
  const model: web.Consent = {
    action: '/oauth/consent/x',
    client: { name: 'Tool', host: 'tool.example', answersTo: 'tool.example' },
    asked: ['read', 'message', 'approve'],
    speakers: [],
    idleDays: 30,
  };
  const ticked = (page: string) => [...page.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value);

  test('never starts with `approve` ticked', () => {
    expect(ticked(web.consentPage(ada, model))).toEqual(['read', 'message']);
    expect(web.firstTicks(web.scopes)).not.toContain('approve');
  });

  test('offers only the requested scopes', () => {
    const page = web.consentPage(ada, model);
    expect([...page.matchAll(/name="scope" value="(\w+)"/g)].map(([, scope]) => scope)).toEqual(model.asked);
  });

  test('says that the name is unverified, and where it comes from', () => {
    const page = web.consentPage(ada, model);
    for (const words of ['unverified name', 'tool.example', 'We haven’t checked the program’s name'])
      expect(page).toContain(words);
    const { host: _, ...unknown } = model.client;
    expect(web.consentPage(ada, { ...model, client: unknown })).toContain('the program registered itself');
  });

  test('selects a new AI by default', () => {
    const speakers = [{ id: 'ai_1', name: 'Robin', address: '@ada.ai-robin', platform: 'claude' as const }];
    expect(ticked(web.consentPage(ada, { ...model, asked: [], speakers }))).toEqual(['new']);
    expect(ticked(web.consentPage(ada, { ...model, asked: [], speakers, speaker: 'ai_1' }))).toEqual([
      'ai_1',
    ]);
  });

  test('sends a child to the guardian, without a way to allow', () => {
    const page = web.consentOfChildPage(ada, { client: model.client, action: model.action });
    expect(page).toContain('Only your guardian can connect');
    expect(page).not.toContain('value="allow"');
  });
});

describe('a claim', () => {
  const ai: web.ClaimableAi = {
    name: 'Robin',
    address: '@free-k3x9qa.ai-robin',
    platform: 'claude',
    signedUpAtMs: 0,
    did: [],
  };

  test('is offered to signed-in people; others sign in first, and the secret stays out of every query', () => {
    const model = { token: 'secret', ai, groups: [] };
    expect(web.claimPage(ada, model)).toContain('>Claim this AI<');
    const guest = { ...anybody, person: { name: 'Grace', guest: true } };
    for (const frame of [anybody, guest]) {
      const page = web.claimPage(frame, model);
      expect(page).not.toContain('>Claim this AI<');
      expect(page).toContain('<input type="hidden" name="next" value="/claim/secret">');
      expect(page).not.toMatch(/\?[^"]*secret/);
    }
  });

  test('marks the name as chosen by the AI, and starts with reading and writing', () => {
    const page = web.claimPage(ada, { token: 'secret', ai, groups: [] });
    expect(page).toContain('name chosen by the AI');
    expect([...page.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value)).toEqual([
      'read',
      'message',
    ]);
    expect(page).not.toContain('name="group"');
  });
});

describe('an invitation', () => {
  const model: web.Invite = {
    code: 'code',
    groupName: 'Rowing club',
    invitedBy: 'Grace H.',
    reusable: true,
    forAges: ['adult'],
    needsReview: false,
    expiresAtMs: 0,
  };

  test('that is open names no inviter', () => {
    expect(web.invitePage(anybody, model)).not.toContain('Grace');
    expect(web.invitePage(anybody, { ...model, reusable: false })).toContain('Grace H.');
  });

  test('explains each reason why it does not work', () => {
    const all = (['used', 'expired', 'revoked', 'full', 'invalid'] as const).map((why) =>
      web.inviteRefusedPage(anybody, { why }).replace(/^[\s\S]*<main/, ''),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test('asks a guest for a name and an age', () => {
    expect(web.invitePage(anybody, model)).toContain('name="birth_year"');
    expect(web.invitePage(ada, model)).not.toContain('name="birth_year"');
  });
});

test('an asset has a path that changes with its bytes', () => {
  for (const { path, type } of Object.values(web.assets)) {
    expect(path).toMatch(/^\/assets\/[0-9a-f]{12}\/[a-z0-9.]+$/);
    expect(type).not.toBe('');
  }
});

test('an unknown zone is shown in UTC', () => {
  const frame = { ...anybody, person: { name: 'Ada', timeZone: 'Mars/Olympus' } };
  const ai = { name: 'Robin', address: '@ada.ai-robin', platform: 'claude' as const, id: 'ai_1' };
  const page = web.claimedPage(frame, { ai, undoUntilMs: Date.UTC(2026, 0, 2, 3, 4) });
  expect(page.replace(/<[^>]*>/g, '')).toContain('The AI can undo this until Fri, 2 Jan 2026, 03:04 UTC');
});

test.each(['decision-open', 'plan-open'])(
  '%s says that it waits for its viewer, also of a child for whom they answer, and of the others that it waits for them',
  (wanted) => {
    const page = samples().find(({ name }) => name === wanted)?.page ?? '';
    const line =
      /(\(you\)|\(a guardian answers\))?<\/span><\/span><span class="asked-state"><[^>]*>(your turn|waiting)/g;
    const states = [...page.matchAll(line)].map(([, of, words]) => [of, words]);
    expect(states).toContainEqual(['(you)', 'your turn']);
    expect(states).toContainEqual(['(a guardian answers)', 'your turn']);
    expect(states).not.toContainEqual([undefined, 'your turn']);
  },
);

test('only a notice that asks for care is announced as important', () => {
  const notices = samples().flatMap(({ page }) =>
    [
      ...page.matchAll(
        /<div class="notice (\w+)">\s*<span[^>]*>.<\/span>\s*<div[^>]*><p[^>]*>(<span class="unseen">[^<]*)?/g,
      ),
    ].map(([, tone, announced = '']) => `${tone} ${announced}`),
  );
  expect([...new Set(notices)].sort()).toEqual([
    'bad ',
    'care <span class="unseen">Important: ',
    'good ',
    'info ',
  ]);
});

describe('a partly answered decision', () => {
  const page = samples().find(({ name }) => name === 'decision-open')?.page ?? '';

  test('names the questions that still wait, and requires no answer to others', () => {
    expect(page).toMatch(
      /Not answered yet: “<[^>]*>What do you bring\?<\/bdi>” and “<[^>]*>A word for the card\?<\/bdi>”</,
    );
    expect(page).toMatch(/<label for="q3-words">What you’ll bring <span class="optional">/);
    expect(page).toContain('<label for="q4-words">Your answer</label>');
  });
});
