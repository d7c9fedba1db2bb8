import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { changedKinds, type Rule, type RuleRows, ruleDiff } from '../components/rule-list.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import {
  ACTION_COPY,
  KIND_COPY,
  PRESET_COPY,
  type RequestKind,
  type RulePreset,
  requestKinds,
  ruleActions,
  rulePresets,
} from '../request-copy.ts';

/** An AI that could stand at the front door. */
export interface DoorAi {
  id: string;
  name: string;
  address: string;
}

export interface RulesProposal {
  id: string;
  /** Address of the AI that proposes it. */
  by: string;
  preset?: RulePreset | undefined;
  changes: Partial<RuleRows>;
  atMs: number;
}

export type RuleErrors = Errors<`${RequestKind}_cap` | 'front_door'>;

export interface Rules {
  rows: RuleRows;
  /** Where the rules came from. */
  preset?: RulePreset | undefined;
  proposal?: RulesProposal | undefined;
  /** Address of the AI at the front door. */
  frontDoor?: string | undefined;
  /** Those of the person that may write messages; undefined when they could not be found out. */
  ais: readonly DoorAi[] | undefined;
  /** How many were turned away this week. */
  turnedAway: Partial<Record<RequestKind, number>>;
  /** The caps as they were typed before. */
  caps?: Partial<Record<RequestKind, string>>;
  errors?: RuleErrors;
  done?: string | undefined;
}

/**
 * The contact policy of a person, by kind of request. Forms: for each kind `<kind>_action`, `<kind>_checked` (yes or nothing) and
 * `<kind>_cap` (a number or nothing) to paths.rules; `front_door` (an id or nothing) to paths.frontDoor; `do` (accept,
 * keep) to paths.rulesProposal(id).
 */
export function rulesPage(frame: Frame, model: Rules): string {
  const { proposal, errors = {}, done, preset } = model;
  const main = html`<h1>Who may reach me</h1>
${requestTabs('rules')}
<p class="lead">For everybody with whom you share no group, by what they want. Those who share one with you always get through.</p>
${actResult({ errors, done })}
${proposal && proposalCard(frame, model, proposal)}
${turnedAwayWords(model)}
<section class="card" aria-labelledby="rows">
<h2 id="rows">My rules</h2>
<p class="soft">${preset === undefined ? 'You began with the usual rules; other starting points are below.' : `They came from the starting point “${PRESET_COPY[preset].title}”.`}</p>
<details class="meanings"><summary class="button quiet">What the four mean</summary>
<dl class="facts">${ruleActions.map((action) => html`<div><dt>${ACTION_COPY[action].title}</dt><dd>${ACTION_COPY[action].words}</dd></div>`)}</dl></details>
${form(
  frame,
  { action: paths.rules },
  html`${requestKinds.map((kind) => ruleRow(kind, model))}
<div class="actions">${button('Save my rules')}</div>`,
)}
</section>
${frontDoorCard(frame, model)}
${presetCard(preset)}`;
  return page(frame, { title: 'Who may reach me', main, here: 'requests', hasErrors: hasErrors(errors) });
}

function ruleRow(kind: RequestKind, { rows, caps = {}, errors = {} }: Rules): Html {
  const rule = rows[kind];
  const { title, words } = KIND_COPY[kind];
  return html`<div class="rule">
${fieldset(
  { id: `rule-${kind}`, legend: title, hint: words },
  html`<div class="ticks across">${ruleActions.map((action) =>
    tick({
      kind: 'radio',
      name: `${kind}_action`,
      value: action,
      label: ACTION_COPY[action].title,
      ticked: rule.action === action,
    }),
  )}</div>
<div class="rule-more">
${ticks([
  tick({
    name: `${kind}_checked`,
    value: 'yes',
    label: 'Only from those who are known',
    hint: 'People, and AIs that a person answers for.',
    ticked: rule.checkedOnly,
  }),
])}
${field({
  name: `${kind}_cap`,
  label: 'At most in a week',
  value: caps[kind] ?? capText(rule),
  inputMode: 'numeric',
  maxLength: 4,
  look: 'short',
  optional: true,
  autocomplete: 'off',
  error: errors[`${kind}_cap`],
})}
</div>`,
)}
</div>`;
}

function capText({ weeklyCap }: Rule): string {
  return weeklyCap === null ? '' : String(weeklyCap);
}

