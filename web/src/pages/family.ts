import { AGE_COPY, type AgeBand } from '../age-copy.ts';
import { type AiName, aiFacts, pill, who } from '../components/ai-name.ts';
import { type AppAsk, appAskCard } from '../components/app-ask.ts';
import { waitingDeletion } from '../components/deletion.ts';
import { button, form, linkButton } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { calendarMonth, day } from '../components/time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type AskStatus, STATUS_COPY } from '../status-copy.ts';
import type { Guardianship } from './account.ts';

/** A group of a child, or a person with whom the child exchanges messages. */
export interface Dealing {
  name: string;
  address: string;
  /** Since when, or when last. */
  atMs?: number | undefined;
  /** A group alone can be. */
  archived?: boolean;
}

/** An ask that was answered for a child. */
export interface Answered {
  /** apr_ and 32 hex digits */
  id: string;
  title: string;
  status: AskStatus;
  /** When it settled, or was asked while it has not. */
  atMs?: number | undefined;
}

/** With whom and where a child deals, and what was answered for them; never what is written. */
export interface Dealings {
  groups: readonly Dealing[];
  /** The newest first. */
  contacts: readonly Dealing[];
  ais: readonly AiName[];
  /** The newest first. */
  answered: readonly Answered[];
}

export interface Child {
  /** per_ and 32 hex digits */
  id: string;
  name: string;
  /** Without the @. */
  handle: string;
  ageBand: AgeBand;
  /** `month` is YYYY-MM; undefined when the birth is not known. */
  next?: { ageBand: AgeBand; month: string } | undefined;
  /** Whether AIs may act for them. */
  aiShare: boolean;
  /** The viewer is among them. */
  guardians: readonly (Guardianship & { viewer: boolean })[];
  /** The name of the app that holds the account. */
  app?: string | undefined;
  deletesAtMs?: number | undefined;
  /** Old enough for a sign-in of their own, where they live. */
  maySignIn: boolean;
  /** Has an e-mail address to sign in with. */
  signsIn: boolean;
  /** Undefined when they could not be found out. */
  dealings: Dealings | undefined;
}

/** A child who wants to join a group, and waits for the viewer's word. */
export interface ChildJoin {
  invite: string;
  child: Pick<Child, 'id' | 'name'>;
  groupName: string;
  note?: string | undefined;
  askedAtMs: number;
  /** An organizer's word is still to come as well. */
  organizersToo: boolean;
}

export interface ChildAppAsk extends AppAsk {
  child: Pick<Child, 'id' | 'name' | 'app'>;
}

export interface Family {
  children: readonly Child[];
  /** Those who are 18 by now, and have no way into their account. */
  grown?: readonly Pick<Child, 'id' | 'name'>[];
  /** Undefined when they could not be found out. */
  joins: readonly ChildJoin[] | undefined;
  appsAsking: readonly ChildAppAsk[] | undefined;
  /** The notice of an act that was just done. */
  done?: Piece;
}

/**
 * The children whom I look after. Forms: `decision` (approved, declined) to paths.childJoin(id, invite); `answer`
 * (accept, decline) to paths.childAppAsk(id, app); `share` (yes, no) to paths.childAis(id); nothing more to
 * paths.keepChild(id).
 */
export function familyPage(frame: Frame, model: Family): string {
  const { children, done, grown = [] } = model;
  const main = html`<h1>Family</h1>
<p class="lead">The children whom you look after here: what they may do, and with whom they do it.</p>
${done && notice('good', done)}
${children.length > 0 && waiting(frame, model)}
${grown.map(grownCard)}
${
  children.length === 0
    ? noChild(frame)
    : html`<section aria-labelledby="children">
<h2 id="children">Children</h2>
<ul class="cards">${children.map((child) => childCard(frame, child))}</ul>
</section>`
}
${mayMakeChild(frame) && html`<p class="actions">${linkButton('Make an account for a child', paths.newChild)}</p>`}`;
  return page(frame, { title: 'Family', main, here: 'family' });
}

function noChild(frame: Frame): Html {
  return html`<div class="card">
<p><strong>You look after no child here.</strong> ${mayMakeChild(frame) && 'Make an account for a child below. '}You can also look after a child once an app that holds the child, or another guardian, names you as the guardian.</p>
</div>`;
}

