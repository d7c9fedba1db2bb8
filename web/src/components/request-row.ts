import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { attributes, type Html, html, type Piece } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type RequestKind, requestKinds } from '../request-copy.ts';
import { pill } from './ai-name.ts';
import { blockOrReport } from './block-or-report.ts';
import { button, type Carried, form } from './form.ts';
import { changedKinds, changedRules, type RuleRows } from './rule-list.ts';
import { textArea } from './text-area.ts';
import { timeAgo, timeLeft } from './time-left.ts';

/** Something that waits for a person: an ask, a message, an invite or an agreement of an AI of theirs. */
export interface RequestItem {
  id: string;
  type: 'approval' | 'message' | 'invite' | 'agreement';
  /** May be empty: of a message without one. */
  title: string;
  preview: string;
  /** Address. */
  from: string;
  fromName: string;
  nameVerified: boolean;
  /** The sender shares no group with the person: it has a purpose, which the person may correct. */
  purpose?: RequestKind | undefined;
  atMs: number;
  endsAtMs?: number | undefined;
  /** The note of the AI at the front door. */
  passedNote?: string | undefined;
  /** The name of the person under 18 whom it concerns. */
  aboutChild?: string | undefined;
  /** How it is said yes to: by one tap, or on a page of its own. */
  yes: 'tap' | 'answer' | 'rules';
  /** For a proposal of rules: the present rows, and those that would change. Without it they stand on their own page alone. */
  rules?: { present: RuleRows; changes: Partial<RuleRows> } | undefined;
  /** The digest of the ask as it is shown. */
  digest?: string | undefined;
}

const typeWords = {
  approval: { pill: 'ask', yes: 'Approve' },
  message: { pill: 'message', yes: 'Accept' },
  invite: { pill: 'invite', yes: 'Join' },
  agreement: { pill: 'agreement', yes: 'Let it in' },
} as const;

const titleCharacters = 140;
const previewCharacters = 65;

export interface RowParts {
  nowMs: number;
  /** Its place on the page, for ids. */
  index: number;
  /** It was put off, so it cannot be once more. */
  putOff: boolean;
}

/**
 * One request. Forms to paths.request(id), all with `type` and `digest`: `do` is yes, no (with `note`), later, relabel
 * (with `kind`), block, report, or both (with `from`, `reason`, `text`). The box belongs to the form with the id `ticked`.
 */
export function requestRow(frame: Frame, item: RequestItem, { nowMs, index, putOff }: RowParts): Html {
  const { title, preview, type, aboutChild, passedNote, endsAtMs, atMs } = item;
  const shownTitle = nameOf(item);
  return html`<li class="request" data-request tabindex="-1">
<label class="pick"><input ${attributes({ type: 'checkbox', name: 'item', value: tickedValue(item), form: 'ticked', 'data-key': 'x' })}><span class="unseen">Choose ${othersText(shownTitle, previewCharacters)}</span></label>
<div class="request-in">
<h3 class="request-title"><span class="${putOff ? 'dot hollow' : 'dot'}" aria-hidden="true"></span>${titleOf(item, shownTitle)} ${pill(item.yes === 'rules' ? 'rules' : typeWords[type].pill)}${aboutChild !== undefined && html` ${pill(html`about ${othersText(aboutChild, 60)}`, 'care')}`}</h3>
${item.rules !== undefined ? proposed(item.rules) : title !== '' && preview !== '' && html`<p class="preview">${othersText(preview, previewCharacters)}</p>`}
${passedNote !== undefined && html`<p class="passed"><span class="soft">Your AI wrote beside it:</span> ${othersText(passedNote, 280)}</p>`}
<p class="request-from">${sender(item)} <span class="soft">${timeAgo(atMs, nowMs)}${endsAtMs !== undefined && html` · ${timeLeft(endsAtMs, nowMs)}`}</span></p>
<div class="request-acts">
${yes(frame, item)}
${decline(frame, item, index)}
${!putOff && form(frame, acting(item, 'later'), actButton('Not now', { 'data-key': 'n' }))}
${item.purpose !== undefined && relabel(frame, item, item.purpose, index)}
${blockOrReport(frame, { action: paths.request(item.id), carried: { ...carriedOf(item), from: item.from } }, { index })}
</div>
</div>
</li>`;
}

/** The words by which it is called on the page. */
function nameOf({ title, preview }: RequestItem): string {
  return title === '' ? preview : title;
}

