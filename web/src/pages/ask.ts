import { type Text, t } from '@hearth/i18n';
import { pill, who } from '../components/ai-name.ts';
import { disclosure } from '../components/disclosure.ts';
import { type Errors, fieldset } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { disputeNotice, errorSummary, hasErrors, notice } from '../components/notice.ts';
import { changedRules, type RuleRows } from '../components/rule-list.ts';
import { textArea } from '../components/text-area.ts';
import { tick, ticks } from '../components/tick.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { voidWords } from '../components/void-words.ts';
import { type AskRecipient, whoIsAsked } from '../components/who-is-asked.ts';
import { type Frame, page } from '../frame.ts';
import { around, type Html, html, type Piece, strong, type Words } from '../html.ts';
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
  /** The title as this home words it, unless its asker wrote it. */
  ownTitle?: Words | undefined;
  details?: string | undefined;
  /** For a waiting proposal of rules: the present rows, and those that would change. */
  rules?: { present: RuleRows; changes: Partial<RuleRows> } | undefined;
  /** An app's short preview of the subject. */
  preview?: string | undefined;
  kind: AskKind;
  requestKind: RequestKind;
  choices: readonly string[];
  freeText: boolean;
  needs: 'any' | 'all';
  from: string;
  fromName: string;
  nameVerified: boolean;
  /** The minor that it concerns, as the viewer may see them. */
  about?: { name: string; address: string } | undefined;
  groupName?: string | undefined;
  people: readonly AskRecipient[];
  status: AskStatus;
  /** Why it was declined without an answer, or why a yes doesn't count. */
  why?: string | undefined;
  askedAtMs: number;
  expiresAtMs: number;
  settledAtMs?: number | undefined;
  /** The digest of the shown text; it is sent back with the answer. */
  digest: string;
  /** The path of the receipt within this home, with its key; set once it is settled and signed. */
  receipt?: string | undefined;
  /** The home that asked, if remote. */
  home?: string | undefined;
  /** The viewer's answer is on its way to that home. */
  pending?: boolean;
  /** Whether its home shows other answers from people here than they sent. */
  disputed?: boolean | undefined;
}

export interface AskPage {
  ask: Ask;
  nowMs: number;
  /** Whether it waits for the viewer's answer. */
  canAnswer: boolean;
  /** Set for a viewer without a session who followed an email's link: the address, and the link's key. */
  mail?: { email: string; key: string } | undefined;
  values?: { answer?: string; note?: string };
  errors?: Errors<'answer' | 'note'>;
  /** It changed since the page was opened, so the sent answer was discarded. */
  changed?: boolean;
  /** The viewer has just answered. */
  answered?: boolean;
  /** It was settled or answered before the viewer's answer came. */
  tooLate?: boolean;
}

/**
 * One ask in full. Form to paths.ask(id): `decision` (approved, declined), `answer`, `note`, `ask_digest`,
 * and `k` for viewers from an email. Opening the page answers nothing.
 */
