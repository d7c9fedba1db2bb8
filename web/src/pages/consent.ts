import { t } from '@hearth/i18n';
import { aiFacts, pill } from '../components/ai-name.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { linkTo } from '../components/link.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { scopeTicks } from '../components/scopes.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Platform } from '../platform-copy.ts';
import { firstTicks, type Scope } from '../scope-copy.ts';

export interface ConsentClient {
  /** The name that it gives itself. */
  name: string;
  /** The host that its description came from; undefined if it registered itself. */
  host?: string;
  /** Where the answer goes: a host, an app's own scheme, or this machine. */
  answersTo: string;
}

export interface SpeakerChoice {
  id: string;
  name: string;
  address: string;
  platform: Platform;
}

export interface Consent {
  /** A path of this home. */
  action: string;
  client: ConsentClient;
  /** The scopes that it requests. */
  asked: readonly Scope[];
  /** The ticked scopes; initially firstTicks(asked). */
  ticked?: readonly Scope[];
  /** The person's AIs that it could act as. */
  speakers: readonly SpeakerChoice[];
  /** The id of a speaker, or 'new' (the default). */
  speaker?: string | undefined;
  /** For a new AI. */
  newName?: string;
  /** Days without use after which it ends. */
  idleDays: number;
  /** Allowing `approve` needs a fresh sign-in first. */
  approveNeedsSignIn?: boolean;
  errors?: Errors<'scope' | 'speaker' | 'new_name'>;
}

/**
 * Asks whether the program may act for the viewer. Form: `decision` (allow, refuse), `scope` for each tick, `speaker` (an AI's id or
 * 'new'), `new_name` to `action`.
 */
export function consentPage(frame: Frame, model: Consent): string {
  const { client, asked, errors = {}, idleDays } = model;
  const name = othersText(client.name);
  const main = html`<h1>${t('consent.title-name', { name })}</h1>
<p class="lead">${t('consent.lead', { home: frame.home })}</p>
${errorSummary(errors)}
<div class="card">
${clientFacts(client)}
</div>
<div class="card">
${form(
  frame,
  { action: model.action },
  html`${scopeTicks({
    legend: t('consent.permissions'),
    hint: t('consent.permissions-hint'),
    offered: asked,
    ticked: model.ticked ?? firstTicks(asked),
    error: errors.scope,
  })}
${asked.includes('approve') && model.approveNeedsSignIn && notice('info', t('consent.approve-sign-in'))}
${speakerFields(model)}
<h2>${t('consent.duration')}</h2>
<p>${t('consent.duration-more', { link: linkTo(paths.ais), days: idleDays })}</p>
<div class="actions even">
${button(t('consent.allow'), { name: 'decision', value: 'allow' })}
${button(t('consent.refuse'), { kind: 'plain', name: 'decision', value: 'refuse' })}
</div>`,
)}
</div>`;
  const title = t('consent.title');
  return page(frame, { title, main, hasErrors: hasErrors(errors) });
}

function clientFacts({ name, host, answersTo }: ConsentClient): Html {
  return html`<dl class="facts">
<div><dt>${t('consent.name')}</dt><dd>${othersText(name)} ${pill(t('common.unverified-name'), 'care')}</dd></div>
<div><dt>${t('consent.website')}</dt><dd>${host === undefined ? t('consent.website-none') : html`<strong class="address">${host}</strong>`}</dd></div>
<div><dt>${t('consent.answers-to')}</dt><dd><strong class="address">${answersTo}</strong></dd></div>
</dl>
${notice('care', t('consent.check'), t('consent.check-more'))}`;
}

function speakerFields({ speakers, speaker = 'new', newName, errors = {} }: Consent): Html {
  const nameField = field({
    name: 'new_name',
    label: speakers.length === 0 ? t('consent.first-name') : t('consent.new-name'),
    value: newName,
    autocomplete: 'off',
    maxLength: 40,
    literal: true,
    sometimes: speakers.length > 0,
    hint: speakers.length === 0 ? t('consent.first-name-hint') : t('consent.new-name-hint'),
    error: errors.new_name,
  });
  const hint = t('consent.ai-hint');
  const group = { id: 'speaker', legend: t('consent.ai'), hint, error: errors.speaker };
  if (speakers.length === 0) {
    return fieldset(group, html`<input type="hidden" name="speaker" value="new">${nameField}`);
  }
  const rows = speakers.map((ai) =>
    tick({
      kind: 'radio',
      name: 'speaker',
      value: ai.id,
      label: othersText(ai.name),
      hint: aiFacts(ai),
      ticked: speaker === ai.id,
    }),
  );
  const anew = tick({
    kind: 'radio',
    name: 'speaker',
    value: 'new',
    label: t('consent.ai-new'),
    hint: t('consent.ai-new-hint'),
    ticked: speaker === 'new',
  });
  return fieldset(group, html`${ticks([...rows, anew])}${nameField}`);
}

export interface ConsentRefused {
  client: ConsentClient;
  /** Sends the refusal back to the program. A path of this home. */
  action: string;
}

/** Tells a child that the guardian connects programs. Form: `decision` refuse to `action`. */
export function consentOfChildPage(frame: Frame, { client, action }: ConsentRefused): string {
  const main = html`<h1>${t('consent.child')}</h1>
<div class="card">
${notice('info', t('consent.child-only', { name: othersText(client.name) }), t('consent.child-only-more'))}
${form(
  frame,
  { action },
  html`<div class="actions">${button(t('consent.child-back'), { kind: 'plain', name: 'decision', value: 'refuse' })}</div>`,
)}
</div>`;
  return page(frame, { title: t('consent.child'), main, narrow: true });
}
