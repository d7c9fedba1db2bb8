import { asTyped } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { type Text, t } from '@hearth/i18n';
import { type RequestRules, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { JsonRecord } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import {
  type DoorAi,
  oneOf,
  paths,
  type RequestKind,
  type Rule,
  type RuleErrors,
  type RulePreset,
  type RuleRows,
  type Rules,
  requestKinds,
  ruleActions,
  rulePresets,
  rulesPage,
  rulesStartPage,
} from '@hearth/web';
import {
  type Context,
  doneOf,
  ifThere,
  listOwnAis,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  shown,
  submit,
} from '../pages/module.ts';
import { frameOfRequests } from './frame.ts';
import { isTooLate, unknownAct } from './request-acts.ts';
import { rowsOf, rowsOfPreset, rulesView } from './rule-view.ts';

const { getRequestRules, setRequestRules, acceptRequestRules, declineRequestRules } =
  RequestRulesService.method;

const doneWords = {
  saved: t('rules.saved'),
  accepted: t('rules.accepted'),
  kept: t('rules.kept'),
  late: t('rules.late'),
};

const fieldsOfPage = {
  front_door: 'front_door',
  ...Object.fromEntries(requestKinds.map((kind) => [`rules.${kind}.weekly_cap`, `${kind}_cap`])),
};

/** The rules that decide how senders reach a person. */
export function addRulePages(context: Context): void {
  const { addOwnPage, ask, send } = context;

  addOwnPage('rules', '/rules', {
    opensByLink: true,
    get: (request) => show(context, request),
    post: (request) => saveRows(context, request),
  });

  addOwnPage('rules_front_door', '/rules/front-door', {
    post: (request) => save(context, request, { front_door: request.field('front_door') }),
  });

  addOwnPage('rules_start', '/rules/start/:preset', {
    async get(request) {
      const preset = presetIn(request);
      const [rules, frame] = await Promise.all([
        ask(getRequestRules, {}, request.person),
        frameOfRequests(context, request),
      ]);
      const next = rowsOfPreset(rules, preset);
      if (next === null) throw notFound();
      return { html: rulesStartPage(frame, { preset, present: rowsOf(rules.rules), next }) };
    },
    post: (request) => save(context, request, { preset: presetIn(request) }),
  });

  addOwnPage('rules_proposal', '/rules/proposal/:id', {
    async post(request) {
      const id = request.param('id');
      const word = request.field('do');
      if (word !== 'accept' && word !== 'keep') throw unknownAct();
      const accepts = word === 'accept';
      try {
        await send(accepts ? acceptRequestRules : declineRequestRules, { id }, request.person);
        return noticeOn(paths.rules, accepts ? 'accepted' : 'kept');
      } catch (error) {
        if (isTooLate(error)) return noticeOn(paths.rules, 'late');
        throw error;
      }
    },
  });
}

function presetIn(request: Own): RulePreset {
  const known = oneOf(rulePresets, request.param('preset'));
  if (known === undefined) throw notFound();
  return known;
}

async function show(context: Context, request: Own, more: Partial<Rules> = {}): Promise<PageAnswer> {
  const rules: RequestRules = await context.ask(getRequestRules, {}, request.person);
  const [ais, frame] = await Promise.all([
    ifThere(doorAis(context, request.person)),
    frameOfRequests(context, request),
  ]);
  const done = doneOf(request, doneWords);
  return shown(rulesPage(frame, { ...rulesView(rules), ais, done, ...more }), more);
}

/** The person's AIs that can answer for them. */
async function doorAis(context: Context, caller: Caller): Promise<DoorAi[]> {
  const owned = await listOwnAis(context, caller);
  return owned
    .map(({ ai }) => ai)
    .filter(({ revoked, scopes }) => !revoked && scopes.includes('message'))
    .map(({ id, name, address }) => ({ id, name, address }));
}

const cap = /^[1-9]\d{0,3}$/;
const largestCap = 1_000;

/** The form's rows, with their errors. */
function rowsIn(request: OwnForm): {
  rows: RuleRows;
  caps: Partial<Record<RequestKind, string>>;
  errors: RuleErrors;
} {
  const errors: Record<string, Text> = {};
  const caps: Partial<Record<RequestKind, string>> = {};
  const rows = requestKinds.map((kind): [RequestKind, Rule] => {
    const action = oneOf(ruleActions, request.field(`${kind}_action`));
    if (action === undefined) throw unknownAct();
    // Senders that are refused at once are not counted, and the page hides these fields.
    const isRefused = action === 'decline' || action === 'turn_away';
    const text = isRefused ? '' : asTyped(request.field(`${kind}_cap`));
    caps[kind] = text;
    const isCap = cap.test(text) && Number(text) <= largestCap;
    if (text !== '' && !isCap) {
      errors[`${kind}_cap`] = t('rules.cap-invalid');
    }
    const checkedOnly = !isRefused && request.field(`${kind}_checked`) === 'yes';
    return [kind, { action, checkedOnly, weeklyCap: isCap ? Number(text) : null }];
  });
  return { rows: Object.fromEntries(rows) as unknown as RuleRows, caps, errors };
}

async function saveRows(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { rows, caps, errors } = rowsIn(request);
  const model = { rows, caps };
  if (Object.keys(errors).length > 0) return await show(context, request, { ...model, errors });
  const rules = Object.fromEntries(
    requestKinds.map((kind) => {
      const { action, checkedOnly, weeklyCap } = rows[kind];
      return [kind, { action, checked_only: checkedOnly, weekly_cap: weeklyCap }];
    }),
  );
  return await save(context, request, { rules }, model);
}

async function save(
  context: Context,
  request: OwnForm,
  wanted: JsonRecord,
  model: Partial<Rules> = {},
): Promise<PageAnswer> {
  const set = async () => {
    await context.send(setRequestRules, wanted, request.person);
    return noticeOn(paths.rules, 'saved');
  };
  return await submit(fieldsOfPage, set, (errors) => show(context, request, { ...model, errors }));
}
