import { listed, t } from '@hearth/i18n';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { changedKinds, type Rule, type RuleRows, ruleDiff } from '../components/rule-list.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import {
  type RequestKind,
  type RulePreset,
  requestKinds,
  ruleActions,
  rulePresets,
} from '../request-copy.ts';

/** An AI that could be the gatekeeper. */
export interface DoorAi {
  id: string;
  name: string;
  address: string;
}

export interface RulesProposal {
  id: string;
  /** The address of the AI that proposes it. */
  by: string;
  preset?: RulePreset | undefined;
  changes: Partial<RuleRows>;
  atMs: number;
}

export type RuleErrors = Errors<`${RequestKind}_cap` | 'front_door'>;

export interface Rules {
  rows: RuleRows;
  /** The preset that the rules came from. */
  preset?: RulePreset | undefined;
  proposal?: RulesProposal | undefined;
  /** The address of the gatekeeper AI. */
  frontDoor?: string | undefined;
  /** The person's AIs that may write messages; undefined if they could not be loaded. */
  ais: readonly DoorAi[] | undefined;
  /** How many senders were turned away this week. */
  turnedAway: Partial<Record<RequestKind, number>>;
  /** The weekly limits as typed before. */
  caps?: Partial<Record<RequestKind, string>>;
  errors?: RuleErrors;
  done?: Words | undefined;
}

/**
 * A person's contact rules, by kind of request. Forms: for each kind `<kind>_action`, `<kind>_checked` (yes
 * or nothing) and `<kind>_cap` (a number or nothing) to paths.rules; `front_door` (an id or nothing) to
 * paths.frontDoor; `do` (accept, keep) to paths.rulesProposal(id).
 */
export function rulesPage(frame: Frame, model: Rules): string {
  const { proposal, errors = {}, done, preset } = model;
  const main = html`<h1>${t('rules.title')}</h1>
${requestTabs('rules')}
<p class="lead">${t('rules.lead')}</p>
${actResult({ errors, done })}
${proposal && proposalCard(frame, model, proposal)}
${turnedAwayWords(model)}
<section class="card" aria-labelledby="rows">
<h2 id="rows">${t('rules.mine')}</h2>
<p class="soft">${preset === undefined ? t('rules.from-default') : t('rules.from-preset', { preset: t(`rules.preset.${preset}`) })}</p>
<details class="meanings"><summary class="button quiet">${t('rules.meanings')}</summary>
<dl class="facts">${ruleActions.map((action) => html`<div><dt>${t(`rules.action.${action}`)}</dt><dd>${t(`rules.action.${action}-more`)}</dd></div>`)}</dl></details>
${form(
  frame,
  { action: paths.rules },
  html`${requestKinds.map((kind) => ruleRow(kind, model))}
<div class="actions">${button(t('rules.save'))}</div>`,
)}
</section>
${frontDoorCard(frame, model)}
${presetCard(preset)}`;
  return page(frame, { title: t('rules.title'), main, here: 'requests', hasErrors: hasErrors(errors) });
}