export function askPage(frame: Frame, model: AskPage): string {
  const { ask, canAnswer, mail, errors = {} } = model;
  const main = html`${frame.person && html`<p class="back"><a href="${paths.requests}">${t('requests.title')}</a></p>`}
<h1>${ask.ownTitle ?? othersText(ask.title, 140)}</h1>
${errorSummary(errors)}
${disputeNotice(ask.disputed)}
${stateNotice(frame, model)}
<div class="card">
${who(ask.fromName, senderFacts(ask), ask.nameVerified ? undefined : pill(t('common.unverified-name'), 'care'))}
${whatIsAsked(ask)}
${askFacts(frame, model)}
</div>
${canAnswer && answerForm(frame, model)}
${canAnswer && mail !== undefined && mailWords(mail)}
${whoIsAsked(frame, ask.people)}`;
  return page(frame, {
    title: plainTitle(model),
    main,
    here: 'requests',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

/** Without text by others: a title is read out before anything else. */
function plainTitle({ ask, canAnswer }: AskPage): Text {
  return t(`ask.title.${ask.status === 'waiting' && canAnswer ? 'yours' : ask.status}`);
}

function senderFacts({ from, kind, requestKind, groupName }: Ask): Html {
  const what = kind === 'ask' && requestKind !== 'other' ? html` · ${t(`requests.kind.${requestKind}`)}` : '';
  return html`<bdi class="address">${plainText(from, 80)}</bdi>${what}${groupName !== undefined && html` · ${t('ask.in-group', { group: othersText(groupName) })}`}`;
}

function stateNotice(frame: Frame, model: AskPage): Piece {
  const { ask, changed, canAnswer } = model;
  const hasAnswered = ask.people.some(({ isViewer, decision }) => isViewer && decision !== 'waiting');
  // A link's query can claim anything, so it is checked against the state.
  const answered = model.answered && hasAnswered;
  const tooLate = model.tooLate && !canAnswer;
  if (changed) {
    return notice('care', t('ask.changed'), t('ask.changed-more'));
  }
  if (ask.status !== 'waiting') return settledNotice(frame, ask, { answered, tooLate });
  if (ask.pending) return notice('info', t('ask.pending'), t('ask.pending-more'));
  if (answered) return notice('good', t('ask.answered'), t('ask.answered-more'));
  if (tooLate) return notice('care', t('ask.answered-before'), t('ask.answered-before-more'));
  return !canAnswer && hasAnswered
    ? notice('info', t('ask.has-answered'), t('ask.answered-more'))
    : undefined;
}

interface Just {
  answered: boolean | undefined;
  tooLate: boolean | undefined;
}

function settledNotice(frame: Frame, ask: Ask, { answered, tooLate }: Just): Html {
  const { status, settledAtMs, receipt, why } = ask;
  const isQuestion = ask.choices.length > 0 || ask.freeText;
  const title = t(
    `ask.settled.${status === 'approved' && isQuestion ? 'question' : (status as SettledStatus)}`,
  );
  const sentences = [
    answered && t('ask.settled-sent'),
    why !== undefined && whyWords(status, why),
    settledAtMs !== undefined && t('ask.settled-on', { date: moment(frame, settledAtMs) }),
    t('ask.settled-final'),
    receipt === undefined && ask.home === undefined && t('ask.settled-signing'),
  ];
  const words = sentences.filter(Boolean).map((sentence) => html`${sentence} `);
  return html`${tooLate && notice('care', t('ask.too-late'), t('ask.too-late-more'))}
${notice(status === 'approved' && !tooLate ? 'good' : 'info', title, words)}
${receipt !== undefined && html`<p class="actions">${linkButton(t('ask.receipt'), receipt, 'main')}</p>`}`;
}

const declinedReasons = ['by_rule', 'recipient_gone'] as const;

function whyWords(status: AskStatus, why: string): Words | undefined {
  if (status === 'approved') return voidWords(why);
  const known = declinedReasons.find((reason) => reason === why);
  return known && t(`ask.why.${known}`);
}

function whatIsAsked({ details, preview, rules }: Ask): Html {
  const quote = details !== undefined && html`<div class="quote">${othersLines(details)}</div>`;
  return html`${rules === undefined ? quote : changedRules(rules.present, rules.changes)}
${preview !== undefined && html`<div class="quote preview-item"><p class="quote-label">${t('ask.about-thing')}</p>${othersText(preview, 280)}</div>`}`;
}

function askFacts(frame: Frame, { ask, nowMs }: AskPage): Html {
  const { about, askedAtMs, expiresAtMs, home, status } = ask;
  return html`<dl class="facts">
${home !== undefined && html`<div><dt>${t('ask.home')}</dt><dd>${plainText(home, 80)} ${pill(t('ask.other-home'), 'care')}</dd></div>`}
${about !== undefined && html`<div><dt>${t('ask.about')}</dt><dd>${othersText(about.name)} <span class="soft">${othersText(about.address)}</span> ${pill(t('ask.minor'), 'care')}</dd></div>`}
<div><dt>${t('ask.sent')}</dt><dd>${moment(frame, askedAtMs)}</dd></div>
${status === 'waiting' && html`<div><dt>${t('ask.expires')}</dt><dd>${moment(frame, expiresAtMs)} (${timeLeft(expiresAtMs, nowMs)})</dd></div>`}
</dl>
${about !== undefined && html`<p class="tap-only">${t('ask.guardian-only', { strong })}</p>`}`;
}

function answerForm(frame: Frame, model: AskPage): Html {
  const { ask, mail } = model;
  if (ask.kind === 'rules') {
    return html`<section class="card" aria-labelledby="your-answer"><h2 id="your-answer">${t('ask.your-answer')}</h2>
<p>${t('ask.rules')}</p>
<p class="actions">${linkButton(t('ask.rules-view'), paths.rules, 'main')}</p></section>`;
  }
  const carried = { ask_digest: ask.digest, ...(mail !== undefined && { k: mail.key }) };
  const isQuestion = ask.choices.length > 0 || ask.freeText;
  return html`<section class="card" aria-labelledby="your-answer">
<h2 id="your-answer">${t('ask.your-answer')}</h2>
${form(
  frame,
  { action: paths.ask(ask.id), carried },
  html`${isQuestion && answerField(model)}
<p class="consequences" id="consequences">${consequences(ask)}</p>
<div class="actions even">
${button(isQuestion ? t('ask.send') : t('common.approve'), { kind: 'main', name: 'decision', value: 'approved', describedBy: 'consequences' })}
${button(t('common.decline'), { kind: 'plain', name: 'decision', value: 'declined', describedBy: 'consequences' })}
</div>
${noteField(model)}`,
)}
</section>`;
}

function answerField({ ask, values = {}, errors = {} }: AskPage): Html {
  if (ask.choices.length === 0) {
    return textArea({
      name: 'answer',
      label: t('ask.your-answer'),
      value: values.answer,
      maxLength: 500,
      hint: t('ask.answer-hint'),
      error: errors.answer,
    });
  }
  return fieldset(
    { id: 'answer', legend: t('ask.choose'), error: errors.answer },
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
    label: t('ask.note'),
    value: values.note,
    optional: true,
    maxLength: 280,
    rows: 2,
    hint: t('ask.note-hint'),
    error: errors.note,
  });
  return disclosure({ summary: t('ask.note-add'), open }, field);
}

/** The consequence of an answer, and when it counts. */
function consequences(ask: Ask): Html {
  return html`${yesWords(ask)} ${needsWords(ask)} ${t('ask.final', { strong })}`;
}

function yesWords({ kind, fromName, about, groupName = '' }: Ask): Words {
  const named = groupName === '' ? 'other' : 'yes';
  const group = othersText(groupName);
  const name = othersText(about?.name ?? fromName);
  switch (kind) {
    case 'photo':
      return t('ask.yes.photo', { named, group });
    case 'join_request':
      return t('ask.yes.join_request', { name, named, group });
    case 'guardian':
      return t('ask.yes.guardian', { name });
    case 'invite':
      return t('ask.yes.invite', { name, named, group });
    case 'agreement':
      return t('ask.yes.agreement');
    case 'plan':
      return t('ask.yes.plan');
    default:
      return t('ask.yes.other', { name: othersText(fromName) });
  }
}

function needsWords({ needs, people }: Ask): Words | false {
  return people.length >= 2 && t(`ask.needs.${needs}`);
}

function mailWords({ email }: { email: string }): Html {
  return html`<p class="soft">${t('ask.by-mail', { email, strong: around((inside) => html`<strong class="break">${inside}</strong>`) })}</p>`;
}