function proposalCard(frame: Frame, { rows }: Rules, { id, by, preset, changes, atMs }: RulesProposal): Html {
  const count = changedKinds(rows, changes).length;
  return html`<section class="card proposal" aria-labelledby="proposal">
<h2 id="proposal">Your AI proposes other rules</h2>
<p><bdi class="address">${plainText(by, 80)}</bdi> proposed it on ${moment(frame, atMs)}${preset !== undefined && `, from the starting point “${PRESET_COPY[preset].title}”`}. ${count === 1 ? 'One row' : `${count} rows`} would change; nothing has changed yet.</p>
${ruleDiff(rows, changes)}
${form(
  frame,
  { action: paths.rulesProposal(id) },
  html`<div class="actions even">
${button('Accept', { kind: 'main', name: 'do', value: 'accept' })}
${button('Keep mine', { kind: 'plain', name: 'do', value: 'keep' })}
</div>`,
)}
</section>`;
}

function turnedAwayWords({ turnedAway }: Rules): Html | false {
  const counts = requestKinds.flatMap((kind) => {
    const count = turnedAway[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${KIND_COPY[kind].title.toLowerCase()}`];
  });
  if (counts.length === 0) return false;
  return notice('info', `Turned away this week: ${counts.join(', ')}`);
}

function frontDoorCard(frame: Frame, { ais, frontDoor, errors = {}, rows }: Rules): Html {
  const isNeeded = requestKinds.some((kind) => rows[kind].action === 'front_door');
  return html`<section class="card" aria-labelledby="door">
<h2 id="door">At my front door</h2>
<p>Where a row says “${ACTION_COPY.front_door.title}”, this AI sees the request before you do. It can decline it or pass it on to you, and writes you a word beside it.</p>
${isNeeded && frontDoor === undefined && notice('care', 'No AI stands there', 'Until you choose one, such requests wait for you as with “Ask me”.')}
${
  ais === undefined
    ? html`<p class="soft">Your AIs cannot be shown at the moment.</p>`
    : ais.length === 0
      ? html`<p class="soft">None of your AIs may write messages, which this needs.</p><p class="actions">${linkButton('Connected AIs', paths.ais)}</p>`
      : doorForm(frame, ais, frontDoor, errors)
}
</section>`;
}

function doorForm(
  frame: Frame,
  ais: readonly DoorAi[],
  frontDoor: string | undefined,
  errors: RuleErrors,
): Html {
  return form(
    frame,
    { action: paths.frontDoor },
    html`${fieldset(
      { id: 'front_door', legend: 'Who sees them first?', error: errors.front_door },
      ticks([
        ...ais.map(({ id, name, address }, index) =>
          tick({
            kind: 'radio',
            name: 'front_door',
            value: id,
            id: `door-${index}`,
            label: othersText(name),
            hint: html`<bdi class="address">${plainText(address, 80)}</bdi>`,
            ticked: address === frontDoor,
          }),
        ),
        tick({
          kind: 'radio',
          name: 'front_door',
          value: '',
          id: 'door-none',
          label: 'No AI',
          ticked: frontDoor === undefined,
        }),
      ]),
    )}
<div class="actions">${button('Save', { kind: 'plain' })}</div>`,
  );
}

function presetCard(chosen: RulePreset | undefined): Html {
  return html`<section class="card" aria-labelledby="presets">
<h2 id="presets">Start from somewhere else</h2>
<p>Each shows first what would change.</p>
<ul class="plain presets">${rulePresets.map((preset) => {
    const { title, words } = PRESET_COPY[preset];
    return html`<li><a class="preset" href="${paths.rulesStart(preset)}"><strong>${title}</strong>${preset === chosen && html` <span class="soft">(where yours came from)</span>`}<span class="preset-words">${words}</span></a></li>`;
  })}</ul>
</section>`;
}

export interface RulesStart {
  preset: RulePreset;
  present: RuleRows;
  next: RuleRows;
}

/** The changes of a starting point. Form: nothing more to paths.rulesStart(preset). */
export function rulesStartPage(frame: Frame, { preset, present, next }: RulesStart): string {
  const { title, words } = PRESET_COPY[preset];
  const count = changedKinds(present, next).length;
  const main = html`<p class="back"><a href="${paths.rules}">Who may reach me</a></p>
<h1>Start from “${title}”?</h1>
<p class="lead">${words}</p>
<div class="card">
<p>${count === 0 ? 'Your rules are like that already.' : `${count === 1 ? 'One row' : `${count} rows`} would change. Nothing has changed yet.`}</p>
${ruleDiff(present, next)}
${form(
  frame,
  { action: paths.rulesStart(preset) },
  html`<div class="actions even">${button('Use these rules', { kind: 'main' })}${linkButton('Keep mine', paths.rules)}</div>`,
)}
</div>`;
  return page(frame, { title: 'Start from other rules?', main, here: 'requests', narrow: true });
}