function ruleRow(kind: RequestKind, { rows, caps = {}, errors = {} }: Rules): Html {
  const rule = rows[kind];
  return html`<div class="rule">
${fieldset(
  { id: `rule-${kind}`, legend: t(`requests.kind.${kind}`), hint: t(`requests.kind.${kind}-more`) },
  html`<div class="ticks across">${ruleActions.map((action) =>
    tick({
      kind: 'radio',
      name: `${kind}_action`,
      value: action,
      label: t(`rules.action.${action}`),
      ticked: rule.action === action,
    }),
  )}</div>
<div class="rule-more">
${ticks([
  tick({
    name: `${kind}_checked`,
    value: 'yes',
    label: t('rules.known-only'),
    hint: t('rules.known-only-hint'),
    ticked: rule.checkedOnly,
  }),
])}
${field({
  name: `${kind}_cap`,
  label: t('rules.cap'),
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
<h2 id="proposal">${t('rules.proposal')}</h2>
<p>${t('rules.proposal-lead', {
    by: html`<bdi class="address">${plainText(by, 80)}</bdi>`,
    count,
    at: moment(frame, atMs),
    preset: preset === undefined ? 'none' : 'other',
    presetTitle: preset === undefined ? '' : t(`rules.preset.${preset}`),
  })}</p>
${ruleDiff(rows, changes)}
${form(
  frame,
  { action: paths.rulesProposal(id) },
  html`<div class="actions even">
${button(t('common.accept'), { kind: 'main', name: 'do', value: 'accept' })}
${button(t('rules.keep'), { kind: 'plain', name: 'do', value: 'keep' })}
</div>`,
)}
</section>`;
}

function turnedAwayWords({ turnedAway }: Rules): Html | false {
  const counts = requestKinds.flatMap((kind) => {
    const count = turnedAway[kind] ?? 0;
    return count === 0 ? [] : [t('rules.turned-away-count', { count, kind: t(`requests.kind.${kind}`) })];
  });
  if (counts.length === 0) return false;
  return notice('info', t('rules.turned-away', { counts: listed(counts) }));
}

function frontDoorCard(frame: Frame, { ais, frontDoor, errors = {}, rows }: Rules): Html {
  const isNeeded = requestKinds.some((kind) => rows[kind].action === 'front_door');
  return html`<section class="card" aria-labelledby="door">
<h2 id="door">${t('rules.door')}</h2>
<p>${t('rules.door-lead', { action: t('rules.action.front_door') })}</p>
${isNeeded && frontDoor === undefined && notice('care', t('rules.door-needed'), t('rules.door-needed-more'))}
${
  ais === undefined
    ? html`<p class="soft">${t('rules.door-unknown')}</p>`
    : ais.length === 0
      ? html`<p class="soft">${t('rules.door-none')}</p><p class="actions">${linkButton(t('rules.door-ais'), paths.ais)}</p>`
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
      { id: 'front_door', legend: t('rules.door-who'), error: errors.front_door },
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
          label: t('rules.door-off'),
          ticked: frontDoor === undefined,
        }),
      ]),
    )}
<div class="actions">${button(t('common.save'), { kind: 'plain' })}</div>`,
  );
}

function presetCard(chosen: RulePreset | undefined): Html {
  return html`<section class="card" aria-labelledby="presets">
<h2 id="presets">${t('rules.presets')}</h2>
<p>${t('rules.presets-lead')}</p>
<ul class="plain presets">${rulePresets.map((preset) => {
    return html`<li><a class="preset" href="${paths.rulesStart(preset)}"><strong>${t(`rules.preset.${preset}`)}</strong>${preset === chosen && html` <span class="soft">${t('rules.preset-current')}</span>`}<span class="preset-words">${t(`rules.preset.${preset}-more`)}</span></a></li>`;
  })}</ul>
</section>`;
}

export interface RulesStart {
  preset: RulePreset;
  present: RuleRows;
  next: RuleRows;
}

/** The changes that a preset would make. Form without fields to paths.rulesStart(preset). */
export function rulesStartPage(frame: Frame, { preset, present, next }: RulesStart): string {
  const count = changedKinds(present, next).length;
  const main = html`<p class="back"><a href="${paths.rules}">${t('rules.title')}</a></p>
<h1>${t('rules.start', { preset: t(`rules.preset.${preset}`) })}</h1>
<p class="lead">${t(`rules.preset.${preset}-more`)}</p>
<div class="card">
<p>${count === 0 ? t('rules.start-same') : t('rules.start-changes', { count })}</p>
${ruleDiff(present, next)}
${form(
  frame,
  { action: paths.rulesStart(preset) },
  html`<div class="actions even">${button(t('rules.start-use'), { kind: 'main' })}${linkButton(t('rules.keep'), paths.rules)}</div>`,
)}
</div>`;
  return page(frame, { title: t('rules.presets'), main, here: 'requests', narrow: true });
}
