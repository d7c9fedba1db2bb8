import { aiFacts, pill } from '../components/ai-name.ts';
import { type Errors, field, fieldset } from '../components/field.ts';
import { button, form } from '../components/form.ts';
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
  /** As it names itself. */
  name: string;
  /** The host that its description came from; undefined when it registered itself by hand. */
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
  /** The scopes that it asks for. */
  asked: readonly Scope[];
  /** The scopes that are ticked; at first firstTicks(asked). */
  ticked?: readonly Scope[];
  /** The AIs of the person as which it could speak. */
  speakers: readonly SpeakerChoice[];
  /** The id of one of them, or 'new'; 'new' at first. */
  speaker?: string | undefined;
  /** For a new AI. */
  newName?: string;
  /** After so many days without use it ends by itself. */
  idleDays: number;
  /** Approving was ticked, and the sign-in is not fresh enough for it. */
  approveNeedsSignIn?: boolean;
  errors?: Errors<'scope' | 'speaker' | 'new_name'>;
}

/**
 * May this program act for me? Form: `decision` (allow, refuse), `scope` for each tick, `speaker` (an AI's id or
 * 'new'), `new_name` to `action`.
 */
export function consentPage(frame: Frame, model: Consent): string {
  const { client, asked, errors = {}, idleDays } = model;
  const name = othersText(client.name);
  const main = html`<h1>Connect ${name}?</h1>
<p class="lead">It wants to act for you at ${frame.home}.</p>
${errorSummary(errors)}
<div class="card">
${clientFacts(client)}
</div>
<div class="card">
${form(
  frame,
  { action: model.action },
  html`${scopeTicks({
    legend: 'What may it do?',
    hint: 'Untick what you do not want. It can ask for more when it needs it.',
    offered: asked,
    ticked: model.ticked ?? firstTicks(asked),
    error: errors.scope,
  })}
${asked.includes('approve') && model.approveNeedsSignIn && notice('info', 'To allow approving you sign in once more')}
${speakerFields(model)}
<h2>For how long?</h2>
<p>Until you switch it off, which you can do at any time under <a href="${paths.ais}">Connected AIs</a>. Unused for ${idleDays} days, it ends by itself. There you also see what it did for you.</p>
<div class="actions even">
${button('Allow', { name: 'decision', value: 'allow' })}
${button('Refuse', { kind: 'plain', name: 'decision', value: 'refuse' })}
</div>`,
)}
</div>`;
  const title = 'Connect a program?';
  return page(frame, { title, main, hasErrors: hasErrors(errors) });
}

function clientFacts({ name, host, answersTo }: ConsentClient): Html {
  return html`<dl class="facts">
<div><dt>It calls itself</dt><dd>${othersText(name)} ${pill('unverified name', 'care')}</dd></div>
<div><dt>Described at</dt><dd>${host === undefined ? 'no website: it told us about itself' : html`<strong class="address">${host}</strong>`}</dd></div>
<div><dt>The answer goes to</dt><dd><strong class="address">${answersTo}</strong></dd></div>
</dl>
${notice(
  'care',
  'Only you can know whether this is what you opened',
  'This home has not checked its name. Go on if you have just asked this program to connect, and the places above are its own. Otherwise refuse.',
)}`;
}

function speakerFields({ speakers, speaker = 'new', newName, errors = {} }: Consent): Html {
  const nameField = field({
    name: 'new_name',
    label: speakers.length === 0 ? 'Its name here' : 'Name of the new AI',
    value: newName,
    autocomplete: 'off',
    maxLength: 40,
    literal: true,
    sometimes: speakers.length > 0,
    hint: `${speakers.length > 0 ? 'For a new AI only. ' : ''}Others see it under this name, beside yours: @you.ai-name.`,
    error: errors.new_name,
  });
  const hint = 'Whatever it does is shown as done by this AI, for you.';
  const group = { id: 'speaker', legend: 'As which AI does it speak?', hint, error: errors.speaker };
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
    label: 'A new AI',
    hint: 'Its name goes into the field below.',
    ticked: speaker === 'new',
  });
  return fieldset(group, html`${ticks([...rows, anew])}${nameField}`);
}

export interface ConsentRefused {
  client: ConsentClient;
  /** Sends the refusal back to the program. A path of this home. */
  action: string;
}

/** A child cannot connect a program. Form: `decision` refuse to `action`. */
export function consentOfChildPage(frame: Frame, { client, action }: ConsentRefused): string {
  const main = html`<h1>Ask your guardian</h1>
<div class="card">
${notice(
  'info',
  html`Only your guardian can connect ${othersText(client.name)} for you`,
  'Show them this page. They can do it from their own account. Nothing was connected.',
)}
${form(
  frame,
  { action },
  html`<div class="actions">${button('Go back to the program', { kind: 'plain', name: 'decision', value: 'refuse' })}</div>`,
)}
</div>`;
  return page(frame, { title: 'Ask your guardian', main, narrow: true });
}