/** The value of a ticked box: the type, the id and, for an ask, the digest of its text. */
function tickedValue({ type, id, yes, digest = '' }: RequestItem): string {
  return [type, id, yes, digest].join(' ');
}

/** Reads what a ticked box sent; null for what none of ours sends. */
export function readTicked(
  value: string,
): (Pick<RequestItem, 'id' | 'yes'> & { type: RequestItem['type']; digest: string }) | null {
  const [, type, id, yes, digest = ''] =
    /^(approval|message|invite|agreement) (\S{1,320}) (tap|answer|rules) (\S{0,100})$/.exec(value) ?? [];
  if (type === undefined || id === undefined) return null;
  return { type: type as RequestItem['type'], id, yes: yes as RequestItem['yes'], digest };
}

function titleOf({ id, type, yes }: RequestItem, title: string): Html {
  const words = othersText(title, titleCharacters);
  if (type === 'agreement') return html`<a href="${paths.agreement(id)}">${words}</a>`;
  if (type === 'message') return html`<a href="${paths.request(id)}">${words}</a>`;
  if (type !== 'approval') return words;
  return html`<a href="${yes === 'rules' ? paths.rules : paths.ask(id)}">${words}</a>`;
}

function sender({ fromName, from, nameVerified }: RequestItem): Html {
  return html`<span class="request-sender">${othersText(fromName)} <bdi class="address">${plainText(from, 80)}</bdi>${!nameVerified && html` ${pill('unverified name', 'care')}`}</span>`;
}

function yes(frame: Frame, item: RequestItem): Html {
  const { id, type } = item;
  const about = html`<span class="unseen"> ${othersText(nameOf(item), previewCharacters)}</span>`;
  if (item.yes === 'rules' && item.rules === undefined)
    return openLink(html`Look at it${about}`, paths.rules);
  if (item.yes === 'answer') return openLink(html`Answer${about}`, paths.ask(id));
  const words = html`${item.yes === 'rules' ? 'Accept' : typeWords[type].yes}${about}`;
  return form(frame, acting(item, 'yes'), actButton(words, { 'data-key': 'a', class: 'button main' }));
}

/** Row by row what would be different; nothing of it was written by others. */
function proposed({ present, changes }: NonNullable<RequestItem['rules']>): Html {
  const count = changedKinds(present, changes).length;
  return html`<p class="preview">${count === 1 ? 'One row' : `${count} rows`} of <a href="${paths.rules}">who may reach you</a> would change. Nothing has changed yet.</p>
${changedRules(present, changes)}`;
}

function openLink(words: Html, href: string): Html {
  return html`<a class="button main" href="${href}" data-key="a">${words}</a>`;
}

function decline(frame: Frame, item: RequestItem, index: number): Html {
  return html`<details class="act" name="row-${index}" data-decline><summary class="button plain">Decline</summary>
${form(
  frame,
  acting(item, 'no'),
  html`${textArea({
    name: 'note',
    id: `note-${index}`,
    label: 'Why?',
    hint: 'They can read it.',
    optional: true,
    maxLength: 280,
    rows: 2,
  })}
${button(html`Decline<span class="unseen"> ${othersText(nameOf(item), previewCharacters)}</span>`, { kind: 'danger' })}`,
)}</details>`;
}

function relabel(frame: Frame, item: RequestItem, purpose: RequestKind, index: number): Html {
  return html`<details class="act less" name="row-${index}"><summary class="button quiet"><span class="unseen">Purpose: </span>${t(`requests.kind.${purpose}`)}</summary>
${form(
  frame,
  acting(item, 'relabel'),
  html`<p class="hint">What is it really? This sender counts as that from now on.</p>
<div class="kinds">${requestKinds.map((kind) =>
    kind === purpose
      ? html`<span class="kind now">${t(`requests.kind.${kind}`)}<span class="unseen"> (as it is now)</span></span>`
      : html`<button type="submit" class="button plain kind" name="kind" value="${kind}">${t(`requests.kind.${kind}`)}</button>`,
  )}</div>`,
)}</details>`;
}

/** The form of one act. */
function acting(item: RequestItem, act: string): { action: string; carried: Carried } {
  return { action: paths.request(item.id), carried: { ...carriedOf(item), do: act } };
}

function carriedOf({ type, digest = '' }: RequestItem): Carried {
  return { type, digest };
}

function actButton(words: Piece, more: Readonly<Record<string, string>>): Html {
  return html`<button ${attributes({ type: 'submit', class: 'button plain', ...more })}>${words}</button>`;
}