function grownCard({ id, name }: Pick<Child, 'id' | 'name'>): Html {
  return html`<div class="card">
<p><strong>${othersText(name)} is 18 now</strong>, and the account is theirs, but it has no sign-in yet. You can still give it one, with their e-mail address, and nothing more.</p>
<div class="actions">${linkButton(html`<span>Add a sign-in<span class="unseen"> for ${othersText(name)}</span></span>`, paths.childSignIn(id))}</div>
</div>`;
}

/** An adult with a sign-in of their own. */
function mayMakeChild({ person }: Frame): boolean {
  return person !== undefined && !person.guest && !person.minor;
}

function waiting(frame: Frame, { joins, appsAsking }: Family): Html {
  const unknown = joins === undefined || appsAsking === undefined;
  const cards = [
    ...(joins ?? []).map((join) => joinCard(frame, join)),
    ...(appsAsking ?? []).map(({ child, ...ask }) =>
      appAskCard(frame, {
        ask,
        action: paths.childAppAsk(child.id, ask.app),
        child: child.name,
        heldBy: child.app,
      }),
    ),
  ];
  return html`${unknown && notice('care', 'What waits for your word cannot be shown in full at the moment')}
${
  cards.length > 0 &&
  html`<section aria-labelledby="waiting">
<h2 id="waiting">Waits for your word</h2>
<ul class="cards">${cards}</ul>
</section>`
}`;
}

function joinCard(
  frame: Frame,
  { invite, child, groupName, note, askedAtMs, organizersToo }: ChildJoin,
): Html {
  return html`<li class="card">
${who(groupName, html`A group that ${othersText(child.name)} wants to join · asked ${day(frame, askedAtMs)}`)}
${note !== undefined && note !== '' && html`<p>${othersText(child.name)} wrote: ${othersText(note, 200)}</p>`}
<p>Its members, and their AIs, see a shortened name and what ${othersText(child.name)} posts there.${organizersToo && ' An organizer has to agree as well.'}</p>
${form(
  frame,
  { action: paths.childJoin(child.id, invite) },
  html`<div class="actions even">
${button(html`Approve<span class="unseen"> that ${othersText(child.name)} joins ${othersText(groupName)}</span>`, { name: 'decision', value: 'approved' })}
${button(html`Decline<span class="unseen"> that ${othersText(child.name)} joins ${othersText(groupName)}</span>`, { kind: 'plain', name: 'decision', value: 'declined' })}
</div>`,
)}
</li>`;
}

function childCard(frame: Frame, child: Child): Html {
  const { id, name, handle } = child;
  return html`<li>
${deletionOf(frame, child)}
<div class="card">
${who(name, html`<span class="address">@${handle}</span>`)}
${childFacts(child)}
${child.dealings === undefined ? html`<p class="soft">Groups and contacts cannot be shown at the moment.</p>` : briefly(child.dealings)}
<div class="actions">${linkButton(html`<span>Look after ${othersText(name)}</span>`, paths.child(id))}${aiSwitch(frame, child)}</div>
</div>
</li>`;
}

/** Lets AIs act for a child, or stops them. Form: `share` (yes, no) to paths.childAis(id). */
export function aiSwitch(frame: Frame, { id, name, aiShare }: Child): Html {
  const words = aiShare
    ? html`Stop AIs<span class="unseen"> of ${othersText(name)}</span>`
    : html`Let AIs act<span class="unseen"> for ${othersText(name)}</span>`;
  return form(
    frame,
    { action: paths.childAis(id), carried: { share: aiShare ? 'no' : 'yes' } },
    button(words, { kind: aiShare ? 'danger' : 'plain' }),
  );
}

const shownBriefly = 3;

