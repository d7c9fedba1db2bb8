import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, forbidden, notFound, unavailable } from '@hearth/errors';
import {
  RequestRulesSchema,
  RequestRulesService,
  RuleAction,
  RulesPreset,
  type SetRequestRulesRequest,
} from '@hearth/proto/approvals/v1/request_rules';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { Platform } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clock, startHomeWithPeople } from '../home-with-people.ts';
import { expectPage, expectWords, tickedOf, wordsOf } from '../visitor.ts';
import { idOfAsk } from './some-approval.ts';

const ask = (weeklyCap?: number) => ({
  action: RuleAction.ASK,
  ...(weeklyCap !== undefined && { weeklyCap }),
});
const decline = { action: RuleAction.DECLINE };
const rows = {
  personal: ask(10),
  introduction: { ...ask(5), checkedOnly: true },
  recruiting: decline,
  sales: { action: RuleAction.TURN_AWAY },
  offer: { action: RuleAction.FRONT_DOOR },
  other: ask(),
};
const robin = {
  id: 'ai_01900000000070008000000000000001',
  address: '@ada.ai-robin',
  name: 'Robin <b>',
  platform: Platform.CLAUDE,
  status: AiStatus.CLAIMED,
  permissions: [Scope.READ, Scope.MESSAGE],
};
const proposal = {
  id: idOfAsk(9),
  by: '@ada.ai-robin',
  preset: RulesPreset.JUST_ME,
  changes: { personal: { ...ask(5), checkedOnly: true }, recruiting: decline },
  at: timestampFromMs(clock.now()),
};

let rules: MessageInitShape<typeof RequestRulesSchema>;
let saved: SetRequestRulesRequest[];
let answered: string[];
let failure: Error | undefined;
let aisFail: Error | undefined;

