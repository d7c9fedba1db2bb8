import { type Text, t } from '@hearth/i18n';
import { pill, who } from '../components/ai-name.ts';
import { disclosure } from '../components/disclosure.ts';
import { type Errors, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { disputeNotice, errorSummary, hasErrors, notice } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { voidWords } from '../components/void-words.ts';
import { type AskedOne, whoIsAsked } from '../components/who-is-asked.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { RequestKind } from '../request-copy.ts';
import type { AskStatus, SettledStatus } from '../status-copy.ts';

export type AskKind =
  | 'ask'
  | 'photo'
  | 'join_request'
  | 'agreement'
  | 'plan'
  | 'rules'
  | 'guardian'
  | 'invite';

export interface Ask {
  id: string;
  title: string;
  details?: string | undefined;
  /** A short text of an app about the thing that it is about. */
  preview?: string | undefined;
  kind: AskKind;
  requestKind: RequestKind;
  choices: readonly string[];
  freeText: boolean;
  needs: 'any' | 'all';
  from: string;
  fromName: string;
  nameVerified: boolean;
  /** The under-18 whom it concerns, as the viewer may see them. */
  about?: { name: string; address: string } | undefined;
  groupName?: string | undefined;
  people: readonly AskedOne[];
  status: AskStatus;
  /** Why it was declined without an answer, or why a yes counts for nothing. */
  why?: string | undefined;
  askedAtMs: number;
  expiresAtMs: number;
  settledAtMs?: number | undefined;
  /** The digest of the text that is shown; it comes back with the answer. */
  digest: string;
  /** A path of this home with the key of the receipt; once it is settled and signed. */
  receipt?: string | undefined;
  /** The home at which it was asked, when that is another one. */
  home?: string | undefined;
  /** The answer of whoever looks at it is on its way to that home. */
  pending?: boolean;
  /** Its home shows other answers of people here than they sent. */
  disputed?: boolean | undefined;
}

export interface AskPage {
  ask: Ask;
  nowMs: number;
  /** Waits for the word of whoever looks at it. */
  canAnswer: boolean;
  /** The viewer holds the link of an e-mail and is not signed in: the address, and the key of the link. */
  mail?: { email: string; key: string } | undefined;
  values?: { answer?: string; note?: string };
  errors?: Errors<'answer' | 'note'>;
  /** It changed since the page was opened; what was sent counts for nothing. */
  changed?: boolean;
  /** The viewer has just answered. */
  answered?: boolean;
  /** It had been settled, or answered, before the viewer's answer came. */
  tooLate?: boolean;
}

/**
 * One ask in full. Form to paths.ask(id): `decision` (approved, declined), `answer`, `note`, `ask_digest`, and `k` for who
 * came by e-mail. Opening the page answers nothing.
 */
export function askPage(frame: Frame, model: AskPage): string {
  const { ask, canAnswer, mail, errors = {} } = model;
  const main = html`${frame.person && html`<p class="back"><a href="${paths.requests}">Requests</a></p>`}
<h1>${othersText(ask.title, 140)}</h1>
${errorSummary(errors)}
${disputeNotice(ask.disputed)}
${stateNotice(frame, model)}
<div class="card">
${who(ask.fromName, senderFacts(ask), ask.nameVerified ? undefined : pill('unverified name', 'care'))}
${whatIsAsked(ask)}
${askFacts(frame, model)}
</div>
${canAnswer && answerForm(frame, model)}
${canAnswer && mail !== undefined && mailWords(mail)}
${whoIsAsked(frame, ask.people, ask.status === 'waiting' ? 'Who is asked' : 'Who was asked')}`;
  return page(frame, {
    title: plainTitle(model),
    main,
    here: 'requests',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

/** Nothing of others: a title is read out before anything else. */
function plainTitle({ ask, canAnswer }: AskPage): Text {
  return t(`ask.title.${ask.status === 'waiting' && canAnswer ? 'yours' : ask.status}`);
}

function senderFacts({ from, kind, requestKind, groupName }: Ask): Html {
  const what = kind === 'ask' && requestKind !== 'other' ? html` · ${t(`requests.kind.${requestKind}`)}` : '';
  return html`<bdi class="address">${plainText(from, 80)}</bdi>${what}${groupName !== undefined && html` · in ${othersText(groupName)}`}`;
}

function stateNotice(frame: Frame, model: AskPage): Piece {
  const { ask, changed, canAnswer } = model;
  const hasAnswered = ask.people.some(({ isViewer, decision }) => isViewer && decision !== 'waiting');
  // A link can say in its query what it wants: what it says is held against what is so.
  const answered = model.answered && hasAnswered;
  const tooLate = model.tooLate && !canAnswer;
  if (changed) {
    return notice(
      'care',
      'This changed while you had it open',
      'Your answer was not taken. Below is what is asked now: read it again, then answer.',
    );
  }
  if (ask.status !== 'waiting') return settledNotice(frame, ask, { answered, tooLate });
  if (ask.pending)
    return notice('info', 'Your answer is on its way', 'The home of this ask has not confirmed it yet.');
  if (answered)
    return notice(
      'good',
      'Your answer is in, and it is final',
      'It is settled once the others have answered.',
    );
  if (tooLate)
    return notice('care', 'You had answered this before', 'An answer is final, so this one was not taken.');
  return !canAnswer && hasAnswered
    ? notice(
        'info',
        'You have answered this',
        'An answer is final. It is settled once the others have answered.',
      )
    : undefined;
}

interface Just {
  answered: boolean | undefined;
  tooLate: boolean | undefined;
}

function settledNotice(frame: Frame, ask: Ask, { answered, tooLate }: Just): Html {
  const { status, settledAtMs, receipt, why } = ask;
  const isQuestion = ask.choices.length > 0 || ask.freeText;
  const title = status === 'approved' && isQuestion ? 'Answered' : settledTitles[status as SettledStatus];
  const words = html`${answered && 'Your answer is in. '}${why !== undefined && Object.hasOwn(whyWords, why) && `${whyWords[why]} `}${settledAtMs !== undefined && html`It was settled on ${moment(frame, settledAtMs)}. `}Nothing can change it any more.${receipt === undefined && ask.home === undefined && ' Its receipt is being signed.'}`;
  return html`${tooLate && notice('care', 'Your answer was not taken', 'It was settled before your answer came.')}
${notice(status === 'approved' && !tooLate ? 'good' : 'info', title, words)}
${receipt !== undefined && html`<p class="actions">${linkButton('Open the receipt', receipt, 'main')}</p>`}`;
}

const settledTitles: Readonly<Record<SettledStatus, string>> = {
  approved: 'Approved',
  declined: 'Declined',
  cancelled: 'Taken back by whoever asked',
  expired: 'It ran out of time',
};

const whyWords: Readonly<Record<string, string>> = {
  by_rule: 'The rules of whoever was asked say no to this.',
  recipient_gone: 'No one of those who were asked is there any more.',
  ...Object.fromEntries(
    Object.entries(voidWords).map(([why, words]) => [why, `It counts for nothing: ${words}`]),
  ),
};

function whatIsAsked({ details, preview }: Ask): Html {
  return html`${details !== undefined && html`<div class="quote">${othersLines(details)}</div>`}
${preview !== undefined && html`<div class="quote preview-item"><p class="quote-label">What it is about</p>${othersText(preview, 280)}</div>`}`;
}

function askFacts(frame: Frame, { ask, nowMs }: AskPage): Html {
  const { about, askedAtMs, expiresAtMs, home, status } = ask;
  return html`<dl class="facts">
${home !== undefined && html`<div><dt>Asked at</dt><dd>${plainText(home, 80)} ${pill('another home', 'care')}</dd></div>`}
${about !== undefined && html`<div><dt>Is about</dt><dd>${othersText(about.name)} <span class="soft">${othersText(about.address)}</span> ${pill('under 18', 'care')}</dd></div>`}
<div><dt>Asked</dt><dd>${moment(frame, askedAtMs)}</dd></div>
${status === 'waiting' && html`<div><dt>Until</dt><dd>${moment(frame, expiresAtMs)} (${timeLeft(expiresAtMs, nowMs)})</dd></div>`}
</dl>
${about !== undefined && html`<p class="tap-only"><strong>Only a guardian’s own tap counts for this.</strong> No AI can answer it, whatever it is allowed otherwise.</p>`}`;
}

function answerForm(frame: Frame, model: AskPage): Html {
  const { ask, mail } = model;
  if (ask.kind === 'rules') {
    return html`<section class="card" aria-labelledby="your-answer"><h2 id="your-answer">Your answer</h2>
<p>It would change who reaches you, and how. See it row by row beside the rules that you have.</p>
<p class="actions">${linkButton('Look at the proposal', paths.rules, 'main')}</p></section>`;
  }
  const carried = { ask_digest: ask.digest, ...(mail !== undefined && { k: mail.key }) };
  const isQuestion = ask.choices.length > 0 || ask.freeText;
  return html`<section class="card" aria-labelledby="your-answer">
<h2 id="your-answer">Your answer</h2>
${form(
  frame,
  { action: paths.ask(ask.id), carried },
  html`${isQuestion && answerField(model)}
<p class="consequences" id="consequences">${consequences(ask)}</p>
<div class="actions even">
${button(isQuestion ? 'Send this answer' : 'Approve', { kind: 'main', name: 'decision', value: 'approved', describedBy: 'consequences' })}
${button('Decline', { kind: 'plain', name: 'decision', value: 'declined', describedBy: 'consequences' })}
</div>
${noteField(model)}`,
)}
</section>`;
}

function answerField({ ask, values = {}, errors = {} }: AskPage): Html {
  if (ask.choices.length === 0) {
    return textArea({
      name: 'answer',
      label: 'Your answer in words',
      value: values.answer,
      maxLength: 500,
      hint: 'Up to 500 characters.',
      error: errors.answer,
    });
  }
  return fieldset(
    { id: 'answer', legend: 'Pick one', error: errors.answer },
    ticks(
      ask.choices.map((choice, index) =>
        tick({
          kind: 'radio',
          name: 'answer',
          value: choice,
          id: `answer-${index}`,
          label: othersText(choice, 140),
          ticked: choice === values.answer,
        }),
      ),
    ),
  );
}

function noteField({ values = {}, errors = {} }: AskPage): Html {
  const open = errors.note !== undefined || (values.note ?? '') !== '';
  const field = textArea({
    name: 'note',
    label: 'A note with your answer',
    value: values.note,
    optional: true,
    maxLength: 280,
    rows: 2,
    hint: 'It becomes part of the signed answer; they can read it.',
    error: errors.note,
  });
  return disclosure({ summary: 'Add a note', open }, field);
}

/** The consequence of an answer, and the condition under which it counts. */
function consequences(ask: Ask): Html {
  return html`${yesWords(ask)} ${needsWords(ask)} <strong>An answer is final</strong>, and this home signs it.`;
}

function yesWords({ kind, fromName, about, groupName }: Ask): Html {
  const group = groupName === undefined ? 'the group' : othersText(groupName);
  const someone = othersText(about?.name ?? fromName);
  switch (kind) {
    case 'photo':
      return html`If you approve, the picture is shown in ${group}; if you decline, it is not.`;
    case 'join_request':
      return html`If you approve, ${someone} comes into ${group}; if you decline, not.`;
    case 'guardian':
      return html`If you approve, you look after ${someone} here: what they are asked comes to you.`;
    case 'invite':
      return html`If you approve, ${someone} is invited into ${group}.`;
    case 'agreement':
      return html`If you approve, you agree to the terms above together with the others.`;
    case 'plan':
      return html`If you approve, the plan stands as it is written above.`;
    default:
      return html`${othersText(fromName)} gets your answer at once.`;
  }
}

function needsWords({ needs, people }: Ask): string {
  if (people.length < 2) return '';
  if (needs === 'all') return 'Everybody has to approve: one no declines it for all.';
  return 'One yes is enough: it is declined only when everybody says no.';
}

function mailWords({ email }: { email: string }): Html {
  return html`<p class="soft">You answer as <strong class="break">${email}</strong>, to which the link was sent. Opening it has answered nothing; whoever has it can answer, so keep it to yourself.</p>`;
}