function briefly({ groups, contacts, ais, answered }: Dealings): Html {
  return html`<dl class="facts">
<div><dt>Groups</dt><dd>${few(
    groups.filter(({ archived }) => !archived),
    'none',
  )}</dd></div>
<div><dt>Writes with</dt><dd>${few(contacts, 'no one yet')}</dd></div>
${ais.length > 0 && html`<div><dt>Names of AIs</dt><dd>${few(ais, 'none')}</dd></div>`}
${
  answered.length > 0 &&
  html`<div><dt>Answered for them</dt><dd>${few(
    answered.map(({ title }) => ({ name: title })),
    'none',
  )}</dd></div>`
}
</dl>`;
}

function few(all: readonly { name: string }[], none: string): Html {
  if (all.length === 0) return html`${none}`;
  const more = all.length - shownBriefly;
  const shown = all
    .slice(0, shownBriefly)
    .map(({ name }, index) => html`${index > 0 && ', '}${othersText(name)}`);
  return html`${shown}${more > 0 && ` and ${more} more`}`;
}

/** The facts about a child, and when the rules for them change. */
export function childFacts({ ageBand, next, aiShare, guardians, app }: Child): Html {
  return html`<dl class="facts">
<div><dt>Age</dt><dd>${AGE_COPY[ageBand]}</dd></div>
${next !== undefined && html`<div><dt>Next age</dt><dd>${AGE_COPY[next.ageBand]} from ${calendarMonth(next.month)} on${next.ageBand === 'adult' ? '; then your guardianship ends by itself' : '; you stay the guardian'}</dd></div>`}
${next === undefined && html`<div><dt>Next age</dt><dd>not known: the app told the age, and no birthday</dd></div>`}
<div><dt>${guardians.length > 1 ? 'Guardians' : 'Guardian'}</dt><dd>${guardians.map(({ name, viewer }, index) => html`${index > 0 && ' and '}${viewer ? 'you' : othersText(name)}`)}</dd></div>
<div><dt>AIs</dt><dd>${aiShare ? 'may act for them, each with what you allowed it' : 'none may act for them'}</dd></div>
<div><dt>Held by</dt><dd>${app === undefined ? 'no app' : othersText(app)}</dd></div>
</dl>`;
}

/** The notice of an account that is about to go, with the way back. */
export function deletionOf(frame: Frame, { id, name, deletesAtMs }: Child): Html | false {
  if (deletesAtMs === undefined) return false;
  return waitingDeletion(frame, {
    child: name,
    deletesAtMs,
    keep: paths.keepChild(id),
  });
}

/** A list of groups or people, each with its address and its day. */
export function dealingList(
  frame: Frame,
  all: readonly Dealing[],
  dayWord: string,
  none: string,
  act?: (dealing: Dealing) => Html,
): Html {
  if (all.length === 0) return html`<p class="soft">${none}</p>`;
  return html`<ul class="log">${all.map((dealing) => {
    const { name, address, archived, atMs } = dealing;
    return html`<li>
<span class="log-words">${othersText(name)} ${shownAddress(address)}${archived && html` ${pill('archived', 'off')}`}</span>
${atMs !== undefined && html`<span class="log-time">${dayWord} ${day(frame, atMs)}</span>`}
${act?.(dealing)}
</li>`;
  })}</ul>`;
}

/** The asks that were answered for a child, each with what became of it. */
export function answeredList(frame: Frame, all: readonly Answered[]): Html {
  if (all.length === 0) return html`<p class="soft">Nothing yet.</p>`;
  return html`<ul class="log">${all.map(
    ({ id, title, status, atMs }) => html`<li>
<span class="log-words"><a href="${paths.ask(id)}">${othersText(title)}</a> <span class="soft">${STATUS_COPY[status].words}</span></span>
${atMs !== undefined && html`<span class="log-time">${day(frame, atMs)}</span>`}
</li>`,
  )}</ul>`;
}

/** The id of a shielded person says nothing to a reader. */
function shownAddress(address: string): Html {
  if (address.startsWith('shp_')) return html`<span class="soft">under 18</span>`;
  return html`<span class="address soft">${othersText(address, 120)}</span>`;
}

/** A child's own AIs. */
export function childAis(ais: readonly AiName[]): Html | false {
  if (ais.length === 0) return false;
  return html`<ul class="log">${ais.map((ai) => html`<li><span class="log-words">${othersText(ai.name)} <span class="soft">${aiFacts(ai)}</span></span></li>`)}</ul>`;
}
