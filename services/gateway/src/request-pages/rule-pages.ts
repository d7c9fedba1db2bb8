import { notFound } from '@hearth/errors';
import {
  AcceptRequestRulesRequestSchema,
  DeclineRequestRulesRequestSchema,
  type RequestRules,
  SetRequestRulesRequestSchema,
} from '@hearth/proto/approvals/v1/request_rules';
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
  type Asked,
  doneOf,
  type FormRequest,
  fieldErrors,
  fieldOf,
  ifThere,
  listOwnAis,
  type PageAnswer,
  signedIn,
  toldOn,
} from '../pages/module.ts';
import { type ApprovalContext, frameOfRequests } from './context.ts';
import { isTooLate, unknownAct } from './request-acts.ts';
import { rowsOf, rowsOfPreset, rulesView } from './rule-view.ts';

const doneWords = {
  saved: 'Saved. It holds from now on.',
  accepted: 'These are your rules now.',
  kept: 'Your rules stay as they are. Your AI is told.',
  late: 'That proposal is not waiting any more.',
};

const fieldsOfPage = {
  front_door: 'front_door',
  ...Object.fromEntries(requestKinds.map((kind) => [`rules.${kind}.weekly_cap`, `${kind}_cap`])),
};

/** Who may reach a person, and how. */
export function addRulePages(context: ApprovalContext): void {
  const { addPage, peers, reader } = context;
  const present = (caller: Caller) => peers.rules.getRequestRules({}, { caller });

  addPage({
    name: 'rules',
    path: '/rules',
    opensByLink: true,
    get: signedIn(async (asked) => await show(context, asked, await present(asked.person))),
    post: signedIn<FormRequest>((asked) => saveRows(context, asked)),
  });

  addPage({
    name: 'rules_front_door',
    path: '/rules/front-door',
    post: signedIn<FormRequest>((asked) =>
      save(context, asked, { front_door: fieldOf(asked.request, 'front_door') }),
    ),
  });

  addPage({
    name: 'rules_start',
    path: '/rules/start/:preset',
    get: signedIn(async ({ request, person }) => {
      const preset = presetIn(request.params);
      const [rules, frame] = await Promise.all([present(person), frameOfRequests(context, request)]);
      const next = rowsOfPreset(rules, preset);
      if (next === null) throw notFound();
      return { html: rulesStartPage(frame, { preset, present: rowsOf(rules.rules), next }) };
    }),
    post: signedIn<FormRequest>((asked) => save(context, asked, { preset: presetIn(asked.request.params) })),
  });

  addPage({
    name: 'rules_proposal',
    path: '/rules/proposal/:id',
    post: signedIn<FormRequest>(async ({ request, person }) => {
      const { id } = request.params;
      const word = fieldOf(request, 'do');
      try {
        if (word === 'accept') {
          const message = reader.readMessage(AcceptRequestRulesRequestSchema, { id });
          await peers.rules.acceptRequestRules(message, { caller: person });
          return toldOn(paths.rules, 'accepted');
        }
        if (word !== 'keep') throw unknownAct();
        const message = reader.readMessage(DeclineRequestRulesRequestSchema, { id });
        await peers.rules.declineRequestRules(message, { caller: person });
        return toldOn(paths.rules, 'kept');
      } catch (error) {
        if (isTooLate(error)) return toldOn(paths.rules, 'late');
        throw error;
      }
    }),
  });
}

function presetIn({ preset }: Readonly<Record<string, string>>): RulePreset {
  const known = oneOf(rulePresets, preset);
  if (known === undefined) throw notFound();
  return known;
}

async function show(
  context: ApprovalContext,
  { request, person }: Asked,
  rules: RequestRules,
  more: Partial<Rules> = {},
): Promise<PageAnswer> {
  const [ais, frame] = await Promise.all([
    ifThere(doorAis(context, person)),
    frameOfRequests(context, request),
  ]);
  const html = rulesPage(frame, { ...rulesView(rules), ais, done: doneOf(request, doneWords), ...more });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

/** Those that can answer in the person's place. */
async function doorAis({ peers }: ApprovalContext, caller: Caller): Promise<DoorAi[]> {
  const owned = await listOwnAis(peers, caller);
  return owned
    .map(({ ai }) => ai)
    .filter(({ revoked, scopes }) => !revoked && scopes.includes('message'))
    .map(({ id, name, address }) => ({ id, name, address }));
}

const cap = /^[1-9]\d{0,3}$/;
const largestCap = 1_000;

/** Rows as the form says them, with what is wrong with them. */
function rowsIn(request: FormRequest): {
  rows: RuleRows;
  caps: Partial<Record<RequestKind, string>>;
  errors: RuleErrors;
} {
  const errors: Record<string, string> = {};
  const caps: Partial<Record<RequestKind, string>> = {};
  const rows = requestKinds.map((kind): [RequestKind, Rule] => {
    const action = oneOf(ruleActions, fieldOf(request, `${kind}_action`));
    if (action === undefined) throw unknownAct();
    // Who is refused at once is not counted: the page does not show these fields then.
    const isRefused = action === 'decline' || action === 'turn_away';
    const text = isRefused ? '' : fieldOf(request, `${kind}_cap`);
    caps[kind] = text;
    const isCap = cap.test(text) && Number(text) <= largestCap;
    if (text !== '' && !isCap) {
      errors[`${kind}_cap`] = 'Write a number from 1 to 1,000, or nothing for as many as come.';
    }
    const checkedOnly = !isRefused && fieldOf(request, `${kind}_checked`) === 'yes';
    return [kind, { action, checkedOnly, weeklyCap: isCap ? Number(text) : null }];
  });
  return { rows: Object.fromEntries(rows) as unknown as RuleRows, caps, errors };
}

async function saveRows(context: ApprovalContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { rows, caps, errors } = rowsIn(asked.request);
  const shown = { rows, caps };
  if (Object.keys(errors).length > 0) return await showAgain(context, asked, { ...shown, errors });
  const rules = Object.fromEntries(
    requestKinds.map((kind) => {
      const { action, checkedOnly, weeklyCap } = rows[kind];
      return [kind, { action, checked_only: checkedOnly, weekly_cap: weeklyCap }];
    }),
  );
  return await save(context, asked, { rules }, shown);
}

async function save(
  context: ApprovalContext,
  asked: Asked<FormRequest>,
  wanted: Record<string, unknown>,
  shown: Partial<Rules> = {},
): Promise<PageAnswer> {
  try {
    const message = context.reader.readMessage(SetRequestRulesRequestSchema, wanted);
    await context.peers.rules.setRequestRules(message, { caller: asked.person });
    return toldOn(paths.rules, 'saved');
  } catch (error) {
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors === undefined) throw error;
    return await showAgain(context, asked, { ...shown, errors });
  }
}

async function showAgain(
  context: ApprovalContext,
  asked: Asked<FormRequest>,
  more: Partial<Rules>,
): Promise<PageAnswer> {
  const rules = await context.peers.rules.getRequestRules({}, { caller: asked.person });
  return await show(context, asked, rules, more);
}