const tell = (words: string) => {
  if (failure !== undefined) throw failure;
  answered.push(words);
  return rules;
};
const home = await startHomeWithPeople([
  fake(RequestRulesService, {
    getRequestRules: async () => create(RequestRulesSchema, rules),
    setRequestRules: async (request) => {
      if (failure !== undefined) throw failure;
      saved.push(request);
      return rules;
    },
    acceptRequestRules: async ({ id }) => tell(`accept ${id}`),
    declineRequestRules: async ({ id }) => tell(`decline ${id}`),
  }),
  fake(AisService, {
    listAis: async () => {
      if (aisFail !== undefined) throw aisFail;
      return {
        ais: [
          { ai: robin },
          { ai: { ...robin, id: 'ai_2', name: 'Reader', permissions: [Scope.READ] } },
          { ai: { ...robin, id: 'ai_3', name: 'Gone', revoked: true } },
        ],
      };
    },
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  rules = {
    rules: rows,
    presets: [
      { preset: RulesPreset.JUST_ME, rules: { ...rows, personal: { ...ask(5), checkedOnly: true } } },
      { preset: RulesPreset.FOUNDER, rules: rows },
    ],
    turnedAway: { sales: 3 },
  };
  saved = [];
  answered = [];
  failure = undefined;
  aisFail = undefined;
});

describe('/rules', () => {
  test('shows the six rows, and the number of senders turned away', async () => {
    const page = await home.ada.open('/rules');
    const chosen = ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'].map((kind) =>
      [tickedOf(page, `${kind}_action`), tickedOf(page, `${kind}_checked`)].flat().join(' '),
    );
    expect(chosen).toEqual(['ask', 'ask yes', 'decline', 'turn_away', 'front_door', 'ask']);
    expect(/id="personal_cap"[^>]*value="10"/.test(page.text)).toBe(true);
    expect(/id="other_cap"[^>]*value=""/.test(page.text)).toBe(true);
    expectWords(page, 'Turned away this week: Sales: 3', 'Choose a front-door AI');
  });

  test('needs a sign-in', async () => {
    for (const path of ['/rules', '/rules/start/just_me']) {
      const { headers } = await home.stranger().open(path);
      expect(headers.location).toBe(`/in?${new URLSearchParams({ next: path })}`);
    }
    const { status } = await home.stranger().post('/rules/front-door', { front_door: robin.id });
    expect([status, saved]).toEqual([403, []]);
  });

  const form = Object.fromEntries(Object.keys(rows).map((kind) => [`${kind}_action`, 'ask'])) as Record<
    string,
    string
  >;

  test("saves the form's rows; refused senders are neither counted nor checked", async () => {
    const page = await home.ada.open('/rules');
    const { headers } = await home.ada.send(page, '/rules', {
      ...form,
      personal_cap: ' 25 ',
      personal_checked: 'yes',
      sales_action: 'turn_away',
      sales_cap: '7',
      sales_checked: 'yes',
    });
    expect(saved).toMatchObject([
      {
        rules: {
          personal: { action: RuleAction.ASK, checkedOnly: true, weeklyCap: 25 },
          introduction: { action: RuleAction.ASK, checkedOnly: false },
          sales: { action: RuleAction.TURN_AWAY, checkedOnly: false },
        },
      },
    ]);
    expect(saved[0]!.rules!.sales).not.toHaveProperty('weeklyCap');
    expect(wordsOf(await home.ada.open(headers.location!))).toContain('Rules saved.');
  });

  test.each(['0', '1001', '-1', '1.5', 'many', '10 000'])(
    'takes no cap of %j, and keeps the form',
    async (cap) => {
      const page = await home.ada.open('/rules');
      const again = await home.ada.send(page, '/rules', { ...form, offer_cap: cap, sales_action: 'decline' });
      expect([again.status, saved]).toEqual([400, []]);
      expect(again.text).toContain('id="offer_cap-error"');
      expect(again.text).toContain(`value="${cap}"`);
      expect(tickedOf(again, 'sales_action')).toEqual(['decline']);
    },
  );

  test("shows the service's errors at the row", async () => {
    const page = await home.ada.open('/rules');
    failure = badField('rules.offer.weekly_cap', 'is too much');
    const again = await home.ada.send(page, '/rules', { ...form, offer_cap: '9' });
    expectPage(again, 400, 'Error: This isn’t valid.');
    failure = forbidden('the rules of a person under 18 are changed by their guardian alone');
    const refused = await home.ada.send(page, '/rules', form);
    expectPage(refused, 403, 'You don’t have permission to do this.');
  });

  test('ignores an incomplete form', async () => {
    const page = await home.ada.open('/rules');
    for (const fields of [{}, { ...form, sales_action: 'explode' }]) {
      expect((await home.ada.send(page, '/rules', fields)).status).toBe(400);
    }
    expect(saved).toEqual([]);
  });
});

describe('a preset', () => {
  test('shows what would change, and changes it only with its button', async () => {
    const start = '/rules/start/just_me';
    const page = await home.ada.open(start);
    expect(wordsOf(page)).toContain('One rule changes. Nothing changes until you confirm.');
    expect(wordsOf(page)).toContain(
      'was: Ask me, up to 10 a week becomes: Ask me, known senders only, up to 5 a week',
    );
    expect(wordsOf(page)).toContain('Recruiting stays: Decline politely');
    expect(saved).toEqual([]);
    const { headers } = await home.ada.send(page, start);
    expect([headers.location, saved]).toMatchObject(['/rules?done=saved', [{ preset: RulesPreset.JUST_ME }]]);
    expect(saved[0]).not.toHaveProperty('rules');
  });

  test('equal to the current rules says so', async () => {
    const words = wordsOf(await home.ada.open('/rules/start/founder'));
    expect(words).toContain('These are already your rules.');
  });

  test.each(['nothing', 'constructor', 'family'])('that is unknown is not found: %s', async (preset) => {
    expect((await home.ada.open(`/rules/start/${preset}`)).status).toBe(404);
  });
});

describe('a proposal of an AI', () => {
  const path = `/rules/proposal/${proposal.id}`;

  beforeEach(() => {
    rules.proposal = proposal;
  });

  test('is shown row by row', async () => {
    const words = wordsOf(await home.ada.open('/rules'));
    expect(words).toContain(
      '@ada.ai-robin suggested one change on Sun, 3 May 2026, 12:00 UTC, based on “Just me”. Nothing changes until you accept.',
    );
    expect(words).toContain('becomes: Ask me, known senders only, up to 5 a week');
  });

  test.each([
    ['accept', `accept ${proposal.id}`, 'New rules saved.'],
    ['keep', `decline ${proposal.id}`, 'Your rules stay the same.'],
  ])('is answered by a person: %s', async (word, call, words) => {
    const page = await home.ada.open('/rules');
    const { headers } = await home.ada.send(page, path, { do: word });
    expect(answered).toEqual([call]);
    expect(wordsOf(await home.ada.open(headers.location!))).toContain(words);
  });

  test('is not answered by anything else, nor twice', async () => {
    const page = await home.ada.open('/rules');
    expect((await home.ada.send(page, path, { do: 'maybe' })).status).toBe(400);
    failure = notFound();
    const { headers } = await home.ada.send(page, path, { do: 'accept' });
    expect([headers.location, answered]).toEqual(['/rules?done=late', []]);
  });
});

describe('the front door', () => {
  test('offers AIs that may write, and "nobody"', async () => {
    rules.frontDoor = '@ada.ai-robin';
    const page = await home.ada.open('/rules');
    expect([...page.text.matchAll(/name="front_door" value="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      robin.id,
      '',
    ]);
    expect(tickedOf(page, 'front_door')).toEqual([robin.id]);
    await home.ada.send(page, '/rules/front-door', { front_door: robin.id });
    await home.ada.send(page, '/rules/front-door', { front_door: '' });
    expect(saved).toMatchObject([{ frontDoor: robin.id }, { frontDoor: '' }]);
  });

  test('says why an AI cannot be the gatekeeper', async () => {
    const page = await home.ada.open('/rules');
    failure = badField('front_door', 'must be the id or address of an AI of yours');
    const again = await home.ada.send(page, '/rules/front-door', { front_door: 'ai_9' });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('id="front_door-error"')]);
  });

  test('is left out while the AIs are unavailable', async () => {
    aisFail = unavailable('no');
    const page = await home.ada.open('/rules');
    expectPage(page, 200, 'Your AIs can’t be shown');
  });
});
